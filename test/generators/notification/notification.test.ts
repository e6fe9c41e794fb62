import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fromPointer, notification, valueAt, type Json, type Notification } from '../../../generators/index.ts';
import { valuesAt } from '../../../generators/schema/schemaReference.ts';
import { loadContract, type CatalogueEvent } from '../../../spec/contract.ts';
import { obeysTheLaws } from '../laws.ts';

const contract = loadContract();
const members = contract.delivery.members as Required<typeof contract.delivery.members>;
const first = contract.events[0] as CatalogueEvent;

const draw = (event: CatalogueEvent, options = {}, numRuns = 100): Notification[] =>
  fc.sample(notification(contract, event, options), { seed: 11, numRuns });
const compact = ({ value }: Notification): string => JSON.stringify(value);
const bytesOf = (one: Notification): number => Buffer.byteLength(compact(one));
const resourcesOf = ({ value }: Notification): readonly Json[] => (valueAt(value, members.included) ?? []) as Json[];

const textAt = (value: Json, pointer: string): string => valueAt(value, pointer) as string;
const identityOf = (resource: Json): string => `${textAt(resource, '/type')} ${textAt(resource, '/id')}`;

function isNotification(event: CatalogueEvent): (one: Notification) => boolean {
  return (one) => {
    const survivesJson = JSON.stringify(JSON.parse(compact(one))) === compact(one);
    const resources = resourcesOf(one);
    const areValid = resources.every((resource) =>
      event.included.some(({ type, validate }) => valueAt(resource, '/type') === type && validate(resource)),
    );
    return (
      survivesJson &&
      areValid &&
      event.validate(one.value) &&
      one.event === event.name &&
      valueAt(one.value, members.event) === event.name
    );
  };
}

// Their schemas share nearly everything.
for (const event of contract.events.filter((_, place) => place % 4 === 0)) {
  obeysTheLaws(`notification of ${event.name}`, {
    arbitrary: () => notification(contract, event),
    isValid: isNotification(event),
    draws: 30,
  });
}
obeysTheLaws('notification with everything that is allowed', {
  arbitrary: () =>
    notification(contract, first, { text: 'unicode', nul: true, numbers: 'any', statuses: 'any', timestamps: 'any' }),
  isValid: isNotification(first),
  draws: 60,
});
obeysTheLaws('notification without resources', {
  arbitrary: () => notification(contract, first, { included: 'none' }),
  isValid: (one) => isNotification(first)(one) && resourcesOf(one).length === 0,
});
obeysTheLaws('notification of a size', {
  arbitrary: () => notification(contract, first, { included: { bytes: 5000 } }),
  isValid: (one) => isNotification(first)(one) && bytesOf(one) === 5000,
  draws: 40,
});

describe('a plain notification', () => {
  test.each(contract.events)('of $name is ASCII, pending, and of usual size', (event) => {
    for (const one of draw(event, {}, 40)) {
      expect(compact(one)).toMatch(/^[ -~]+$/);
      expect(valueAt(one.value, members.status)).toBe('pending');
      expect(valueAt(one.value, members.createdAt)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(bytesOf(one)).toBeGreaterThan(200);
      expect(bytesOf(one)).toBeLessThan(5000);
      expect(resourcesOf(one).length).toBeLessThanOrEqual(7);
    }
  });

  test.each(contract.events)('of $name brings the resources that the contract names', ({ name, included }) => {
    const event = contract.events.find((each) => each.name === name) as CatalogueEvent;
    for (const one of draw(event, {}, 40)) {
      const types = resourcesOf(one).map((resource) => valueAt(resource, '/type'));
      for (const { type, least, most } of included) {
        const count = types.filter((each) => each === type).length;
        expect(count).toBeGreaterThanOrEqual(least);
        expect(count).toBeLessThanOrEqual(most);
      }
    }
  });

  test('its resources refer to each other, and to nothing else', () => {
    for (const event of contract.events) {
      for (const one of draw(event, {}, 20)) {
        const resources = resourcesOf(one);
        const identities = resources.map(identityOf);
        expect(new Set(identities).size).toBe(identities.length);
        const references = resources.flatMap((resource) =>
          Object.values((valueAt(resource, '/relationships') ?? {}) as Record<string, { data: Json }>).flatMap(
            ({ data }) => data,
          ),
        );
        expect(references.length).toBe(2 * Math.max(0, resources.length - 1));
        for (const reference of references) {
          expect(identities).toContain(identityOf(reference));
        }
      }
    }
  });

  test('shrinks to little', () => {
    for (const event of contract.events) {
      const arbitrary = notification(contract, event);
      const { counterexample } = fc.check(
        fc.property(arbitrary, () => false),
        { seed: 3 },
      );
      const [smallest] = counterexample as [Notification];
      const least = event.included.reduce((sum, resource) => sum + resource.least, 0);
      expect(resourcesOf(smallest)).toHaveLength(least);
      expect(resourcesOf(smallest).map((resource) => valueAt(resource, '/attributes'))).toEqual(Array(least).fill({}));
    }
  });

  test('differs from draw to draw', () => {
    expect(new Set(draw(first, {}, 500).map(compact)).size).toBe(500);
  });
});

describe('the options', () => {
  const statuses = valuesAt(first.schema, members.status);

  test('status', () => {
    const drawn = draw(first, { status: 'failed' }).map(({ value }) => valueAt(value, members.status));
    expect(new Set(drawn)).toEqual(new Set(['failed']));
  });

  test('statuses', () => {
    const drawn = draw(first, { statuses: 'any' }).map(({ value }) => valueAt(value, members.status));
    expect(new Set(drawn)).toEqual(new Set(statuses));
  });

  test('timestamps', () => {
    const drawn = draw(first, { timestamps: 'any' }, 200).map(({ value }) => textAt(value, members.createdAt));
    expect(new Set(drawn.map((text) => text.length))).toEqual(new Set([20, 22, 23, 24, 25, 26, 27]));
  });

  test('text', () => {
    const drawn = draw(first, { text: 'unicode' }, 300).map(compact).join('');
    for (const sought of ['\u2028', '\u2029', '\\"', '\\\\', '/', '\\u0001', '\u007f', '😀', '\u0301', 'ש', '\\n']) {
      expect(drawn).toContain(sought);
    }
    expect(drawn).not.toContain('\\u0000');
    expect(drawn.isWellFormed()).toBe(true);
    expect(draw(first, { text: 'unicode', nul: true }, 300).map(compact).join('')).toContain('\\u0000');
  });

  test('included: none is no list, or an empty one', () => {
    const [data] = fromPointer(members.id);
    const shapes = draw(first, { included: 'none' }).map(({ value }) => Object.keys(value as object).join());
    expect(new Set(shapes)).toEqual(new Set([data, `${data},${fromPointer(members.included).join()}`]));
  });

  test.each([0, 100, 400, 1000, 2000, 65_536, 1_048_576, 2_000_000])('included: at most %i bytes', (bytes) => {
    const smallest = Math.max(...draw(first, { included: { bytes: 0 } }, 5).map(bytesOf));
    const drawn = draw(first, { included: { bytes } }, 5);
    expect(drawn.filter((one) => bytesOf(one) > Math.max(bytes, smallest))).toEqual([]);
    expect(drawn.every(isNotification(first))).toBe(true);
  });

  test.each([4000, 65_536, 2_000_000])('included: %i bytes exactly, where there is room', (bytes) => {
    const sizes = draw(first, { included: { bytes } }, 5).map(bytesOf);
    expect(new Set(sizes)).toEqual(new Set([bytes]));
  });

  test('a size in bytes counts bytes, not characters', () => {
    const sizes = draw(first, { text: 'unicode', included: { bytes: 20_000 } }, 20).map(bytesOf);
    expect(new Set(sizes)).toEqual(new Set([20_000]));
  });

  test.each(['a', 'é', '€', '😀'])('a size in bytes may be that of one text, of the character %s', (of) => {
    const drawn = draw(first, { included: { bytes: 20_001, of } }, 5);
    expect(new Set(drawn.map(bytesOf))).toEqual(new Set([20_001]));
    for (const one of drawn)
      expect(JSON.stringify(one.value).split(of).length).toBeGreaterThan(10_000 / Buffer.byteLength(of));
  });

  test('repeated resources have identities of their own', () => {
    const resources = resourcesOf(draw(first, { included: { bytes: 300_000 } }, 1)[0] as Notification);
    expect(resources.length).toBeGreaterThan(50);
    expect(new Set(resources.map((resource) => valueAt(resource, '/id'))).size).toBe(resources.length);
  });
});
