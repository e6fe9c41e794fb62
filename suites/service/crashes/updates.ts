import fc from 'fast-check';

import type { RequirementId } from '../../../spec/names.ts';
import type { WebhookMember } from '../../../spec/serviceTerms.ts';
import type { Json } from '../../../generators/json/json.ts';
import { isAmong } from '../../answer.ts';
import { serviceCheck, type ServiceFinding, Unobservable, Unproven } from '../../check.ts';
import type { Call, Caught } from '../../exchange.ts';
import { finding } from '../../finding.ts';
import type { CatchingEndpoint, Registration, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { before, later, wrongHeaders } from '../updates/updated.ts';
import { acceptedBy } from './playedCrashes.ts';

/** One member of a webhook, and what an update puts there. */
interface Change {
  readonly member: WebhookMember & ('url' | 'events' | 'headers' | 'active');
  readonly requirement: RequirementId;
  /** What the webhook is created with. */
  readonly from: Registration;
  readonly to: Json;
  /** True where nothing may come any more. */
  readonly isSilent?: true;
}

/** Section 4.3 across a restart: an update is stored like a creation. */
export const keptUpdates = serviceCheck<'kill' | 'stop'>({
  id: 'service/crashes/updates',
  title: 'keeps across a restart what an update changed, and goes on to follow updates',
  requirements: ['ACT-3', 'ACT-2', 'WHK-6', 'DLV-5'],
  about: ['operation:update'],
  needs: ['process-control', 'event'],
  schedule: { kind: 'interrupting' },
  fatal: 'ACT-3',
  weight: 0.02,
  cases: () => [fc.constant('kill'), fc.constant('stop')],
  run: async (kit, how) => {
    const changes = changesOf(kit);
    // One of them waits with its update until the service runs again.
    const [made, waiting] = await Promise.all([registered(kit, changes), registered(kit, changes.slice(0, 1))]);
    const updated = await changed(kit, made, 'its update came before a restart');
    if (updated.length === 0) throw new Unobservable('the service takes no update of a webhook as it is assumed');
    await kit.processControl[how]();
    await kit.processControl.start();
    const late = await changed(kit, waiting, 'it was created before a restart, and updated after it');
    const wrong = await firstWrong(kit, [...updated, ...late]);
    if (wrong === undefined) return undefined;
    // The same once more, without a restart: else the update has no effect at all, which is for others to say.
    const again = await changed(kit, await registered(kit, [wrong.change]), 'it was updated');
    const twin = await firstWrong(kit, again);
    if (twin) throw new Unproven(`an update of ${wrong.change.member} has no effect, restart or not`);
    return wrong.found;
  },
  hint: 'Store what an update changes where the creation is stored, before the update is answered, and read the webhook from there for each delivery, not from a list that was filled when the process started.',
});

function changesOf(kit: ServiceKit): readonly Change[] {
  const [first, next] = kit.scenarioEvents;
  const all: readonly Change[] = [
    { member: 'url', requirement: 'ACT-3', from: {}, to: null },
    ...(first === next
      ? []
      : ([
          { member: 'events', requirement: 'ACT-3', from: { events: [next] }, to: [first] },
          { member: 'events', requirement: 'DLV-5', from: { events: [first] }, to: [next], isSilent: true },
        ] as const)),
    { member: 'headers', requirement: 'ACT-3', from: { headers: [before] }, to: [later] },
    { member: 'active', requirement: 'ACT-2', from: { active: false }, to: true },
    { member: 'active', requirement: 'WHK-6', from: {}, to: false, isSilent: true },
  ];
  return all.filter(({ member }) => kit.terms.webhook.members[member] !== undefined);
}

/** A webhook that is to be changed. */
interface Changeable {
  readonly change: Change;
  readonly webhook: Webhook;
}

/** The same, and where its deliveries go since its update. */
interface Updated extends Changeable {
  readonly update: Call;
  readonly endpoint: CatchingEndpoint;
  /** What is special about its update, as a clause about the webhook. */
  readonly difference: string;
}

/** Registers a webhook for each change. */
function registered(kit: ServiceKit, changes: readonly Change[]): Promise<readonly Changeable[]> {
  return Promise.all(
    changes.map(async (change) => ({
      change,
      webhook: await kit.register({ events: [kit.scenarioEvents[0]], ...change.from }),
    })),
  );
}

/** Makes the changes. What the service does not take is left out. */
async function changed(
  kit: ServiceKit,
  webhooks: readonly Changeable[],
  difference: string,
): Promise<readonly Updated[]> {
  const made = webhooks.map(async ({ change, webhook }) => {
    const endpoint = change.member === 'url' ? kit.endpoint() : webhook.endpoint;
    const value = change.member === 'url' ? endpoint.url : change.to;
    const update = await kit.update(webhook, { [attributeNamed(kit.terms, change.member)]: value });
    return { change, webhook, update, endpoint, difference };
  });
  return (await Promise.all(made)).filter(({ update }) => isAmong(kit, update, 'update.response'));
}

/**
 * Lets an event happen, and says which of these webhooks does not get it as it was updated.
 *
 * @throws Unproven where it does not come to a new webhook either
 */
async function firstWrong(
  kit: ServiceKit,
  updated: readonly Updated[],
): Promise<{ readonly change: Change; readonly found: ServiceFinding } | undefined> {
  const event = kit.scenarioEvents[0];
  const neighbour = await kit.register({ events: [event] });
  const { at } = await kit.raise(event);
  const twin = await kit.soon(() => acceptedBy(kit, neighbour), kit.window);
  if (twin === undefined) throw new Unproven(`nothing came of ${event} to a webhook that was registered just before`);
  await kit.settle();
  for (const each of updated) {
    const { change, webhook, update, difference } = each;
    const came = (endpoint: CatchingEndpoint) => endpoint.caught.filter((caught) => caught.at >= at);
    const actual = wrongIn(kit, each, came(each.endpoint), came(webhook.endpoint));
    if (actual === undefined) continue;
    const found = finding(change.requirement, {
      expected: `what happens after a restart is delivered as the update of ${change.member} says`,
      actual,
      exchanges: [webhook.creation, update, ...came(webhook.endpoint).slice(0, 1)],
      twin,
      difference: `the ${change.member} of the webhook was updated: ${difference}`,
      absence: true,
    });
    return { change, found };
  }
  return undefined;
}

/** @param came - to the endpoint of today. @param old - to the one that the webhook was created with */
function wrongIn(
  kit: ServiceKit,
  { change, webhook, endpoint }: Updated,
  came: readonly Caught[],
  old: readonly Caught[],
): string | undefined {
  if (change.isSilent) {
    const why = change.member === 'active' ? 'it is inactive' : 'it is not subscribed to that any more';
    return came.length === 0 ? undefined : `a delivery came, although ${why}`;
  }
  if (endpoint !== webhook.endpoint && old.length > 0) return 'a delivery went to the url that was replaced';
  const [first] = came;
  if (first === undefined) return `nothing came of ${kit.scenarioEvents[0]}, which a newer webhook was notified of`;
  return change.member === 'headers' ? wrongHeaders(kit, first, { wanted: later, gone: before }) : undefined;
}
