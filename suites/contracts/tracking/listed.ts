import fc from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { type ContractSuite, serviceCheck, Unproven } from '../../check.ts';
import { rowOf } from '../../service/operationCases.ts';
import type { TrackedNumber } from '../../service/trackingBody.ts';
import { isListed, isTaken, itemsOf, track, untilThere, counts, judgeOutcome } from './trackingRun.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';

/** The lists of the contract beside those of webhooks and notifications, and the requirement that asks for each. */
export const lists = [
  ['tracked', 'LST-3'],
  ['records', 'LST-4'],
  ['units', 'LST-5'],
] as const satisfies ContractSuite['lists'];

/** Section 4.3: what is tracked is listed. */
export const listed = serviceCheck<{ operationId: string; tracked: TrackedNumber }>({
  id: 'service/lists/tracked',
  title: 'lists tracking requests, shipments and containers',
  requirements: ['LST-3', 'LST-4', 'LST-5'],
  about: ['tracking'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: ({ contract, trackable }) =>
    lists.flatMap(([role]) =>
      trackable
        .slice(0, 1)
        .map((tracked) => fc.constant({ operationId: contract.operation(role).operationId, tracked })),
    ),
  run: async (kit, { operationId, tracked }) => {
    const [role, requirement] = rowOf(kit.terms, operationId, lists);
    // The request itself shows its number; the records that came of it may go by others.
    const isThere = async (): Promise<boolean> =>
      role === 'tracked' ? isListed(kit, role, tracked) : (await itemsOf(kit, role)).length > 0;
    if (await isThere()) return undefined;
    const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
    const call = await track(kit, tracked);
    if (!isTaken(kit, call)) throw new Unproven(`the tracking request was not taken: ${describeAnswer(call.answer)}`);
    const outcome = await untilThere(kit, webhook, isThere);
    // Where there are no records at all, it is not the list that is to blame.
    if (role !== 'tracked' && (await counts(kit)).every((count) => count === 0)) {
      throw new Unproven('neither a shipment nor a container came of the tracking request');
    }
    return judgeOutcome(kit, outcome, call, { requirement, expected: 'what is tracked is listed' });
  },
  hint: 'List everything that the account tracks, and leave nothing out that was just created.',
});
