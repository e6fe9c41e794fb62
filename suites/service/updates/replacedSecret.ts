import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call, Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { givenSecret } from '../../../generators/calls/plainBody.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { delivered } from '../firstDelivery.ts';
import { isAmong } from '../../answer.ts';
import { secretOf } from '../signing.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import { refuse } from '../steps.ts';

/** Section 5.2: a secret that was replaced, because it leaked perhaps, signs nothing any more. */
export const replacedSecret = serviceCheck<{ readonly attempts: number }>({
  id: 'service/updates/replaced-secret',
  title:
    'signs with a secret that an update put in the place of the first one at once, retries of what was pending included',
  requirements: ['WHK-9', 'SIG-2'],
  about: ['operation:update', 'webhook:secret', 'signature', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant({ attempts: 2 })],
  run: async (kit, { attempts }) => {
    const [first, second] = kit.scenarioEvents;
    const webhook = await kit.register({ events: [...new Set([first, second])], meanwhile: [refuse()] });
    const old = secretOf(webhook);
    const pending = await delivered(kit, webhook, await kit.trigger(first));
    if (!(await kit.untilAttempt(pending, attempts))) throw new Unproven('it was not retried');
    const given = anotherSecret(kit);
    const update = await kit.update(webhook, { [attributeNamed(kit.terms, 'secret')]: given });
    const from = kit.elapsed();
    if (!isAmong(kit, update, 'update.response')) throw new Unobservable('the service lets no client replace a secret');
    const later = () => pending.attempts.filter(({ at }) => at > from);
    await kit.until(async () => later().length > 1 || kit.isOverdue(pending) || undefined);
    await webhook.open();
    const [next] = (await delivered(kit, webhook, await kit.trigger(second))).attempts;
    const shown = await shownSecret(kit, webhook, update);
    const current = shown === undefined || shown === old ? given : shown;
    const isReplaced = shown === current || [next, ...later()].some((caught) => isSignedWith(kit, caught, given));
    if (!isReplaced)
      throw new Unobservable('the service took the update, and kept the secret: it lets no client replace it');
    const judged = { webhook, update, old, current };
    // The first retry may have been on its way when the update was answered.
    return (
      judge(kit, judged, next, 'the next delivery') ?? judge(kit, judged, later()[1], 'a retry of what was pending')
    );
  },
  hint: 'Read the secret of the webhook for every attempt. One that is stored with the queued delivery, or in a cache, goes on signing after it was replaced.',
});

/** One that the contract's update takes, where its schema speaks of secrets. */
function anotherSecret(kit: ServiceKit): string {
  const fresh = kit.freshId().replaceAll('-', '');
  const taken = givenSecret(kit.contract, 'update');
  const seed = Number.parseInt(fresh.slice(0, 8), 16);
  const [given = fresh] = taken === undefined ? [] : fc.sample(taken, { numRuns: 1, seed });
  return given;
}

/** The secret that the answer to the update shows, or the webhook as it is read afterwards; nothing where neither does. */
async function shownSecret(kit: ServiceKit, { id }: Webhook, update: Call): Promise<string | undefined> {
  const inAnswer = secretIn(kit, update);
  if (inAnswer !== undefined || !offers(kit.contract, 'read')) return inAnswer;
  const read = await kit.attempt('read', { parameters: { id } });
  return kit.succeeded(read) ? secretIn(kit, read) : undefined;
}

/** One that is masked shows nothing. */
function secretIn(kit: ServiceKit, call: Call): string | undefined {
  const json = kit.json(call);
  const secret = json === undefined ? undefined : kit.member(json, 'secret');
  return typeof secret === 'string' && /^[\w+/=.-]{8,}$/.test(secret) ? secret : undefined;
}

interface Judged {
  readonly webhook: Webhook;
  readonly update: Call;
  readonly old: string;
  readonly current: string;
}

function judge(
  kit: ServiceKit,
  { webhook, update, old, current }: Judged,
  caught: Caught | undefined,
  which: string,
): ServiceFinding | undefined {
  if (caught === undefined || isSignedWith(kit, caught, current)) return undefined;
  const under = isSignedWith(kit, caught, old)
    ? 'the secret that was replaced'
    : 'neither that secret nor the one before';
  return finding(['WHK-9', 'SIG-2'], {
    expected: `${which} is signed with the secret that the update put in the place of the first one`,
    actual: `attempt ${caught.number} verifies under ${under}`,
    exchanges: [webhook.creation, update, caught],
    // It may have been on its way when the update was answered, where it had to wait for its turn: it has to recur.
    absence: true,
  });
}

/** While secrets change, a service may sign with both: each part of a header counts. */
function isSignedWith(kit: ServiceKit, caught: Caught, secret: string): boolean {
  if (kit.signature(caught, secret)) return true;
  const parts = caught.headers.flatMap(([name, value]) => value.split(/[,\s]+/).map((part) => [name, part] as const));
  return parts.some((part) => kit.signature({ ...caught, headers: [part] }, secret) !== undefined);
}
