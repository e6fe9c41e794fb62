import {
  notification as notificationArbitrary,
  type Notification,
} from '../../generators/notification/notification.ts';
import type { CatalogueEvent } from '../../spec/contract.ts';
import type { Answer, Attempt, Delivery } from '../../suites/delivery.ts';
import { smallestOf } from '../engine/cases.ts';
import { madeRecent } from './madeRecent.ts';
import { matches } from '../options/pattern.ts';
import { ProbeError } from './probe.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import { mayRefuseContent } from './refusalAdvice.ts';

/** Milliseconds that the first effect of all is waited for, before anything is known of how long effects take. */
const firstEffect = 10_000;

/** How the positive control ended: what it found, or the answer because of which nothing can be tested. */
export type Control =
  | { readonly accepted: true; readonly found: ControlResult; readonly attempt: Attempt }
  | { readonly accepted: false; readonly attempt: Attempt };

/** The events that the receiver subscribes to, in the order of the catalogue. */
export function subscribedEvents({ contract, events }: ReceiverContext['plan']): readonly CatalogueEvent[] {
  if (events.length === 0) return contract.events;
  return contract.events.filter(({ name }) => events.some((pattern) => matches(pattern, name)));
}

/**
 * The positive control: a plain valid delivery of every subscribed event, one at first, the others only once one was
 * accepted. Where none of the first few is accepted, the target cannot be tested.
 */
export async function positiveControl(context: ReceiverContext): Promise<Control> {
  const { found, first } = await begun(context);
  if (!first.accepted) return first;
  const { plain } = found;
  context.hangWatch.begin(() => answersPlainly(context, first.attempt.delivery));
  const all = await Promise.all([...plain.values()].map((notification) => send(context, found, notification)));
  const accepted = all.filter(({ answer }) => isAccepted(context, answer));
  return {
    accepted: true,
    attempt: first.attempt,
    found: {
      ...found,
      accepted: new Set(accepted.map(({ delivery }) => delivery.event)),
      ...(await effectiveEvents(context, accepted)),
      control: plain.get(first.attempt.delivery.event)!,
    },
  };
}

/** Whether a plain delivery is answered that is sent past all others. */
async function answersPlainly({ deliverer }: ReceiverContext, plain: Delivery): Promise<boolean> {
  return (await deliverer.ask(plain)).kind === 'answered';
}

/** The first plain delivery that was accepted: of creation times in whole seconds, or else in milliseconds. */
async function begun(context: ReceiverContext) {
  const found = nothingYet(context, '');
  const first = await firstAccepted(context, found);
  if (first.accepted || !mayRefuseContent(first.attempt.answer)) return { found, first };
  const inMilliseconds = nothingYet(context, '.000');
  const attempt = await send(context, inMilliseconds, inMilliseconds.control);
  if (!isAccepted(context, attempt.answer)) return { found, first };
  return { found: inMilliseconds, first: { accepted: true, attempt } as const };
}

/** What is known before anything was accepted: the plain notifications themselves. */
function nothingYet(context: ReceiverContext, fraction: string): ControlResult {
  const events = subscribedEvents(context.plan);
  const plain = new Map(events.map((event) => [event.name, smallest(context, event, fraction)]));
  const [control] = plain.values();
  return {
    plain,
    accepted: new Set(),
    effective: new Set(),
    control: control!,
    fraction,
    beginning: { attempts: [], at: 0 },
  };
}

async function firstAccepted(context: ReceiverContext, found: ControlResult) {
  let refused: Attempt | undefined;
  for (const notification of found.plain.values()) {
    const attempt = await send(context, found, notification);
    if (isAccepted(context, attempt.answer)) return { accepted: true, attempt } as const;
    refused ??= attempt;
    if (attempt.answer.kind !== 'answered') break;
  }
  return { accepted: false, attempt: refused! } as const;
}

async function send(context: ReceiverContext, found: ControlResult, notification: Notification): Promise<Attempt> {
  const kit = new CaseKit(context, { check: 'control', case: 0 }, found);
  const delivery = kit.compose(notification);
  const answer = await kit.deliverWithRetries(delivery);
  return { delivery, answer };
}

/** Events whose plain delivery took effect once. Waits no longer than it takes for each to show its effect. */
async function effectiveEvents(
  context: ReceiverContext,
  accepted: readonly Attempt[],
): Promise<Pick<ControlResult, 'effective' | 'probeTrouble'> & Partial<Pick<ControlResult, 'beginning'>>> {
  const { settler, probe } = context;
  if (!settler) return { effective: new Set() };
  const at = context.elapsed();
  try {
    const seen = await settler.untilSeen(new Map(accepted.map(({ delivery }) => [delivery.id, 1])), {
      first: firstEffect,
    });
    const once = accepted.filter(({ delivery }) => seen.get(delivery.id) === 1);
    if (once.length > 0)
      return { effective: new Set(once.map(({ delivery }) => delivery.event)), beginning: { attempts: once, at } };
    const notes = probe?.notes.map((note) => `; ${note}`).join('') ?? '';
    return {
      effective: new Set(),
      probeTrouble: `no plain delivery showed exactly one effect through --probe${notes}`,
    };
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    return { effective: new Set(), probeTrouble: error.message };
  }
}

function isAccepted({ plan }: ReceiverContext, answer: Answer): boolean {
  return answer.kind === 'answered' && plan.contract.delivery.acceptedStatuses.includes(answer.status);
}

/** What shrinking ends at, by event: finding it takes milliseconds, and no run needs another one. */
const plainest = new WeakMap<CatalogueEvent, Notification>();

function smallest({ plan, startedAt: now }: ReceiverContext, event: CatalogueEvent, fraction: string): Notification {
  const notification = plainest.get(event) ?? smallestOf(notificationArbitrary(plan.contract, event), 1);
  plainest.set(event, notification);
  return madeRecent(plan.contract, notification, { now, fraction });
}
