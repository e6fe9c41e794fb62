import { describeAnswer, isAmong } from '../../../answer.ts';
import type { Call, CatchScript, CatchStep } from '../../../exchange.ts';
import type { Webhook, ServiceKit } from '../../../serviceKit.ts';
import { sameUrl, attributeNamed, listedAt } from '../../../service/creation.ts';
import { type Found, wrong } from '../found.ts';
import { Registered, type State } from '../registered.ts';
import type { CreateStep, Answering, UpdateStep, RemoveStep, InvalidStep } from '../steps.ts';
import type { Play, ServiceModelState } from '../serviceModelState.ts';
import type { RequirementId } from '../../../../spec/names.ts';
import { parseDuration } from '../../../../spec/units.ts';
import type { Json } from '../../../../generators/json/json.ts';
import { unlessUnobservable } from '../../../check.ts';
import { isShownBy } from '../../../../generators/calls/plainBody.ts';
import { placeholderUrl, withUrl } from '../../../../generators/calls/creationNeighbour.ts';

/** Changes a webhook. How that is done is not described (GAP-9), so a refusal shows nothing. */
export const update: Play<UpdateStep> = {
  can: ({ taken, missing }, { slot }) => taken.has(slot) && !missing.has('update'),
  async play(modelState, step, { missing }) {
    const { kit } = modelState;
    const owner = modelState.there(step.slot);
    const next = changed(kit, step, owner.now);
    const sent: State = { ...next, from: kit.elapsed(), to: Infinity, unclear: true };
    const index = owner.states.push(sent) - 1;
    const call = await kit.update(owner.webhook, attributesOf(kit, step, next)).catch(unlessUnobservable);
    if (call) {
      owner.states[index] = { ...sent, to: kit.elapsed(), unclear: !isAmong(kit, call, 'update.response') };
    } else {
      owner.states.pop();
      missing.add('update');
    }
  },
};

function changed(kit: ServiceKit, { active, events, headers, url }: UpdateStep, before: State): State {
  return {
    ...before,
    ...(active !== undefined && { active }),
    ...(events && { events }),
    ...(headers && { headers }),
    ...(url && { place: kit.endpoint(scriptOf(kit, url)) }),
  };
}

function attributesOf({ terms }: ServiceKit, step: UpdateStep, next: State): Readonly<Record<string, Json>> {
  return {
    ...(step.active !== undefined && { [attributeNamed(terms, 'active')]: next.active }),
    ...(step.events && { [attributeNamed(terms, 'events')]: next.events ?? [] }),
    ...(step.headers && { [attributeNamed(terms, 'headers')]: next.headers.map((each) => ({ ...each })) }),
    ...(step.url && { [attributeNamed(terms, 'url')]: next.place.url }),
  };
}

/** Milliseconds that a silence lasts where the service may wait for longer than a sequence should. */
const silence = 1000;

/** The script of an endpoint that answers so. A silence ends where the service is not known to give up soon. */
function scriptOf(kit: ServiceKit, { refusals, status }: Answering): CatchScript {
  const isSoon = parseDuration(kit.assumption('delivery.timeout')) <= 2 * silence;
  const played = (step: CatchStep): CatchStep => (step.do === 'hang' && !isSoon ? { do: 'hang', ms: silence } : step);
  const first = refusals.flatMap(({ times, by }) => Array.from({ length: times }, () => played(by)));
  return [...first, { do: 'respond', status }] as unknown as CatchScript;
}

/** Registers a webhook, and compares the answer with what was asked for. */
export const create: Play<CreateStep> = {
  can: ({ taken }, { slot }) => !taken.has(slot),
  async play(modelState, step, { taken }) {
    const { kit } = modelState;
    const shared = modelState.tellsOwners ? modelState.at(step.at)?.now.place : undefined;
    const place = shared ?? kit.endpoint(scriptOf(kit, step));
    const { events, active, headers } = step;
    const registration = { events, active, ...(headers.length > 0 && { headers }) };
    const from = kit.elapsed();
    const call = await kit.call('create', {
      body: kit.creation(kit.plainAttributes(place.url, registration)),
    });
    modelState.judge(events === null ? 'CRW-3' : 'CRW-1');
    const webhook = kit.adopt(call, place);
    // A service may know one webhook only for each url; then there is no second one.
    const isNew = webhook && !modelState.registered.some((each) => each.webhook.id === webhook.id);
    if (!webhook || !isNew) return shared ? undefined : modelState.accuse(notCreated(modelState, step, call, webhook));
    const state = { from, to: kit.elapsed(), unclear: false, active, events, headers, place, gone: false };
    modelState.registered.push(new Registered(step.slot, webhook, state));
    taken.add(step.slot);
    modelState.judge(
      'WHK-2',
      'WHK-4',
      'WHK-5',
      'WHK-8',
      ...(events === null || !isShownBy(kit.contract, 'events') ? [] : (['WHK-7'] as const)),
    );
    modelState.accuse(otherThanAsked(modelState, step, webhook, place.url) ?? knownSecret(modelState, webhook));
  },
};

function notCreated({ kit }: ServiceModelState, { events }: CreateStep, call: Call, webhook: Webhook | undefined) {
  if (webhook) {
    return wrong('same-id', 'WHK-2', {
      expected: 'every webhook gets an id of its own',
      actual: 'the answer shows the id of another webhook',
      exchanges: [call],
    });
  }
  const what = kit.succeeded(call) ? 'which shows no webhook' : '';
  return wrong('valid-refused', events === null ? 'CRW-3' : 'CRW-1', {
    expected: 'a valid creation is answered with the webhook',
    actual: `${describeAnswer(call.answer)} ${what}`.trim(),
    exchanges: [call],
    absence: true,
  });
}

function otherThanAsked(
  { kit }: ServiceModelState,
  step: CreateStep,
  webhook: Webhook,
  url: string,
): Found | undefined {
  const differs = (requirement: RequirementId, name: string, shown: unknown): Found =>
    wrong('wrong-resource', requirement, {
      expected: `${name} is returned as it was given`,
      actual: `it is ${JSON.stringify(shown) ?? 'missing'}`,
      exchanges: [webhook.creation],
    });
  if (!sameUrl(webhook.url, url)) return differs('WHK-4', 'url', kit.member(webhook.resource, 'url'));
  if (webhook.active !== step.active) return differs('WHK-5', 'active', webhook.active);
  if (showsOtherEvents(kit, webhook.events, step.events)) return differs('WHK-7', 'events', webhook.events);
  return undefined;
}

/** Whether a webhook is shown with others than were given. What no answer shows, as the document has it, is not missing. */
export function showsOtherEvents({ contract }: ServiceKit, seen: unknown, given: readonly string[] | null): boolean {
  if (given === null || (seen === undefined && !isShownBy(contract, 'events'))) return false;
  return !isSameSet(seen, given);
}

function knownSecret({ registered }: ServiceModelState, webhook: Webhook): Found | undefined {
  const other = registered.find((each) => each.webhook !== webhook && each.webhook.secret === webhook.secret);
  if (other === undefined || typeof webhook.secret !== 'string') return undefined;
  return wrong('wrong-resource', 'WHK-8', {
    expected: 'every webhook gets a secret of its own',
    actual: `it has the secret of webhook ${other.slot}`,
    exchanges: [other.webhook.creation, webhook.creation],
  });
}

/** Whether a value is a list of exactly these texts, in whatever order. */
function isSameSet(value: unknown, texts: readonly string[]): boolean {
  return Array.isArray(value) && value.length === texts.length && texts.every((text) => value.includes(text));
}

/** Deletes a webhook, where that is offered (GAP-13). */
export const remove: Play<RemoveStep> = {
  can: ({ taken, missing }, { slot }) => taken.has(slot) && !missing.has('remove'),
  async play(modelState, { slot }, { taken, missing }) {
    const { kit } = modelState;
    const owner = modelState.there(slot);
    const from = kit.elapsed();
    const call = await kit.call('delete', { parameters: { id: owner.webhook.id } });
    if (!kit.succeeded(call)) return void missing.add('remove');
    owner.states.push({ ...owner.now, from, to: kit.elapsed(), gone: true });
    taken.delete(slot);
  },
};

const requirements = {
  incomplete: 'CRW-2',
  'without active': 'CRW-7',
  'wrong events': 'CRW-4',
  malformed: 'CRW-5',
} as const;

/** Sends a creation that is wrong in one thing: it is refused, and nothing comes of it. */
export const invalid: Play<InvalidStep> = {
  can: () => true,
  async play(modelState, { flaw, invalid: body, change }) {
    const { kit } = modelState;
    const requirement = requirements[flaw];
    const { url } = kit.endpoint();
    const call = await kit.call('create', { body: withUrl(body, url) });
    modelState.judge(requirement);
    if (!kit.refused(call)) {
      kit.adopt(call);
      return modelState.accuse(
        wrong('invalid-taken', requirement, {
          expected: `a refusal: status ${kit.assumption('refusal.status')}`,
          actual: describeAnswer(call.answer),
          exchanges: [call],
          absence: !kit.succeeded(call),
          difference: change,
        }),
      );
    }
    const left = JSON.stringify(body).includes(placeholderUrl) ? await listedAt(kit, url) : undefined;
    if (left === undefined || left.length === 0) return undefined;
    return modelState.accuse(
      wrong('invalid-taken', requirement, {
        expected: 'the refused creation leaves nothing behind',
        actual: `${describeAnswer(call.answer)}, and yet a webhook with this url is listed`,
        exchanges: [call, ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1)],
        difference: change,
      }),
    );
  },
};
