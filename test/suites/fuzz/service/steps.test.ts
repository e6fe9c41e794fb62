import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';

import { serviceModel } from '../../../../suites/fuzz/service/index.ts';
import { drawOf, stepOf } from './drawnSequences.ts';

const living = { life: true, alone: true };
const draw = { ...drawOf(0), trackable: [{ scac: 'ABCD', number: 'NUMBER' }] };
const kinds = serviceModel.kinds(draw, living);

describe('steps', () => {
  test('survive JSON unchanged', () => {
    fc.assert(
      fc.property(stepOf(draw, living), (step) => {
        expect(JSON.parse(JSON.stringify(step))).toEqual(step);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each(kinds.map((kind) => [kind.kind, kind] as const))('%s shrinks to an end, step by step', (name, kind) => {
    const random = new fc.Random(xoroshiro128plus(1));
    let value = kind.steps.generate(random, undefined);
    for (let count = 0; ; count += 1) {
      expect(value.value).toMatchObject({ do: name });
      const [next] = kind.steps.shrink(value.value, value.context);
      if (next === undefined) break;
      expect(count).toBeLessThan(500);
      value = next;
    }
  });

  test('are those that the means of the run allow', () => {
    const names = (means: Parameters<typeof serviceModel.kinds>[1], from = draw) =>
      serviceModel.kinds(from, means).map(({ kind }) => kind);
    const beside = names({ life: false, alone: false });
    expect(beside).toEqual(expect.arrayContaining(['create', 'update', 'emit', 'trigger', 'await', 'list']));
    expect(names(living).filter((name) => !beside.includes(name))).toEqual(['track', 'kill', 'stop', 'pause']);
    expect(names({ life: false, alone: false }, { ...draw, events: [] })).not.toContain('emit');
  });

  test('hold the life of the service where they end or freeze it', () => {
    const held = kinds.filter(({ steps }) => serviceModel.holdsLife(fc.sample(steps, { seed: 1, numRuns: 1 })[0]!));
    expect(held.map(({ kind }) => kind)).toEqual(['kill', 'stop', 'pause']);
  });

  test('are described for people', () => {
    const words = kinds.map(({ steps }) => serviceModel.describe(fc.sample(steps, { seed: 5, numRuns: 1 })[0]!));
    expect(words.join('\n')).toMatchInlineSnapshot(`
      "create webhook b for container.transport.estimated.vessel_arrived, container.transport.vessel_discharged; it answers 200
      send a creation that is wrong in one thing: the member url missing
      update webhook b: inactive; with no headers; at another url, which answers 200
      let container.transport.vessel_arrived, container.transport.vessel_discharged happen at the same moment
      ask for a sample of container.transport.vessel_discharged to the url of webhook a, without a secret
      wait for attempt 3 at webhook b
      list the notifications
      page through the newest notifications, 6 a page
      delete webhook b
      let 114 ms pass
      ask to track a number that is not known
      kill the service and start it after 94 ms
      stop the service and start it after 94 ms
      freeze the service for 94 ms"
    `);
  });
});
