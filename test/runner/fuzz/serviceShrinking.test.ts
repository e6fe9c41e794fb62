import { describe, expect, test } from 'vitest';

import type { DrawnStep } from '../../../runner/fuzz/gene.ts';
import type { Answering, ServiceStep } from '../../../suites/fuzz/service/steps.ts';
import { drawnLike, settledService } from './settledService.ts';
import { isProof } from '../../proof/testReceiver.ts';

const fault = 'gives-up-on-410';

/** Milliseconds that there are to shrink a sequence: far more than that takes, for a busy machine is no failure. */
const ample = 500_000;

function isRefusedAsGone(times: number, { refusals }: Answering): boolean {
  const [first] = refusals;
  return refusals.length === 1 && first!.times === times && first!.by.do === 'respond' && first!.by.status === 410;
}

/** A webhook with much that does not matter, among it a url of a webhook that was never made, and an event for it. */
function elaborate(): readonly DrawnStep[] {
  const creation = drawnLike(
    'create',
    (step) =>
      step.at === 'a' &&
      step.active &&
      step.headers.length === 1 &&
      step.events?.length === 2 &&
      isRefusedAsGone(2, step),
  );
  return [creation, emissionFor(creation)];
}

/** A webhook that is made inactive, and then activated. */
function activated(): readonly DrawnStep[] {
  const creation = drawnLike(
    'create',
    (step) => step.at === null && !step.active && isRefusedAsGone(1, step) && step.headers.length === 0,
  );
  const { slot } = creation.step as ServiceStep & { readonly do: 'create' };
  const isActivation = (step: ServiceStep & { readonly do: 'update' }): boolean =>
    step.slot === slot && step.active === true && Object.keys(step).length === 3;
  return [creation, drawnLike('update', isActivation), emissionFor(creation)];
}

/** Something happens that the webhook subscribes to. */
function emissionFor({ step }: DrawnStep): DrawnStep {
  const { events } = step as ServiceStep & { readonly do: 'create' };
  return drawnLike('emit', (emission) => emission.events.every((event) => events?.includes(event)));
}

/** Which events those of the smallest sequence are depends on the lane in which it was played. */
function withoutEvents(steps: readonly string[] = []): readonly string[] {
  return steps.map((step) => step.replaceAll(/(?:container|shipment|tracking_request)\.[\w.]+/g, 'EVENT'));
}

describe('what is reported of a sequence that a faulty service fails on', { timeout: 600_000 }, () => {
  const sleeping = activated();

  test.runIf(isProof)('is one refusal, at a url of its own', async (context) => {
    const reported = await settledService(fault, elaborate(), ample, context);
    expect(reported).toMatchObject({ cause: 'not-retried', found: 2, outcome: 'failed' });
    expect(reported?.cut).toBeUndefined();
    expect(withoutEvents(reported?.steps)).toMatchInlineSnapshot(`
      [
        "create webhook a for EVENT; it answers 410, then 200",
        "let EVENT happen",
      ]
    `);
  });

  test('is an active webhook that needs no update', async (context) => {
    const reported = await settledService(fault, sleeping, ample, context);
    expect(withoutEvents(reported?.steps)).toMatchInlineSnapshot(`
      [
        "create webhook a for EVENT; it answers 410, then 200",
        "let EVENT happen",
      ]
    `);
  });

  test('is said not to be the smallest where the time was up', async (context) => {
    const reported = await settledService(fault, sleeping, 0, context);
    expect(reported).toMatchObject({ found: 3, cut: true });
    expect(reported?.steps).toHaveLength(3);
  });
});
