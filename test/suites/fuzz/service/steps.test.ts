import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';

import { serviceModel } from '../../../../suites/fuzz/service/index.ts';
import type { CreateStep, ServiceStep } from '../../../../suites/fuzz/service/steps.ts';
import { drawOf, stepOf } from './drawnSequences.ts';
import { create } from './sequences.ts';

const living = { processControl: true, alone: true };
const draw = { ...drawOf(0), trackable: [{ issuer: 'ABCD', number: 'NUMBER' }] };
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
    const beside = names({ processControl: false, alone: false });
    expect(beside).toEqual(expect.arrayContaining(['create', 'update', 'emit', 'trigger', 'await', 'list']));
    expect(names(living).filter((name) => !beside.includes(name))).toEqual(['track', 'kill', 'stop', 'pause']);
    expect(names({ processControl: false, alone: false }, { ...draw, events: [] })).not.toContain('emit');
  });

  test('hold process control of the service where they end or freeze it', () => {
    const held = kinds.filter(({ steps }) =>
      serviceModel.controlsProcess(fc.sample(steps, { seed: 1, numRuns: 1 })[0]!),
    );
    expect(held.map(({ kind }) => kind)).toEqual(['kill', 'stop', 'pause']);
  });

  test('are described for people', () => {
    const once = { times: 1, by: { do: 'respond', status: 503, delay: 40 } } as const;
    const twice = { times: 2, by: { do: 'reset', when: 'before' } } as const;
    const steps: readonly ServiceStep[] = [
      create({ headers: [{ name: 'X-Team', value: 'sea' }], refusals: [once, twice] }),
      create({ slot: 'b', at: 'a', active: false }),
      { do: 'update', slot: 'a', active: false, url: { refusals: [], status: 204 } },
      { do: 'emit', events: ['container.created', 'container.updated'] },
      { do: 'trigger', event: 'container.created', secret: null, at: 'a' },
      { do: 'await', slot: 'a', attempt: 2 },
      { do: 'list', what: 'notifications' },
      { do: 'page', size: 2 },
      { do: 'kill', ms: 10 },
    ];
    expect(steps.map((step, at) => serviceModel.describe(step, steps.slice(0, at))).join('\n')).toMatchInlineSnapshot(`
      "create webhook a for container.transport.vessel_arrived, with X-Team: sea; it answers 503 after 40 ms, then with a connection that broke before any answer 2 times, then 200
      create inactive webhook b for container.transport.vessel_arrived; its url is that of a
      update webhook a: inactive; at another url, which answers 204
      let container.created, container.updated happen at the same moment
      ask for a sample of container.created to the url of webhook a, without a secret
      wait for attempt 2 at webhook a
      list the notifications
      page through the newest notifications, 2 a page
      kill the service and start it after 10 ms"
    `);
  });

  test('say nothing of a webhook that is not there', () => {
    const refused = { refusals: [{ times: 2, by: { do: 'respond', status: 410 } }], status: 200 } as const;
    const neighbour = create({ slot: 'b', at: 'a', ...refused });
    const after = (...before: readonly ServiceStep[]): string =>
      serviceModel.describe(neighbour, before).replace(/^.*; /, '');
    expect(after()).toBe('it answers 410 2 times, then 200');
    expect(after(create({ slot: 'c' }))).toBe('it answers 410 2 times, then 200');
    expect(after(create())).toBe('its url is that of a');
    expect(after(create(), { do: 'remove', slot: 'a' })).toBe(
      'its url is that of a, or one of its own where a is deleted: it answers 410 2 times, then 200',
    );
    const update: ServiceStep = { do: 'update', slot: 'b', active: true };
    expect(serviceModel.describe(update, [create()])).toBe(
      'update webhook b: active (left out: there is no webhook b)',
    );
    expect(serviceModel.describe(update, [neighbour])).toBe('update webhook b: active');
  });

  test('a creation shrinks towards the plainest one, whatever it was drawn like', () => {
    const { steps } = kinds.find(({ kind }) => kind === 'create')!;
    const random = new fc.Random(xoroshiro128plus(3));
    const odd = (step: Partial<CreateStep>): boolean =>
      step.at !== null && step.active === false && step.headers!.length > 0 && step.refusals![0]?.times === 13;
    let value = steps.generate(random, undefined);
    while (!odd(value.value as Partial<CreateStep>)) value = steps.generate(random, undefined);
    const smaller = [...steps.shrink(value.value, value.context)].map((each) => each.value);
    const [first] = (value.value as CreateStep).refusals;
    for (const plainer of [{ at: null }, { active: true }, { headers: [] }, { refusals: [] }])
      expect(smaller).toContainEqual({ ...value.value, ...plainer });
    for (const times of [1, 7, 10, 12])
      expect(smaller).toContainEqual({ ...value.value, refusals: [{ ...first, times }] });
  });
});
