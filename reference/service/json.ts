import { refusal } from './reply.ts';

/** JSON is UTF-8 (RFC 8259, 8.1): other bytes are an error, not something to be guessed at. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a call's body.
 *
 * @throws Refusal (400) where it is no JSON in UTF-8
 */
export function parseBody(body: Buffer): unknown {
  if (body.length === 0) throw refusal(400, 'json', 'The body is empty. Send JSON.');
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch (cause) {
    const [why] = (cause as Error).message.split('"');
    throw refusal(400, 'json', `The body is not JSON in UTF-8 (${why?.trim()}). Send valid JSON.`, { cause });
  }
}

/** An own member below a value, by the names on the way to it: nothing inherited is taken for data. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? at(found, name) : undefined,
    value,
  );
}

function at(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}
