import { setTimeout as sleep } from 'node:timers/promises';

import { assumptionValue } from '../../spec/assumptions.ts';
import { parseDuration } from '../../spec/duration.ts';
import { positiveControl, type Control } from './control.ts';
import type { ReceiverContext } from './receiverContext.ts';

/** Milliseconds between two controls. */
const between = 500;
/** Milliseconds that a receiver gets from its reading of the list to its first use. */
const grace = 2000;

/**
 * The positive control. A receiver that was not started by the kit finds the service's API only from now on, and so may
 * not know yet from where it is delivered to: then the control is tried again until it has read the list.
 */
export async function controlOnceListed(context: ReceiverContext): Promise<Control> {
  const { plan, ended } = context;
  const followsList = plan.api !== undefined && plan.published.length > 0 && plan.life === undefined;
  const patience = followsList ? parseDuration(assumptionValue(plan.assumptions, 'senderAddresses.refresh')) : 0;
  const until = context.elapsed() + patience;
  for (;;) {
    const control = await positiveControl(context);
    if (control.accepted || control.attempt.answer.kind !== 'answered') return control;
    if (context.elapsed() > until || hasReadTheList(context)) return control;
    await sleep(between, undefined, { signal: ended }).catch(() => undefined);
  }
}

function hasReadTheList(context: ReceiverContext): boolean {
  const read = context.api?.calls.find(({ operationId }) => operationId === 'listWebhookIps');
  return read !== undefined && context.elapsed() - read.at > grace;
}
