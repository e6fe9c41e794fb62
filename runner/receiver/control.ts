import type { Notification } from '../../generators/notification/notification.ts';
import type { Json } from '../../generators/json/json.ts';
import { houseStyles } from '../../generators/spelling/writeJson.ts';
import type { BodySpelling } from '../../suites/kit.ts';
import type { CatalogueEvent } from '../../spec/contract.ts';
import { statusClass } from '../../spec/statusClasses.ts';
import { hasStatusClass, isOverloaded } from '../../suites/answer.ts';
import { attemptsOf } from '../../suites/receiver/expectation.ts';
import { overOwnConnection } from '../../suites/receiver/onWire.ts';
import type { Answer, Attempt } from '../../suites/delivery.ts';
import { itemOf } from '../../suites/items.ts';
import { unreachedKind, unreadable } from '../../suites/unreached.ts';
import { matches } from '../options/selection.ts';
import type { ControlResult, ReceiverContext, Taken } from './receiverContext.ts';
import { effectiveEvents, type Sent, unseenBeginning } from './effectiveEvents.ts';
import { noEventPossible, smallestOfEach, forControl, plainOfEach, sentToAll, othersThan } from './plainDeliveries.ts';
import { CaseKit } from './receiverKit.ts';
import { areRefusedByChance } from './refusedByChance.ts';
import { signatureReadings, type SignatureReading } from './signatureReadings.ts';
import { control } from '../engine/cases.ts';
import { mayBeStarting } from '../process/presence.ts';

/** How the positive control ended: with what a run can go on with, or because of which answer nothing can be tested. */
export interface Control {
  /** The first plain delivery; where it was not accepted, the one that shows this. */
  readonly attempt: Attempt;
  /** Nothing where the receiver accepts no delivery of any kind. */
  readonly found?: ControlResult;
  /** Where deliveries are accepted that were signed as a program may read the secret or the contract: how that is. */
  readonly asRead?: SignatureReading;
}

/** The events that the receiver subscribes to, in the order of the catalogue. */
export function subscribedEvents({ contract, events }: ReceiverContext['plan']): readonly CatalogueEvent[] {
  if (events.length === 0) return contract.events;
  return contract.events.filter(({ name }) => events.some((pattern) => matches(pattern, name)));
}

/**
 * The positive control: a plain valid delivery of every subscribed event, one at first, the others only once one was
 * accepted. Where none of the first few is accepted, what else the receiver takes is looked for: the run then goes on
 * with that, and the checks of what was refused show it broken.
 */
export async function positiveControl(context: ReceiverContext): Promise<Control> {
  const { attempt, begun } = await beginning(context);
  if (begun === undefined) return { attempt, ...(await acceptedOtherwise(context, attempt.answer)) };
  if (begun.unseen) return { attempt, found: { ...begun, accepted: new Set([attempt.delivery.event]) } };
  context.hangWatch.begin(
    async () => (await plainAnswer(context, begun)).kind === 'answered',
    async () => {
      const answer = await plainAnswer(context, begun);
      return isAccepted(context, begun, answer) ? undefined : answer;
    },
  );
  const plain = plainOfEach(context, begun);
  // A kept connection may lead to one process of several, and another process may refuse what that one accepts.
  const everySecond = (notification: Notification, place: number): Promise<Sent> =>
    send(context, begun, notification, { own: place % 2 === 1 });
  const { sent, msOfOne } = await sentToAll(context, everySecond, plain, () => plainAnswer(context, begun));
  const accepted = sent.filter(({ answer }) => isAccepted(context, begun, answer));
  const byChance = await areRefusedByChance(
    sent.filter((each) => !accepted.includes(each)),
    async ({ delivery }) =>
      isAccepted(context, begun, (await send(context, begun, begun.plain.get(delivery.event)!, { own: true })).answer),
    context.deadline.part(forControl.share),
  );
  const prompt = accepted.filter(({ isLate }) => !isLate);
  // What comes late whatever is sent would be taken for what a case does to it.
  const usable = prompt.length > 0 ? prompt : accepted;
  const seen = await effectiveEvents(context, usable, attempt, ({ delivery }) =>
    send(context, begun, begun.plain.get(delivery.event)!),
  );
  const found = {
    ...begun,
    msOfOne,
    ...(byChance && { byChance }),
    accepted: new Set(usable.map(({ delivery }) => delivery.event)),
    ...seen,
    control: effectiveControl(begun, seen.effective),
    ...(seen.beginning && { beginning: { ...seen.beginning, first: attempt } }),
  };
  return { attempt, found };
}

/** What cases are compared with is of an event that takes effect, where there is one: nothing is judged of the effects of others. */
function effectiveControl({ control, plain }: ControlResult, effective: ReadonlySet<string>): Notification {
  if (effective.has(control.event)) return control;
  const [event = control.event] = effective;
  return plain.get(event) ?? control;
}

/** The first plain delivery that was accepted, and what is known by it; or what it was that was refused. */
async function beginning(context: ReceiverContext): Promise<{ attempt: Attempt; begun?: ControlResult }> {
  const strict = nothingYet(context, { fraction: '' });
  const first = await firstOnceReady(context, strict);
  const { attempt } = first;
  if (first.accepted) return { attempt, begun: startedWith(strict, attempt) };
  const { answer } = attempt;
  if (isEndless(context, answer)) return { attempt, begun: startedWith(strict, attempt, { unseen: endless }) };
  if (answer.kind === 'timed-out' || (answer.kind === 'broken' && unreachedKind(answer.code) !== undefined))
    return { attempt };
  if (answer.kind === 'answered' && [2, 3].includes(statusClass(answer.status)))
    return { attempt, begun: await withStatus(context, strict, attempt, answer.status) };
  const left = othersThan(answer, context.plan).map((taken) => nothingYet(context, taken));
  while (left.length > 0) {
    const tried = left.splice(0, widthAfter(attempt));
    const sent = await Promise.all(tried.map((other) => send(context, other, other.control)));
    const place = sent.findIndex((again, tries) => isAccepted(context, tried[tries]!, again.answer));
    if (place < 0) continue;
    const [other, again] = [tried[place]!, sent[place]!];
    // A fraction of a second is no less plain than none.
    return { attempt: other.fraction === '' ? attempt : again, begun: startedWith(other, again) };
  }
  return { attempt };
}

/** How many are sent side by side: what is overloaded says so after all retries, and one after the other takes minutes. */
const widthAfter = (refused: Attempt): number => (isOverloaded(refused.answer) ? forControl.width : 1);

const endless = { why: 'the answer to a plain delivery begins and does not end', judges: 'plain' } as const;

/** Whether an answer would be an acceptance if it ended. */
function isEndless({ plan }: ReceiverContext, answer: Answer): boolean {
  if (answer.kind === 'answered' || answer.status === undefined) return false;
  return plan.contract.delivery.acceptedStatuses.includes(answer.status);
}

/** What is known by a delivery that is accepted where the secret is read, or the body written, in another way. */
async function acceptedOtherwise(
  context: ReceiverContext,
  refusal: Answer,
): Promise<Pick<Control, 'found' | 'asRead'>> {
  const [secret] = context.plan.secrets;
  if (secret === undefined || !hasStatusClass(refusal, 4)) return {};
  for (const asRead of signatureReadings(context.scheme, context.signatureHeader, secret)) {
    const other = nothingYet(context, { fraction: '', secret: asRead.secret });
    const { answer } = await send({ ...context, scheme: asRead.scheme }, other, other.control);
    if (isAccepted(context, other, answer)) return { asRead };
  }
  for (const spelling of otherSpellings(nothingYet(context, { fraction: '' }).control)) {
    const unseen = { why: `a body is accepted only ${spelling.words}`, judges: 'spelling' } as const;
    const found = nothingYet(context, { fraction: '', spelling, unseen });
    const kit = new CaseKit(context, control, found);
    const written = kit.compose(found.control, { rewrite: spelling.rewrite });
    if (!isAccepted(context, found, await kit.deliverWithRetries(written))) continue;
    const { answer } = await send(context, found, found.control);
    // A plain one that is accepted by now was refused for something else.
    return isAccepted(context, found, answer) ? {} : { found: { ...found, accepted: new Set([found.control.event]) } };
  }
  return {};
}

/** How serialisers write this one in other bytes. Of several that write the same, the last one is named: it says least. */
function otherSpellings({ value }: Notification): readonly BodySpelling[] {
  const byText = new Map(
    Object.entries(houseStyles).map(([words, write]) => [write(value), { words, write }] as const),
  );
  byText.delete(JSON.stringify(value));
  return [...byText.values()].map(({ words, write }) => ({
    words,
    rewrite: (body) => Buffer.from(write(JSON.parse(body.toString()) as Json)),
  }));
}

function startedWith(found: ControlResult, { delivery }: Attempt, more: Partial<Taken> = {}): ControlResult {
  return { ...found, ...more, control: found.plain.get(delivery.event)! };
}

/** A status between acceptance and refusal is taken for acceptance, unless a redirect comes whatever is sent. */
async function withStatus(
  context: ReceiverContext,
  strict: ControlResult,
  attempt: Attempt,
  status: number,
): Promise<ControlResult> {
  const found = startedWith(strict, attempt, { status });
  if (statusClass(status) !== 3 || (await answersOtherwise(context, found, status))) return found;
  return { ...found, unseen: { why: `whatever is sent is answered with ${status}`, judges: 'plain' } };
}

/** Whether anything that cannot be accepted gets another answer: a forgery, or a body that is none. */
async function answersOtherwise(context: ReceiverContext, found: ControlResult, status: number): Promise<boolean> {
  const kit = new CaseKit(context, control, found);
  const forged =
    kit.secrets.length > 0 ? [kit.compose(found.control, { secret: 'not the secret of this receiver' })] : [];
  const garbage = kit.compose(found.control, { rewrite: () => Buffer.from('{') });
  for (const delivery of [...forged, garbage]) {
    const answer = await kit.deliver(delivery);
    if (answer.kind === 'answered' && answer.status !== status) return true;
  }
  return false;
}

/** The answer to a plain delivery that is sent past all others: a new one, for a redelivery may be what is refused. */
function plainAnswer(context: ReceiverContext, found: ControlResult): Promise<Answer> {
  const kit = new CaseKit(context, control, found);
  return context.deliverer.ask(kit.compose(found.control));
}

/** What is known before anything was accepted: the plain notifications themselves. */
function nothingYet(context: ReceiverContext, taken: Taken): ControlResult {
  const plain = smallestOfEach(context, subscribedEvents(context.plan), taken.fraction);
  const [control] = plain.values();
  if (control === undefined) throw noEventPossible(context);
  return {
    ...taken,
    plain,
    accepted: new Set(),
    effective: new Set(),
    control,
    beginning: unseenBeginning(),
    msOfOne: 0,
  };
}

/** One that the kit has just started may refuse for a while: then the first ones are sent again once it is ready. */
async function firstOnceReady(context: ReceiverContext, found: ControlResult) {
  const first = await firstAccepted(context, found);
  const target = context.targetProcess?.target;
  if (first.accepted || !target || !mayBeStarting(first.attempt.answer)) return first;
  return (await target.isReady(() => plainAnswer(context, found))) ? firstAccepted(context, found) : first;
}

/** So many others are tried, at the same moment as it once more, where the first gets no answer: a handler may end without one. */
const othersOfSilent = 4;

async function firstAccepted(context: ReceiverContext, found: ControlResult) {
  const [first, ...left] = [...found.plain.values()];
  const refused = await send(context, found, first!);
  if (isAccepted(context, found, refused.answer)) return { accepted: true, attempt: refused } as const;
  if (hasNoAnswer(refused.answer)) {
    const kit = new CaseKit(context, control, found);
    const deliveries = [first!, ...spread(left, othersOfSilent)].map((notification) => kit.compose(notification));
    const sent = attemptsOf(deliveries, await kit.together(deliveries));
    const attempt = sent.find(({ answer }) => isAccepted(context, found, answer));
    return attempt ? ({ accepted: true, attempt } as const) : ({ accepted: false, attempt: refused } as const);
  }
  while (left.length > 0 && refused.answer.kind === 'answered') {
    const tried = left.splice(0, widthAfter(refused));
    const sent = await Promise.all(tried.map((notification) => send(context, found, notification)));
    const attempt = sent.find(({ answer }) => isAccepted(context, found, answer));
    if (attempt) return { accepted: true, attempt } as const;
    if (sent.some(({ answer }) => answer.kind !== 'answered')) break;
  }
  return { accepted: false, attempt: refused } as const;
}

/** Whether it was taken, and nothing came back. */
function hasNoAnswer(answer: Answer): boolean {
  if (answer.kind === 'answered' || answer.status !== undefined) return false;
  if (answer.kind === 'timed-out') return true;
  return unreachedKind(answer.code) === undefined && unreadable(answer.code) === undefined;
}

/** So many of them, as far apart as can be. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, place) => itemOf(all, Math.floor(place * step)));
}

/** @param own - whether it goes over a connection of its own */
async function send(
  context: ReceiverContext,
  found: ControlResult,
  notification: Notification,
  { own = false } = {},
): Promise<Sent> {
  const kit = new CaseKit(context, control, found);
  const delivery = kit.compose(notification);
  const answer = await kit.deliverWithRetries(own ? overOwnConnection(delivery) : delivery);
  const isLate = kit.attempts[0]?.answer.kind === 'timed-out';
  return { delivery, answer, times: kit.attempts.length, isLate };
}

function isAccepted({ plan }: ReceiverContext, { status }: Taken, answer: Answer): boolean {
  if (answer.kind !== 'answered') return false;
  return answer.status === status || plan.contract.delivery.acceptedStatuses.includes(answer.status);
}
