import type { ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { memberMismatch, type Mismatch, shapeMismatch } from '../bodyMismatch.ts';
import { broken } from '../broken.ts';

type Judge = (kit: ServiceKit, caught: Caught) => Mismatch | undefined;

/** What holds for the body of each attempt, by the requirement that says so. */
const judges: readonly (readonly [requirement: string, judge: Judge])[] = [
  ['NTF-1', shapeMismatch],
  ['NTF-4', (kit, caught) => memberMismatch(kit, caught, 'type')],
  ['NTF-5', (kit, caught) => memberMismatch(kit, caught, 'event')],
  ['NTF-6', (kit, caught) => memberMismatch(kit, caught, 'status')],
  ['NTF-8', (kit, caught) => memberMismatch(kit, caught, 'included')],
];

/**
 * What the contract says of every delivered body, held against the retries of one notification. What is wrong with the
 * first delivery already is for `service/notification/*` to say.
 *
 * @returns nothing where the retries are right
 */
export function changedOnRetry(kit: ServiceKit, first: Caught, retries: readonly Caught[]): ServiceFinding | undefined {
  for (const [requirement, judge] of judges) {
    if (judge(kit, first)) continue;
    for (const retry of retries) {
      const mismatch = judge(kit, retry);
      if (mismatch) return onRetry(requirement, mismatch, [first, retry]);
    }
  }
  const event = kit.delivered(first, 'event');
  const renamed = retries.find((retry) => kit.delivered(retry, 'event') !== event);
  if (renamed === undefined || typeof event !== 'string') return undefined;
  const actual = `it names ${String(kit.delivered(renamed, 'event'))}`;
  return onRetry('NTF-5', { expected: `the event is ${event}`, actual }, [first, renamed]);
}

function onRetry(
  requirement: string,
  { expected, actual }: Mismatch,
  exchanges: readonly [first: Caught, retry: Caught],
): ServiceFinding {
  return broken(requirement, {
    expected: `${expected} in the retry as in the first delivery`,
    actual: `${actual}, in attempt ${exchanges[1].number}`,
    exchanges,
  });
}
