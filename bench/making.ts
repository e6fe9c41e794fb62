import { createHmac } from 'node:crypto';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { writeJson } from '../generators/index.ts';
import { isJsonObject, type Json } from '../generators/json/json.ts';
import type { CatalogueEvent } from '../spec/contract.ts';
import { parseScheme, signatureHeaders } from '../spec/signature.ts';
import { contract, nextDelivery, nextNotification } from './generate.ts';
import { inTurns, perSecond, type Group } from './group.ts';

/** Milliseconds for which each contender works in a whole round. */
const whole = 300;

const secret = 'bench';
const samples = 200;

/** Making deliveries: what the kit does, beside what it is made of. @param part - of a whole round's time */
export const making = (part: number): Group => ({
  name: 'making',
  how: `The kit's arbitraries beside bare ones of fast-check for values of the same shape and size; its validators beside
Ajv's own for the same schemas; its signatures, texts and whole deliveries beside one HMAC, JSON.stringify, and all three.`,
  unit: 'per second of CPU',
  moreIsBetter: true,
  open: async () => {
    const each = part * whole;
    const values = Array.from({ length: samples }, () => nextNotification());
    const bare = values.map(({ value }) => arbitraryLike(value));
    const bareOf = new Map(contract.events.map((event) => [event.name, bareValidator(event)]));
    const validators = values.map(({ event }) => bareOf.get(event)!);
    const own = values.map(({ event }) => eventNamed(event).validate);
    const bodies = values.map(({ value }) => writeJson(value, []));
    const scheme = parseScheme('hmac-sha256-hex');
    const random = new fc.Random(xoroshiro128plus(1));
    const bareValue = (at: number) => bare[at % samples]!.generate(random, undefined).value_;
    const valueAt = (at: number) => values[at % samples]!.value;
    const mac = (body: Buffer) => createHmac('sha256', secret).update(body).digest('hex');
    const sign = (body: Buffer) => signatureHeaders(scheme, 'X-Signature', { secret, body, id: '', timestamp: 0 });
    return {
      round: inTurns({
        generation: () => perSecond(each, nextNotification),
        'bare fast-check': () => perSecond(each, bareValue),
        validation: () => perSecond(each, (at) => own[at % samples]!(valueAt(at))),
        'bare Ajv': () => perSecond(each, (at) => validators[at % samples]!(valueAt(at))),
        signing: () => perSecond(each, (at) => sign(bodies[at % samples]!)),
        'bare node:crypto': () => perSecond(each, (at) => mac(bodies[at % samples]!)),
        serialising: () => perSecond(each, (at) => writeJson(valueAt(at), [])),
        'JSON.stringify': () => perSecond(each, (at) => Buffer.from(JSON.stringify(valueAt(at)))),
        'whole delivery': () => perSecond(each, nextDelivery),
        'all three': () => perSecond(each, (at) => mac(Buffer.from(JSON.stringify(bareValue(at))))),
      }),
      pairs: [
        ['generation', 'bare fast-check'],
        ['validation', 'bare Ajv'],
        ['signing', 'bare node:crypto'],
        ['serialising', 'JSON.stringify'],
        ['whole delivery', 'all three'],
      ],
    };
  },
});

/** What Prism's opinion of an answer costs. @param part - of a whole round's time */
export const opinions = (part: number): Group => ({
  name: 'opinions',
  how: 'An answer that is given a second opinion by Prism, beside one that the kit reads and checks by its schema.',
  unit: 'per second of CPU',
  moreIsBetter: true,
  open: async () => {
    const { judgedPerSecond, opinionsPerSecond } = await import('./opinions.ts');
    return {
      round: inTurns({
        'second opinion': () => opinionsPerSecond(part * whole),
        'read and validated': () => judgedPerSecond(part * whole),
      }),
      pairs: [['second opinion', 'read and validated']],
    };
  },
});

function eventNamed(wanted: string): CatalogueEvent {
  return contract.events.find(({ name }) => name === wanted)!;
}

/** As somebody would use Ajv who has this schema, all errors reported as the kit wants them. */
function bareValidator({ schema }: CatalogueEvent): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv.compile(schema);
}

/** Values of the same shape: each text is as long, and a UUID stays one. */
function arbitraryLike(value: Json): Arbitrary<Json> {
  if (typeof value === 'string') {
    if (/^[0-9a-f-]{36}$/i.test(value)) return fc.uuid();
    return fc.string({ minLength: value.length, maxLength: value.length });
  }
  if (typeof value === 'number') return Number.isInteger(value) ? fc.integer() : fc.double({ noNaN: true });
  if (typeof value === 'boolean') return fc.boolean();
  if (value === null) return fc.constant(null);
  if (!isJsonObject(value)) return fc.tuple(...value.map(arbitraryLike));
  return fc.record(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, arbitraryLike(member)])));
}
