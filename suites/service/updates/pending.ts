import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call, CatchScript, Caught } from '../../exchange.ts';
import type { CatchingEndpoint, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { isAmong } from '../../answer.ts';
import { finding } from '../../finding.ts';
import { delivered } from '../firstDelivery.ts';
import { expectAttempt } from '../redelivery.ts';
import { describeStep } from '../steps.ts';
import { deleted } from './deleted.ts';
import { before, later, wrongHeaders } from './headersOfUpdate.ts';
import { offers } from '../../../spec/serviceTerms.ts';

/** Refused late, so that retries go on for a while after the update, whatever the pauses between them. */
const slowly: CatchScript = [{ do: 'respond', status: 500, delay: 150 }];

/** What is updated, or that another webhook is deleted which waits for a retry as well. */
type Part = 'url' | 'headers' | 'deleted';

/** Milliseconds for which a service may go on with what it has read of its webhooks. */
const outdated = 1000;

/** Sections 4.3 and 4.4: an attempt goes to the url that the webhook has when it is made, with the headers that it has then. */
export const pending = serviceCheck<Part>({
  id: 'service/updates/pending',
  title:
    'goes on with the retries of what was refused before an update of url or headers, and follows it in them, and before ' +
    'another webhook is deleted',
  requirements: ['DLV-3', 'ACT-3'],
  about: ['operation:update', 'retries', 'id'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: ({ contract, terms }) =>
    (['url', 'headers', 'deleted'] as const)
      .filter((part) => (part === 'deleted' ? offers(contract, 'delete') : terms.webhook.members[part] !== undefined))
      .map((part) => fc.constant(part)),
  run: async (kit, part) => {
    const webhook = await kit.register({ headers: [before], script: slowly });
    const other = part === 'deleted' ? await kit.register({ script: slowly }) : webhook;
    const refused = await delivered(kit, webhook, await kit.trigger(kit.scenarioEvents[0]));
    if (!(await kit.untilAttempt(refused, 2))) throw new Unproven('it was not retried');
    const endpoint = part === 'url' ? kit.endpoint() : webhook.endpoint;
    const update = part === 'deleted' ? await deleted(kit, other) : await updated(kit, webhook, part, endpoint);
    const from = kit.elapsed() + outdated;
    // The first of them may have been on its way by then.
    const retries = () => refused.attempts.filter(({ at }) => at > from).slice(1);
    const isMoved = () => part === 'url' && endpoint.caught.some(({ key }) => key === refused.id);
    await kit.until(async () => isMoved() || retries().length > 0 || kit.isOverdue(refused) || undefined);
    const [retry] = retries();
    if (retry) return judge(kit, { webhook, refused, update, part }, retry);
    return isMoved() ? undefined : stopped(kit, { webhook, refused, update, part }, endpoint);
  },
  hint: 'Read the url and the headers of the webhook for every attempt, and store neither with what is queued: what the owner changes because it was wrong would be wrong for all retries. An update cancels none of them.',
});

async function updated(kit: ServiceKit, webhook: Webhook, part: 'url' | 'headers', { url }: CatchingEndpoint) {
  const value = part === 'url' ? url : [later];
  const update = await kit.update(webhook, { [attributeNamed(kit.terms, part)]: value });
  if (isAmong(kit, update, 'update.response')) return update;
  throw new Unobservable(`the service takes no update of ${part}`);
}

interface Updated {
  readonly webhook: Webhook;
  readonly refused: Notified;
  readonly update: Call;
  readonly part: Part;
}

const notOfOthers =
  'What is deleted takes along what waits for it alone: name the webhook in the WHERE of the statement. Let no notification ' +
  'whose webhook is gone end the loop that sends the others.';

const overSoon = 'the retries were over soon after the update, so that none shows whether it was followed';

/**
 * What becomes of retries that did not come any more. One may have been on its way when the update was answered.
 *
 * @param endpoint - where they go since the update
 * @throws Unobservable where several came since then, or what may be one under another id
 */
async function stopped(
  kit: ServiceKit,
  { webhook, refused, update, part }: Updated,
  endpoint: CatchingEndpoint,
): Promise<ServiceFinding | undefined> {
  const made = refused.attempts.length;
  const since = refused.attempts.filter(({ at }) => at > update.at).length;
  const isElsewhere = part === 'url' && endpoint.caught.length > 0;
  if (since > 1 || made > kit.contract.delivery.retries || isElsewhere) throw new Unobservable(overSoon);
  const point = { requirement: 'DLV-3', after: describeStep(slowly[0]) } as const;
  const missing = await expectAttempt(kit, { webhook, notified: refused }, made + 1, point);
  // A service that sends nothing so often gives it up without an update, too.
  if (missing && !kit.attemptSeen(made + 1)) throw new Unobservable(overSoon);
  if (missing && part === 'deleted')
    return { ...missing, difference: 'another webhook was deleted before it', hint: notOfOthers };
  return missing && { ...missing, difference: `the ${part} of the webhook was updated before it` };
}

/** @param retry - that came to the url of before, a while after the update */
function judge(
  kit: ServiceKit,
  { webhook, refused, update, part }: Updated,
  retry: Caught,
): ServiceFinding | undefined {
  if (part === 'deleted') return undefined;
  const other = part === 'url' ? 'it went to the old url' : wrongHeaders(kit, retry, { wanted: later, gone: before });
  // What no retry carried before, either, is for service/custom-headers/* to say.
  const [, earlier] = refused.attempts;
  if (other === undefined || (part === 'headers' && earlier && kit.header(earlier, before.name) === undefined))
    return undefined;
  return finding('ACT-3', {
    expected: `a retry that is made after an update of ${part} follows it`,
    actual: `attempt ${retry.number} came ${((retry.at - update.at) / 1000).toFixed(1)} s after the update: ${other}`,
    exchanges: [webhook.creation, update, retry],
    // It may have waited for its turn since before: it has to recur.
    absence: true,
    hangsOnTime: true,
  });
}
