import { isRecord } from '../../../../spec/jsonSchema.ts';
import { below } from '../../../../spec/pointer.ts';
import type { WebhookBody } from '../../../../spec/webhookBodies.ts';
import { type Guess, most } from './guess.ts';

/**
 * Where the operation of a webhook holds what a header calls the event, a JSON Pointer: a text of an extension with which the
 * name of the webhook begins. `issues-opened` comes as `issues`, where `x-github: { subcategory: issues }` says so.
 */
export function guessEventValue(bodies: readonly WebhookBody[]): Guess<string> | undefined {
  const found = bodies.flatMap(({ key, extensions }) =>
    textsIn(extensions, '').flatMap(([pointer, text]) => (begins(key, text) ? [{ pointer, text }] : [])),
  );
  const [best] = [...Map.groupBy(found, ({ pointer }) => pointer)].toSorted(([, a], [, b]) => b.length - a.length);
  if (best === undefined || best[1].length < bodies.length * most) return undefined;
  const [pointer, texts] = best;
  return {
    value: pointer,
    why: `the names of webhooks begin with what an extension of their operations says (${texts[0]?.text})`,
  };
}

/** The texts of extensions, and of the mappings that they are. */
function textsIn(value: unknown, pointer: string): readonly (readonly [pointer: string, text: string])[] {
  if (typeof value === 'string') return [[pointer, value]];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, below(pointer, name)));
}

/** Whether a name begins with a text, whatever divides their words. */
function begins(name: string, text: string): boolean {
  const words = (each: string): string =>
    `${each
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .join('-')}-`;
  return text !== '' && words(name).startsWith(words(text));
}
