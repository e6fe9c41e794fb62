import type { Header } from '../suites/delivery.ts';
import type { StandIn } from './withoutSecrets.ts';

/** Headers that say what is sent and by whom: nobody keeps a secret in them. */
const open = /^(?:accept(?:-\w+)?|content-\w+|user-agent)$/i;

const prefix = 'SEAWORTHY_HEADER_';

/**
 * The environment variable of each of these headers, which stands for its value wherever it would be shown; nothing where
 * the value is no secret.
 *
 * @example headerVariables(['X-Api-Key']) // ['SEAWORTHY_HEADER_X_API_KEY']
 */
function headerVariables(names: readonly string[]): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return names.map((name) => {
    if (open.test(name)) return undefined;
    const plain = `${prefix}${name.toUpperCase().replaceAll(/\W/g, '_')}`;
    let variable = plain;
    for (let number = 2; taken.has(variable); number++) variable = `${plain}_${number}`;
    taken.add(variable);
    return variable;
  });
}

/** The headers with variables in place of their values. */
export function hiddenHeaders(headers: readonly Header[]): readonly Header[] {
  const variables = headerVariables(headers.map(([name]) => name));
  return headers.map((header, at) => (variables[at] === undefined ? header : [header[0], `$${variables[at]}`]));
}

/** The same for headers as the option takes them: `X-Api-Key: $SEAWORTHY_HEADER_X_API_KEY`. */
export function hiddenHeaderTexts(texts: readonly string[]): readonly string[] {
  return hiddenHeaders(texts.map(headerOf)).map((header) => header.join(': '));
}

/** The values of the variables that stand for these headers. */
export function headerValues(headers: readonly Header[]): Readonly<Record<string, string>> {
  const variables = headerVariables(headers.map(([name]) => name));
  const entries = headers.map(([, value], at) => [variables[at], value] as const);
  return Object.fromEntries(entries.filter(([variable]) => variable !== undefined));
}

/**
 * What is shown in place of the values of headers in any other text; of `Bearer <token>` the token alone is looked for,
 * too.
 */
export function headerStandIns(headers: readonly Header[]): readonly StandIn[] {
  const values = Object.entries(headerValues(headers)).filter(([, value]) => value !== '');
  return [
    ...values.map(([variable, value]) => ({ secret: value, shown: `$${variable}` })),
    ...values.flatMap(([variable, value]) => {
      const [, credentials] = /^\w+ (\S{6,})$/.exec(value) ?? [];
      return credentials === undefined ? [] : [{ secret: credentials, shown: `\${${variable}#* }` }];
    }),
  ];
}

/** A header as the option takes it, where it is one. */
export function headerOf(text: string): Header {
  const [name = '', ...rest] = text.split(':');
  return [name, rest.join(':').trim()];
}
