import fc from 'fast-check';

import { type Finding, receiverCheck, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsInWords, idsOf } from '../counting.ts';
import { acceptedTwin } from '../expectation.ts';
import { workedOnAgain } from '../idempotency/atTheEnd.ts';

/** How many times as long as an absence is awaited nothing is delivered: a quick run waits as long for the absences before it. */
const times = { quick: 1.05, standard: 2.1, thorough: 2.1 } as const;

/** Milliseconds. */
const longestPause = 5000;

/** Notifications after the pause. The first of them meets whatever grew stale. */
const after = 3;

/** Of so many of the notifications before it, it is asked what the pause brought, once this part of it is over. */
const latest = 50;
const untilDone = 0.1;

/** Section 4.4: what comes after a quiet time is accepted and takes effect like any other. */
export const afterAPause = receiverCheck<{ times: number }>({
  id: 'receiver/load/after-a-pause',
  title: 'loses nothing of what it accepts after a time in which nothing came, and does nothing twice in it',
  requirements: ['RTY-1', 'IDM-2'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  // One case: a pause takes the time of the run.
  weight: 0,
  cases: ({ intensity }) => [fc.record({ times: fc.constant(times[intensity]) })],
  run: async (kit, { times }) => {
    const ms = Math.min(longestPause, times * kit.settle);
    await kit.pause(ms * untilDone, true);
    const done = await doneOnce(kit);
    await kit.pause(ms * (1 - untilDone), true);
    const twice = await doneTwice(kit, done, ms);
    if (twice !== undefined) return twice;
    const sent: Attempt[] = [];
    while (sent.length < after) sent.push(await acceptedTwin(kit, kit.compose(kit.control)));
    const ids = idsOf(sent);
    await kit.untilEffect(ids);
    const effects = await kit.effectsSoFar(ids);
    const [first, ...others] = sent;
    if (first === undefined || (effects.get(first.delivery.id) ?? 0) > 0) return undefined;
    const twin = others.find(({ delivery }) => (effects.get(delivery.id) ?? 0) > 0);
    if (twin === undefined) throw new Unproven('the plain deliveries after it took no effect either');
    return finding(
      {
        requirement: 'RTY-1',
        twin,
        difference: `nothing was delivered for ${inSeconds(ms)} before it`,
        concurrent: true,
      },
      {
        attempts: [first],
        expected: 'exactly one effect',
        actual: 'no effect',
        absence: true,
        effects: [{ id: first.delivery.id, expected: 1, actual: 0 }],
      },
    );
  },
  hint:
    'The first work after a pause meets a connection that was closed meanwhile (of a pool, to a database or a queue), or a worker ' +
    'that has ended, and its error is swallowed. Let it be tried again, or answer 503: accept nothing that is not stored.',
});

/** What was delivered last, once, and has taken effect once. */
async function doneOnce(kit: ReceiverKit): Promise<readonly Attempt[]> {
  const { accepted, again } = kit.beginning;
  const last = [...accepted.values()].slice(-latest).filter(({ delivery }) => !again.has(delivery.id));
  const effects = last.length > 0 ? await kit.effectsSoFar(idsOf(last)) : new Map<string, number>();
  return last.filter((sent) => countOf(effects, sent) === 1);
}

/** A timer may work once more on what came last. */
async function doneTwice(kit: ReceiverKit, done: readonly Attempt[], ms: number): Promise<Finding | undefined> {
  if (done.length === 0) return undefined;
  const effects = await kit.effectsSoFar(idsOf(done));
  const { again } = kit.beginning;
  const sent = done.find((one) => countOf(effects, one) > 1 && !again.has(one.delivery.id));
  if (sent === undefined) return undefined;
  const actual = countOf(effects, sent);
  return finding(
    {
      requirement: 'IDM-2',
      difference: `nothing was delivered for ${inSeconds(ms)} after it`,
      concurrent: true,
      hint: workedOnAgain,
    },
    {
      attempts: [sent],
      expected: 'exactly one effect',
      actual: `${effectsInWords(actual)}, after 1 before`,
      absence: false,
      effects: [{ id: sent.delivery.id, expected: 1, actual }],
    },
  );
}

const inSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
