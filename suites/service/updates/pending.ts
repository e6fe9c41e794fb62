import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call, CatchScript, Caught } from '../../exchange.ts';
import type { CatchingEndpoint, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed, registeredAt } from '../creation.ts';
import { isAmong } from '../../answer.ts';
import { finding } from '../../finding.ts';
import { counted } from '../../items.ts';
import { delivered } from '../firstDelivery.ts';
import { expectAttempt } from '../redelivery.ts';
import { describeStep } from '../steps.ts';
import { deleted, before, later, wrongHeaders } from './updated.ts';
import { offers } from '../../../spec/serviceTerms.ts';

/** Refused late, so that retries go on for a while after the update, whatever the pauses between them. */
const slowly: CatchScript = [{ do: 'respond', status: 500, delay: 150 }];

/** What is updated, or that another webhook is deleted which waits for a retry as well. */
type Part = 'url' | 'headers' | 'deleted';

interface Pending {
  readonly part: Part;
  /** True: the webhook that is deleted has the same url, and waits for nothing. */
  readonly oneUrl?: true;
  /** While an attempt goes on, or while it waits in the queue of the service for the next one. */
  readonly while: 'attempted' | 'queued';
}

/** Milliseconds for which a service may go on with what it has read of its webhooks. */
const outdated = 1000;

/** Milliseconds after the end of an attempt in which a service has queued the next one, and rarely begun it. */
const untilQueued = 20;

/** Attempts after which an update comes in any case, so that there are some left to see what becomes of them. */
const latest = 5;

/** Attempts after an update that are looked at: of several processes that send, some may not know of it. */
const watched = 5;

const kinds: readonly Omit<Pending, 'while'>[] = [
  { part: 'url' },
  { part: 'headers' },
  { part: 'deleted' },
  { part: 'deleted', oneUrl: true },
];

/** Sections 4.3 and 4.4: an attempt goes to the url that the webhook has when it is made, with the headers that it has then. */
export const pending = serviceCheck<Pending>({
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
    kinds
      .filter(({ part }) =>
        part === 'deleted' ? offers(contract, 'delete') : terms.webhook.members[part] !== undefined,
      )
      .map((kind) => (['attempted', 'queued'] as const).map((moment) => fc.constant({ ...kind, while: moment }))),
  run: async (kit, { part, oneUrl, while: moment }) => {
    const webhook = await kit.register({ headers: [before], script: slowly });
    const other = part === 'deleted' ? await neighbourOf(kit, webhook, oneUrl) : webhook;
    const refused = await delivered(kit, webhook, await kit.trigger(kit.scenarioEvents[0]));
    if (!(await kit.untilAttempt(refused, 2))) throw new Unproven('it was not retried');
    if (moment === 'queued') await queued(kit, refused);
    const endpoint = part === 'url' ? kit.endpoint(slowly) : webhook.endpoint;
    const update = part === 'deleted' ? await deleted(kit, other) : await updated(kit, webhook, part, endpoint);
    const from = kit.elapsed() + outdated;
    const asked = { webhook, refused, update, part, ...(oneUrl && { oneUrl }) };
    // The first of them may have been on its way by then.
    const here = () => refused.attempts.filter(({ at }) => at > from).slice(1);
    const moved = () => (part === 'url' ? endpoint.caught.filter(({ key }) => key === refused.id) : []);
    const enough = part === 'deleted' ? 1 : watched;
    const isEnough = () => here().length + moved().length >= enough || here().some((each) => isWrong(kit, asked, each));
    await kit.until(async () => isEnough() || kit.isOverdue(refused) || undefined);
    if (here().length > 0) return judge(kit, asked, here(), moved().length);
    return moved().length > 0 ? undefined : stopped(kit, asked, endpoint);
  },
  hint:
    'Read the url and the headers of the webhook for every attempt, and store neither with what is queued, nor in each process ' +
    'that sends: what the owner changes because it was wrong would be wrong for all retries. An update cancels none of them.',
});

/** Another webhook: one that waits for a retry as well, or one with the same url to which nothing is sent. */
async function neighbourOf(kit: ServiceKit, webhook: Webhook, oneUrl?: true): Promise<Webhook> {
  if (!oneUrl) return kit.register({ script: slowly });
  const unused = kit.contract.events.map(({ name }) => name).findLast((name) => !kit.scenarioEvents.includes(name));
  if (unused !== undefined) return registeredAt(kit, webhook, { events: [unused] });
  throw new Unobservable('the contract has no event left that the other webhook could subscribe to');
}

/** Where the pauses between attempts are shorter than that, it goes on at some time. */
async function queued(kit: ServiceKit, { attempts }: Notified): Promise<void> {
  do {
    await kit.until(async () => attempts.at(-1)?.end);
    await kit.soon(() => undefined, untilQueued);
  } while (attempts.at(-1)?.end === undefined && attempts.length < latest);
}

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
  readonly oneUrl?: true;
}

const notOfOthers =
  'What is deleted takes along what waits for it alone: name the id of the webhook in the WHERE of the statement, and not its url. Let no notification ' +
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
  { webhook, refused, update, part, oneUrl }: Updated,
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
    return {
      ...missing,
      difference: `another webhook${oneUrl ? ' with the same url' : ''} was deleted before it`,
      hint: notOfOthers,
    };
  return missing && { ...missing, difference: `the ${part} of the webhook was updated before it` };
}

/** What is wrong with an attempt that came to the url of before, a while after the update. */
function isWrong(kit: ServiceKit, { refused, part }: Updated, attempt: Caught): string | undefined {
  if (part === 'deleted') return undefined;
  if (part === 'url') return 'it went to the old url';
  const wrong = wrongHeaders(kit, attempt, { wanted: later, gone: before });
  // What no retry carried before, either, is for service/custom-headers/* to say.
  const [, earlier] = refused.attempts;
  return earlier && kit.header(earlier, before.name) === undefined ? undefined : wrong;
}

/**
 * @param here - attempts that came to the url of before, a while after the update
 * @param moved - how many came to the new one
 */
function judge(kit: ServiceKit, asked: Updated, here: readonly Caught[], moved: number): ServiceFinding | undefined {
  const { webhook, update, part } = asked;
  const wrong = here.filter((each) => isWrong(kit, asked, each) !== undefined);
  const [retry] = wrong;
  if (retry === undefined) return undefined;
  const right = here.length - wrong.length + moved;
  const others = right > 0 ? `, while ${counted(right, 'other')} followed the update` : '';
  return finding('ACT-3', {
    expected: `a retry that is made after an update of ${part} follows it`,
    actual: `attempt ${retry.number} came ${((retry.at - update.at) / 1000).toFixed(1)} s after the update: ${isWrong(kit, asked, retry)}${others}`,
    exchanges: [webhook.creation, update, retry],
    // It may have waited for its turn since before: it has to recur.
    absence: true,
    hangsOnTime: true,
  });
}
