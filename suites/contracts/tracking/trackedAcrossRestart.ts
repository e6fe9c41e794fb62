import fc from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import { finding } from '../../finding.ts';
import type { TrackedNumber } from '../../service/trackingBody.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';
import { isTaken, track, withinWindow } from './trackingRun.ts';

interface Interrupted {
  readonly tracked: TrackedNumber;
  readonly how: 'kill' | 'stop';
  /** Milliseconds between the answer and the end of the service. */
  readonly delay: number;
}

const late = fc.nat({ max: 20 });

function interrupted(
  tracked: TrackedNumber,
  how: Interrupted['how'],
  delay: fc.Arbitrary<number>,
): fc.Arbitrary<Interrupted> {
  return fc.record({ tracked: fc.constant(tracked), how: fc.constant(how), delay });
}

/** Section 6 across a restart, where what happens is the doing of the service itself: a request that was taken is stored. */
export const trackedAcrossRestart = serviceCheck<Interrupted>({
  id: 'service/tracking/across-a-restart',
  title: 'goes on after a restart with the tracking requests that it had taken',
  requirements: ['DLV-7'],
  about: ['tracking'],
  needs: ['process-control', 'trackable'],
  schedule: { kind: 'interrupting', timed: true },
  fatal: 'DLV-7',
  weight: 0.1,
  cases: ({ trackable: [tracked] }) =>
    tracked === undefined
      ? []
      : [
          interrupted(tracked, 'kill', fc.constant(0)),
          [interrupted(tracked, 'kill', late), interrupted(tracked, 'stop', late)],
        ],
  run: async (kit, { tracked, how, delay }) => {
    const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
    const call = await track(kit, tracked);
    if (!isTaken(kit, call)) throw new Unproven(`the tracking request was not taken: ${describeAnswer(call.answer)}`);
    if (delay > 0) await kit.soon(() => undefined, delay);
    await kit.processControl[how]();
    await kit.processControl.start();
    if (await news(kit, webhook)) return undefined;
    const twin = await heardOfAnother(kit, tracked);
    // The news of both come to the older webhook.
    await kit.settle();
    if (heard(kit, webhook).length > 1) return undefined;
    return finding('DLV-7', {
      expected:
        'what comes of a tracking request that was taken is sent, also where the service ends right after it took it',
      actual:
        'nothing came of it, while the same request after the restart was followed by the news that the number was found',
      exchanges: [call],
      twin,
      difference: 'the service ended after the answer to the tracking request',
      absence: true,
    });
  },
  hint: 'Store a tracking request with how far it has come before you answer, and go on with all that are under way when the process starts. A job in memory, or a timer, ends with the process.',
});

/** The notifications of a webhook that say that a number was found. */
function heard(kit: ServiceKit, { endpoint }: Webhook): readonly Caught[] {
  const { found } = trackingTerms(kit.terms);
  return kit.notifications(endpoint).flatMap(({ event, attempts }) => (event === found ? [attempts[0]] : []));
}

function news(kit: ServiceKit, webhook: Webhook): Promise<Caught | undefined> {
  return withinWindow(kit, webhook, () => Promise.resolve(heard(kit, webhook)[0]));
}

/** The news of the same request, made after the restart. @throws Unproven where none comes: the number may be known by now */
async function heardOfAnother(kit: ServiceKit, tracked: TrackedNumber): Promise<Caught> {
  const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
  await track(kit, tracked);
  const came = await news(kit, webhook);
  if (came === undefined) throw new Unproven('no news came of the same request after the restart either');
  return came;
}
