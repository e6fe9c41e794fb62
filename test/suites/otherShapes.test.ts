import fc from 'fast-check';
import { expect, it } from 'vitest';

import { deliveryId } from '../../generators/notification/namedNotification.ts';
import { notification, withId, type Notification } from '../../generators/notification/notification.ts';
import { newId } from '../../runner/receiver/freshDelivery.ts';
import { loadContract } from '../../spec/contract.ts';
import { hasForm } from '../../spec/delivery.ts';
import type { Draw } from '../../suites/draw.ts';
import { describeForm, respelling, sparing } from '../../suites/receiver/signature/respelling.ts';
import { isNonsense, spoilings, spoilt } from '../../suites/receiver/spoiling.ts';
import type { CaseKind, ReceiverCheck } from '../../suites/check.ts';
import { anyText } from '../../suites/receiver/acceptance/allowedForms.ts';
import { unknownMembers } from '../../suites/receiver/acceptance/unknownMembers.ts';
import { beyondAscii } from '../../suites/receiver/signature/genuineSignatures.ts';
import { namesakes, type Change } from '../../suites/receiver/namesakes.ts';
import { openContract } from '../../runner/options/openContract.ts';

/** A contract of few words: where ids stand, and what they look like. */
function contractWith(id: string, schema = '{ type: object }') {
  const event = '{ at: $request.header.X-Event }';
  return loadContract({
    contract: `{ contract: 1, title: Till, event: ${event}, id: ${id}, events: { sale: ${schema} } }`,
  });
}

const inHeader = contractWith('{ at: $request.header.X-Id, form: "[0-9]{1,3}" }');

const stillJson = ['the body is JSON without an id', 'the body is an empty JSON object', 'the body is a JSON number'];
const illegal = spoilings.filter((each) => !stillJson.includes(each));

it.each(['{}', '[]', '[1,2]', '7', '42', 'true', '"text"', '{"a":[]}'])(
  'spoils the body %s, or sees that it did not',
  (text) => {
    const harmless = illegal.filter((each) => !isNonsense(inHeader, each, spoilt(Buffer.from(text), each, undefined)));
    expect(harmless).toEqual(text === '42' ? ['the body ends in the middle'] : []);
  },
);

it('puts a second id or event only where none stands', () => {
  const stripe = openContract({ contract: 'stripe' });
  const [event] = stripe.events;
  const [drawn] = fc.sample(notification(stripe, event), { numRuns: 1, seed: 1 }) as [Notification];
  const fitting = namesakes(stripe).filter(({ fits }) => fits?.(drawn) ?? true);
  expect(fitting.length).toBeGreaterThan(3);
  expect(namesakes(stripe).filter(({ words }) => /(in|of) ?,/.test(words))).toEqual([]);
  for (const { apply } of fitting) {
    const { id, type, object } = apply(drawn, 'evt_other').value as Record<string, unknown>;
    expect({ id, type, object }).toEqual(expect.objectContaining({ type: event.name, object: 'event' }));
    expect(id).not.toBe('evt_other');
  }
});

it.each([
  ['a closed object', '{ type: object, additionalProperties: false, properties: { no: { type: integer } } }', 0],
  [
    'a closed object around an open one',
    '{ type: object, additionalProperties: false, required: [of], properties: { of: { type: object } } }',
    50,
  ],
  ['members of one type', '{ type: object, additionalProperties: { type: [integer, string] } }', 50],
])('puts further members only where the contract allows them: %s', (_, schema, least) => {
  const contract = contractWith('{ at: $request.header.X-Id, form: integer }', schema);
  const drawn = (options: object) => notification(contract, contract.events[0], options);
  const memberHolders = ['', '/of'];
  const draw = { contract, memberHolders, judgedSize: 4096, notification: drawn } as unknown as Draw;
  const drawnBy = (check: ReceiverCheck) => check.cases(draw).flatMap(samplesOf) as readonly Drawn[];
  const unknown = drawnBy(unknownMembers).map(({ notification: plain, change }) => change.apply(plain, ''));
  const noted = drawnBy(beyondAscii).map((each) => each.notification);
  expect(unknown.length).toBeGreaterThanOrEqual(least);
  expect([...unknown, ...noted].filter(({ value }) => !contract.events[0].validate(value))).toEqual([]);
});

it('is not observable for texts where none of them may be any text', () => {
  const members = 'unit: { enum: [kg, pc] }, city: { type: string, examples: [Oslo] }';
  const contract = contractWith(
    '{ at: $request.header.X-Id, form: integer }',
    `{ type: object, additionalProperties: false, properties: { ${members} } }`,
  );
  const drawn = (options: object) => notification(contract, contract.events[0], options);
  const draw = { contract, memberHolders: [''], judgedSize: 4096, notification: drawn } as unknown as Draw;
  expect(anyText.cases(draw)).toEqual([]);
});

interface Drawn {
  readonly notification: Notification;
  readonly change: Change;
}

function samplesOf(kind: CaseKind<unknown>): readonly unknown[] {
  return [kind].flat().flatMap((variant) => fc.sample(variant, { numRuns: 5, seed: 1 }));
}

it('writes an id as a number where the schema has one', () => {
  const schema = '{ type: object, required: [no], properties: { no: { type: integer } } }';
  const contract = contractWith('{ at: "$request.body#/no", form: integer }', schema);
  const [id] = fc.sample(deliveryId(contract), { numRuns: 1, seed: 1 }) as [string];
  const [drawn] = fc.sample(notification(contract, contract.events[0]), { numRuns: 1, seed: 1 }) as [Notification];
  expect(withId(contract, drawn, id).value).toMatchObject({ no: Number(id) });
  expect(contract.events[0].validate(withId(contract, drawn, id).value)).toBe(true);
});

it.each([
  [
    'beside other members',
    '{ type: object, properties: { of: { type: object, properties: { no: { type: integer } } } } }',
  ],
  [
    'where its holder may be null',
    '{ properties: { of: { type: [object, "null"], properties: { no: { type: integer } } } } }',
  ],
  [
    'among alternatives',
    '{ oneOf: [{ type: object, properties: { of: { properties: { no: { type: integer } } } } }] }',
  ],
])('writes an id that the schema does not require, %s', (_, schema) => {
  const contract = contractWith('{ at: "$request.body#/of/no", form: integer }', schema);
  const drawn = fc.sample(notification(contract, contract.events[0]), { numRuns: 50, seed: 1 });
  const bodies = drawn.map((each) => withId(contract, each, '123456789').value);
  expect(new Set(bodies.map((body) => (body as { of: { no: unknown } }).of.no))).toEqual(new Set([123456789]));
  expect(bodies.every((body) => contract.events[0].validate(body))).toBe(true);
});

it('writes an id as a text where no schema describes it', () => {
  const contract = contractWith('{ at: "$request.body#/of/no", form: integer }', 'true');
  const drawn = fc.sample(notification(contract, contract.events[0]), { numRuns: 50, seed: 1 });
  const ids = drawn.map((each) => (withId(contract, each, '123456789').value as { of: { no: unknown } }).of.no);
  expect(new Set(ids)).toEqual(new Set(['123456789']));
});

it('spells no whole number and no point of time otherwise, which programs with types read as they stand', () => {
  const members =
    'no: { type: integer }, at: { type: string, format: date-time }, sum: { type: number, minimum: 0.1, maximum: 0.9 }';
  const contract = contractWith(
    '{ at: "$request.body#/no", form: integer }',
    `{ type: object, required: [no, at, sum], properties: { ${members} } }`,
  );
  const draw = { contract, notification: () => notification(contract, contract.events[0]) } as unknown as Draw;
  const drawn = respelling(draw).flatMap((kind) =>
    [kind].flat().flatMap((variant) => fc.sample(variant, { numRuns: 20, seed: 1 })),
  );
  const words = drawn
    .map(({ notification: { value }, form }) => describeForm({ value } as Notification, form))
    .join('\n');
  expect(words).toContain('a number spelled otherwise (exponent) at /sum');
  expect(words).toContain('in the name of /at (a)');
  expect(words).not.toMatch(/(otherwise \(\w+\)|digits) at \/(no|at) /);
  const atFirst = [{ kind: 'number-spelling', at: 0, text: 'exponent' }] as const;
  expect(sparing({ no: 7, sum: 8.5 }, atFirst)).toEqual([]);
  expect(sparing({ sum: 8.5, no: 7 }, atFirst)).toEqual(atFirst);
});

it('spells nothing otherwise in a text that a delivery has its id in place of', () => {
  const schema = '{ type: object, required: [id], properties: { id: { type: string } } }';
  const contract = contractWith('{ at: "$request.body#/id", form: "ntf_[a-z0-9]{20}" }', schema);
  const drawn = (options: object) => notification(contract, contract.events[0], options);
  const kinds = respelling({ contract, notification: drawn } as unknown as Draw);
  const words = kinds
    .flatMap((kind) => [kind].flat().flatMap((variant) => fc.sample(variant, { numRuns: 20, seed: 1 })))
    .map(({ notification: each, form }) => describeForm(each, form));
  expect(words.length).toBeGreaterThan(500);
  expect(words.filter((each) => /non-ASCII|solidus/.test(each))).toEqual([]);
});

it('spells no body otherwise that has nothing to spell', () => {
  const contract = contractWith(
    '{ at: $request.header.X-Id }',
    '{ type: object, properties: { at: { type: integer } } }',
  );
  const drawn = (options: object) => notification(contract, contract.events[0], options);
  const draw = { contract, notification: drawn } as unknown as Draw;
  const forms = respelling(draw)
    .flatMap((kind) => [kind].flat().flatMap((variant) => fc.sample(variant, { numRuns: 20, seed: 1 })))
    .map(({ form }) => form.length);
  expect(Math.min(...forms)).toBe(1);
});

it('knows a number for an id of its form', () => {
  expect([hasForm(590378172141093, '[1-9][0-9]{8,14}'), hasForm(1.5, '.*'), hasForm(null, '.*')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('knows any whole number for an id, be it as short as a service begins to count', () => {
  expect([1, 17, '17', 590378172141093].map((id) => hasForm(id, 'integer'))).toEqual([true, true, true, true]);
  expect([1.5, -1, '017', 'a17', null].map((id) => hasForm(id, 'integer'))).toEqual(Array(5).fill(false));
});

it('gives no two deliveries the same id, and says when none is left', () => {
  const made = Array.from({ length: 300 }, () => newId(inHeader));
  expect(new Set(made).size).toBe(300);
  expect(() => Array.from({ length: 2000 }, () => newId(inHeader))).toThrow(/no further id of the form/);
});
