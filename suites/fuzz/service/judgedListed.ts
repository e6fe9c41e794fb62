import { unlessUnobservable } from '../../check.ts';
import { type Found, wrong } from './found.ts';
import { outcomeOf, type ServiceModelState } from './serviceModelState.ts';
import type { WebhookDelivery } from './registered.ts';
import { measure } from './yardstick.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { lastOf } from '../../items.ts';
import { statusTerms } from '../../../spec/serviceTerms.ts';

/** Tests how notifications were and are listed against what became of them, where the sequence looked them up. */
export async function judgeListed(modelState: ServiceModelState): Promise<void> {
  if (modelState.readings.length === 0) return;
  const own = modelState.deliveries.filter(({ id, owner }) => id !== '' && !isShared(modelState, id, owner.slot));
  if (own.length > 0) modelState.judge('NTF-9', 'NTF-6', 'STA-1', 'STA-3');
  const suspicions = [...own.flatMap((delivery) => tooEarly(modelState, delivery)), ...(await ends(modelState, own))];
  if (suspicions.length === 0) return;
  // Where webhooks share one notification (GAP-21), its status says nothing about one of them.
  const yardstick = await measure(modelState, 1);
  if (yardstick === undefined || yardstick.shared) return;
  for (const found of suspicions) modelState.accuse(found);
}

function isShared(modelState: ServiceModelState, id: string, slot: string): boolean {
  return modelState.deliveries.some((each) => each.id === id && each.owner.slot !== slot);
}

/** Listed as done, and tried again after that. */
function tooEarly({ kit, readings, away }: ServiceModelState, { id, attempts }: WebhookDelivery): readonly Found[] {
  const { underway, accepted, exhausted } = statusTerms(kit.terms);
  return readings.flatMap(({ at, until, statuses }) => {
    const status = statuses.get(id);
    const next = attempts.findIndex((caught) => caught.at > until);
    const before = attempts[next - 1];
    if (status === undefined || status === underway || before === undefined) return [];
    const outcome = outcomeOf(before, kit.contract);
    if (before.at > at || outcome === 'accepted' || away.length > 0) return [];
    // The status was there first, and the rest of the answer did not come.
    if (outcome === 'unclear' && status === accepted) return [];
    return wrong('wrong-status', status === exhausted ? 'STA-3' : 'STA-1', {
      expected: `the notification is listed as ${underway} while attempts follow`,
      actual: `it was listed as ${JSON.stringify(status)} after attempt ${next}, and attempt ${next + 1} came after that`,
      exchanges: attempts.slice(next - 1, next + 1),
    });
  });
}

/** How each is listed in the end. */
async function ends(modelState: ServiceModelState, deliveries: readonly WebhookDelivery[]): Promise<readonly Found[]> {
  const looks = deliveries.map((delivery) => endOf(modelState, delivery));
  const found = await Promise.all(looks).catch(unlessUnobservable);
  return (found ?? []).flatMap((each) => each ?? []);
}

async function endOf(
  modelState: ServiceModelState,
  { id, attempts, event }: WebhookDelivery,
): Promise<Found | undefined> {
  const { kit } = modelState;
  const expected = expectedOf(modelState, attempts);
  const listed = await kit.untilListed(id, expected ? [expected.status] : []);
  const notified = (cause: 'wrong-status' | 'not-listed', requirement: RequirementId, text: string, actual: string) =>
    wrong(cause, requirement, { expected: text, actual, exchanges: attempts.slice(-1), absence: true });
  if (listed === undefined) {
    const { complete } = await kit.list('notifications');
    if (!complete) return undefined;
    return notified('not-listed', 'NTF-9', 'a delivered notification is listed', 'no page of the list holds its id');
  }
  if (event !== '' && listed.event !== event)
    return notified(
      'not-listed',
      'NTF-9',
      `it is listed with ${event}`,
      `it is listed with ${JSON.stringify(listed.event)}`,
    );
  if (expected) modelState.judge(expected.requirement);
  if (expected === undefined || listed.status === expected.status) return undefined;
  const after = `after attempt ${attempts.length} it is listed as ${expected.status}`;
  return notified('wrong-status', expected.requirement, after, `it is listed as ${JSON.stringify(listed.status)}`);
}

/** What it must end as; nothing where it has not ended, or the user left it open. */
function expectedOf(
  { kit }: ServiceModelState,
  attempts: WebhookDelivery['attempts'],
): { readonly status: string; readonly requirement: RequirementId } | undefined {
  const { accepted, exhausted } = statusTerms(kit.terms);
  const last = outcomeOf(lastOf(attempts), kit.contract);
  if (last === 'accepted' && kit.assumption('delivery.succeededAfter') !== 'any')
    return { status: accepted, requirement: 'STA-4' };
  if (last === 'refused' && attempts.length === kit.contract.delivery.retries + 1)
    return { status: exhausted, requirement: 'STA-2' };
  return undefined;
}
