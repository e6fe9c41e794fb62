import fc from 'fast-check';

import { shippingLineScacs } from '../../../generators/contracts/tracking/tradeNumbers.ts';
import type { Json } from '../../../generators/json/json.ts';
import { withPointer } from '../../../generators/json/jsonPointer.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';
import { describeAnswer } from '../../answer.ts';
import { type ContractSuite, serviceCheck, Unobservable, Unproven } from '../../check.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import { rowOf } from '../../service/operationCases.ts';
import { type TrackedNumber, trackingBody } from '../../service/trackingBody.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { trackingChecks } from './checks.ts';
import { unknownNumber, wrongScac } from './refusedTracking.ts';
import { trackedAcrossRestart } from './trackedAcrossRestart.ts';
import { counts, isListed, isTaken, itemsOf, judgeOutcome, track, untilThere } from './trackingRun.ts';

/** The lists of the contract beside those of webhooks and notifications, and the requirement that asks for each. */
const lists = [
  ['tracked', 'LST-3'],
  ['records', 'LST-4'],
  ['units', 'LST-5'],
] as const satisfies ContractSuite['lists'];

/** Section 4.3: what is tracked is listed. */
const listed = serviceCheck<{ operationId: string; tracked: TrackedNumber }>({
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

/** Section 4.3: the carrier's SCAC is inferred from a number. */
const inferred = serviceCheck<TrackedNumber>({
  id: 'service/inference/carrier',
  title: "infers the carrier's SCAC from a tracking number",
  requirements: ['INF-1'],
  about: ['tracking', 'operation:infer'],
  needs: ['trackable'],
  weight: 0.05,
  cases: ({ trackable }) => trackable.slice(0, 5).map((tracked) => fc.constant(tracked)),
  run: async (kit, { number, issuer: scac }) => {
    const call = await kit.call('infer', { body: { [kit.assumption('inferNumber.member')]: number } });
    const { method, path } = call.request;
    if (kit.missing(call)) {
      throw new Unobservable(
        `the service does not offer ${method} ${path}; --assume 'inferNumber=POST <path>' says where it infers the carrier`,
      );
    }
    if (kit.refused(call)) {
      throw new Unobservable(
        `the service refused ${method} ${path} (${describeAnswer(call.answer)}); --assume inferNumber.member=<name> names the member that holds the number`,
      );
    }
    const json = kit.json(call);
    if (kit.succeeded(call) && json !== undefined && holds(json, scac)) return undefined;
    if (!/^[A-Z]/i.test(number)) throw new Unproven(`the number ${number} has no letters that would identify its line`);
    return finding('INF-1', {
      expected: `JSON that holds the SCAC ${scac} for the number ${number}`,
      actual:
        json === undefined
          ? `${describeAnswer(call.answer)}, without JSON`
          : `${describeAnswer(call.answer)}, without that SCAC`,
      exchanges: [call],
    });
  },
  hint: 'Infer the line from the beginning of the number, and answer with its SCAC.',
});

function holds(value: Json, text: string): boolean {
  if (typeof value === 'string') return value === text;
  return typeof value === 'object' && value !== null && Object.values(value).some((each: Json) => holds(each, text));
}

/** The checks of the tracking service alone: of numbers that are tracked, and what comes of them. */
export const trackingSuite: ContractSuite = {
  checks: [inferred, ...trackingChecks, listed, unknownNumber, wrongScac, trackedAcrossRestart],
  after: {
    'service/sender-addresses/published': ['service/inference/carrier', 'service/tracking/found-means-records'],
    'service/load/slow-beside-fast': [
      'service/tracking/taken',
      'service/tracking/records',
      'service/tracking/visible',
      'service/lists/tracked',
      'service/tracking/unknown-number',
      'service/tracking/wrong-scac',
    ],
    'service/crashes/just-raised': ['service/tracking/across-a-restart'],
  },
  lists,
  calls: {
    infer: (kit) => ({ body: { [kit.assumption('inferNumber.member')]: numberOf(kit).number } }),
    // Idle is what asks for nothing that could be tracked.
    track: (kit) => {
      const { members, wrapper } = trackingTerms(kit.terms);
      const body = trackingBody(kit.terms, numberOf(kit));
      return { body, idle: withPointer(body, wrapper + members.number, null) };
    },
  },
};

/** A number that looks like one, where the user gave none. */
function numberOf({ trackable: [given] }: ServiceKit): TrackedNumber {
  if (given !== undefined) return given;
  const issuer = itemOf(shippingLineScacs, 0);
  return { issuer, number: `${issuer}123456789` };
}
