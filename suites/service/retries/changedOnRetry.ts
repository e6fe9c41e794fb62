import type { ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { jsonMismatch, methodMismatch } from '../attemptMismatch.ts';
import { memberMismatch, type Mismatch, shapeMismatch } from '../bodyMismatch.ts';
import { broken } from '../broken.ts';
import { judgeSignature } from '../signing.ts';
import type { RequirementId } from '../../../spec/names.ts';

type Judge = (kit: ServiceKit, caught: Caught) => Mismatch | undefined;

/** What holds for each attempt, by the requirements that say so. */
const judges: readonly (readonly [requirements: RequirementId | readonly RequirementId[], judge: Judge])[] = [
  [['SVC-2', 'DLV-1'], methodMismatch],
  ['DLV-1', jsonMismatch],
  ['NTF-1', shapeMismatch],
  ['NTF-4', (kit, caught) => memberMismatch(kit, caught, 'type')],
  ['NTF-5', (kit, caught) => memberMismatch(kit, caught, 'event')],
  ['NTF-6', (kit, caught) => memberMismatch(kit, caught, 'status')],
  ['NTF-8', (kit, caught) => memberMismatch(kit, caught, 'included')],
];

/** The first delivery of a notification, and its retries. */
export interface Retried {
  readonly webhook: Webhook;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly first: Caught;
  readonly retries: readonly Caught[];
}

/**
 * What the contract says of every delivery, tested on the retries of one notification. What is wrong with the first delivery
 * already is for the checks of first deliveries to say.
 *
 * @returns nothing where the retries are right
 */
export function changedOnRetry(kit: ServiceKit, retried: Retried): ServiceFinding | undefined {
  const { first, retries } = retried;
  for (const [requirement, judge] of judges) {
    if (judge(kit, first)) continue;
    for (const retry of retries) {
      const mismatch = judge(kit, retry);
      if (mismatch) return onRetry(requirement, mismatch, [first, retry]);
    }
  }
  return elsewhere(retried) ?? renamed(kit, retried) ?? otherwiseSigned(kit, retried) ?? withoutHeader(kit, retried);
}

function onRetry(
  requirement: RequirementId | readonly RequirementId[],
  { expected, actual }: Mismatch,
  exchanges: readonly [first: Caught, retry: Caught],
): ServiceFinding {
  return broken(requirement, {
    expected: `${expected} in the retry as in the first delivery`,
    actual: `${actual}, in attempt ${exchanges[1].number}`,
    exchanges,
  });
}

/** Section 4.4: a retry goes to the registered URL, as the first attempt did. */
function elsewhere({ first, retries }: Retried): ServiceFinding | undefined {
  const retry = retries.find(({ path }) => path !== first.path);
  const mismatch = { expected: `the path is ${first.path}`, actual: `it is ${retry?.path}` };
  return retry && onRetry('SVC-2', mismatch, [first, retry]);
}

function renamed(kit: ServiceKit, { first, retries }: Retried): ServiceFinding | undefined {
  const event = kit.delivered(first, 'event');
  const retry = retries.find((each) => kit.delivered(each, 'event') !== event);
  if (retry === undefined || typeof event !== 'string') return undefined;
  const actual = `it names ${String(kit.delivered(retry, 'event'))}`;
  return onRetry('NTF-5', { expected: `the event is ${event}`, actual }, [first, retry]);
}

function withoutHeader(kit: ServiceKit, { headers, first, retries }: Retried): ServiceFinding | undefined {
  for (const { name, value } of headers.filter((each) => kit.header(first, each.name) === each.value)) {
    const retry = retries.find((each) => kit.header(each, name) !== value);
    const actual = retry && (kit.header(retry, name) ?? 'nothing');
    if (retry)
      return onRetry('WHK-10', { expected: `it carries ${name}: ${value}`, actual: `it carries ${actual}` }, [
        first,
        retry,
      ]);
  }
  return undefined;
}

function otherwiseSigned(kit: ServiceKit, { webhook, first, retries }: Retried): ServiceFinding | undefined {
  if (typeof webhook.secret !== 'string' || judgeSignature(kit, first, { webhook, others: [] }).finding)
    return undefined;
  const findings = retries.flatMap((retry) => judgeSignature(kit, retry, { webhook, others: [] }).finding ?? []);
  return findings[0] && { ...findings[0], twin: first, difference: 'it is a retry' };
}
