import fc from 'fast-check';

import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck } from '../../check.ts';
import { expectAnswered, expectIllegalRefused } from './hostile.ts';

interface Rewriting {
  readonly name: string;
  /** The body's text, changed. `scale` is generated: how deep, how long, how many. */
  readonly rewrite: (text: string, scale: number) => string;
}

/** RFC 8259: what is no JSON is refused, whatever it does to a parser. */
export const malformedJson = receiverCheck<{ notification: Notification; rewriting: Rewriting; scale: number }>({
  id: 'receiver/robustness/malformed-json',
  title: 'refuses malformed JSON, and goes on serving',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: (draw) => malformed.map((rewriting) => rewritten(draw.notification(), rewriting, 40)),
  run: (kit, { notification, rewriting, scale }) => {
    const delivery = kit.compose(notification, {
      rewrite: (body) => Buffer.from(rewriting.rewrite(body.toString(), scale)),
    });
    return expectIllegalRefused(kit, delivery, rewriting.name);
  },
  hint: 'Catch the error of the JSON parser and answer 400. An uncaught one ends in a 500, or ends the process.',
});

/** Legal JSON that no service sends: any answer will do, but the receiver must live on unharmed. */
export const unusualJson = receiverCheck<{ notification: Notification; rewriting: Rewriting; scale: number }>({
  id: 'receiver/robustness/unusual-json',
  title: 'survives deep nesting, __proto__ members and extreme values in the body',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: (draw) => unusual.map((rewriting) => rewritten(draw.notification(), rewriting, 50_000)),
  run: (kit, { notification, rewriting, scale }) =>
    expectAnswered(
      kit,
      kit.compose(notification, { rewrite: (body) => Buffer.from(rewriting.rewrite(body.toString(), scale)) }),
      rewriting.name,
    ),
  hint:
    'Do not merge bodies into objects of your own (__proto__ then changes every object of the process), and do not walk ' +
    'them with a recursion that has no bound.',
});

const malformed: readonly Rewriting[] = [
  { name: 'the body ends early', rewrite: (text, scale) => text.slice(0, -1 - (scale % (text.length - 1))) },
  { name: 'a comma before the last brace', rewrite: (text) => text.replace(/\}$/, ',}') },
  { name: 'text behind the value', rewrite: (text) => `${text} x` },
  { name: 'single quotes', rewrite: (text) => text.replaceAll('"', "'") },
  { name: 'an unclosed string', rewrite: (text) => text.replace(/\}$/, ',"x":"}') },
  { name: 'a comment', rewrite: (text) => `/* x */${text}` },
  { name: 'opening brackets without an end', rewrite: (_text, scale) => '['.repeat(scale * 500 + 1) },
];

const unusual: readonly Rewriting[] = [
  { name: 'NaN as a value', rewrite: (text) => member(text, 'x', 'NaN') },
  {
    name: 'deep nesting in a member',
    rewrite: (text, scale) => member(text, 'x', '['.repeat(scale) + ']'.repeat(scale)),
  },
  {
    name: 'deeply nested objects',
    rewrite: (text, scale) => member(text, 'x', `${'{"a":'.repeat(scale)}1${'}'.repeat(scale)}`),
  },
  { name: 'a __proto__ member', rewrite: (text) => member(text, '__proto__', poison(text)) },
  {
    name: 'a constructor.prototype member',
    rewrite: (text) => member(text, 'constructor', `{"prototype":${poison(text)}}`),
  },
  {
    name: 'a __proto__ member in the data',
    rewrite: (text) =>
      text.replace('{"', `{"__proto__":${poison(text)},"`).replace(/:\{"/, `:{"__proto__":${poison(text)},"`),
  },
  { name: 'a number beyond every range', rewrite: (text, scale) => member(text, 'x', `1e${scale + 400}`) },
  { name: 'a number of many digits', rewrite: (text, scale) => member(text, 'x', '9'.repeat(scale + 20)) },
  {
    name: 'many members',
    rewrite: (text, scale) => member(text, 'x', `{${Array.from({ length: scale }, (_, n) => `"m${n}":0`).join()}}`),
  },
  { name: 'a long member name', rewrite: (text, scale) => member(text, 'n'.repeat(scale + 1), '0') },
  { name: 'an empty member name', rewrite: (text) => member(text, '', '0') },
];

/** Members that would change what the receiver reads from other bodies, were they to end up on a prototype. */
function poison(text: string): string {
  const names = new Set([...text.matchAll(/"([a-z_]+)":/g)].map(([, name]) => name));
  return `{${[...names].map((name) => `"${name}":"polluted"`).join()}}`;
}

function member(text: string, name: string, value: string): string {
  return text.replace(/\}$/, `,${JSON.stringify(name)}:${value}}`);
}

function rewritten(notification: fc.Arbitrary<Notification>, rewriting: Rewriting, largest: number) {
  return fc.record({ notification, rewriting: fc.constant(rewriting), scale: largeNat(largest) });
}
