import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import type { ServiceCheck } from '../../../suites/check.ts';
import { activationChecks } from '../../../suites/service/activation/checks.ts';
import { followed } from '../../../suites/service/updates/followed.ts';
import { bodyOf, HandService, type HandWebhook, type Traits } from '../../runner/service/handService.ts';
import { hold, inTime } from '../../runner/service/testOwnService.ts';

const services = new Set<HandService>();

afterEach(() => Promise.all([...services].map((service) => service.close())));

type Answer = NonNullable<Traits['answer']>;

/** Tests it with one case of the check. */
function held(check: ServiceCheck, value: unknown, answer: Answer) {
  const once = { ...check, cases: () => [fc.constant(value as never)] };
  return inTime(async () => {
    const service = await HandService.start({ answer });
    services.add(service);
    return hold(service, [once as unknown as ServiceCheck]);
  });
}

/** Sends one webhook a notification that was made when it was as it is here. */
async function send({ url, headers }: HandWebhook, event: string): Promise<void> {
  const notification = { id: crypto.randomUUID(), event, createdAt: new Date().toISOString(), status: 'pending' };
  const custom = (headers ?? []).map(({ name, value }): [string, string] => [name, value]);
  await fetch(url, { method: 'POST', headers: custom, body: bodyOf(notification) });
}

/**
 * What somebody else made happen just before an update, and comes just after the next event: at once to the webhook that
 * takes everything, and to the one that was updated only when something happens again.
 */
function late(eventOf: (webhook: HandWebhook) => string | undefined): Answer {
  let waiting: (() => Promise<void>) | undefined;
  return async ({ method, path }, service) => {
    const webhook = method === 'PATCH' ? service.webhooks.get(path.split('/')[2] ?? '') : undefined;
    const event = webhook && eventOf(webhook);
    if (webhook && event !== undefined) {
      const before = { ...webhook };
      waiting = () => send(before, event);
      await send(
        [...service.webhooks.values()].find(({ events }) => events.length > 4)!,
        event,
      );
    }
    if (path !== '/emit') return undefined;
    const sent = waiting;
    waiting = undefined;
    await sent?.();
    return undefined;
  };
}

/** What the second scenario event is to the webhook of the case. */
const next = ({ events }: HandWebhook) => events[1] ?? events[0];

describe('what was made before an update, and comes after it', () => {
  it.each([['headers'], ['url'], ['url', 'headers']])('does not count as the next delivery: %s', async (...parts) => {
    expect((await held(followed, { parts }, late(next))).check()).toMatchObject({ outcome: 'passed' });
  });

  it('hides no service that ignores the update', async () => {
    const slow = late(next);
    const answer: Answer = async (asked, service) => {
      await slow(asked, service);
      return asked.method === 'PATCH' ? { status: 200, body: {} } : undefined;
    };
    const { outcome, counterexample } = (await held(followed, { parts: ['headers'] }, answer)).check();
    expect(outcome).toBe('warned');
    expect(counterexample?.actual).toBe('X-Kit-Later was not sent');
  });

  it('breaks nothing where a webhook turns inactive', async () => {
    const [inactive] = activationChecks;
    const run = await held(
      inactive!,
      { beginning: 'turned inactive' },
      late(({ active, events }) => (active ? events[0] : undefined)),
    );
    expect(run.check()).toMatchObject({ outcome: 'inconclusive' });
    expect(run.check().reason).toBe('what had happened before the webhook turned inactive had not come yet');
  });
});
