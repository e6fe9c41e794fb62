import fc from 'fast-check';

import { parseDuration } from '../../../spec/duration.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, Unobservable, Unproven, type Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, finding } from '../expectation.ts';
import { nearAddresses } from './foreignAddress.ts';

/** The operation that tells the sender addresses. */
const operation = 'listWebhookIps';
/** Milliseconds between two looks at whether the receiver has followed. */
const between = 100;

/** Section 5.2: the published list changes, and is read again every so often. */
export const changedList = receiverCheck<null>({
  id: 'receiver/source/changed-list',
  title: 'follows a change of the published addresses',
  requirements: ['SRC-1'],
  needs: ['published', 'api'],
  schedule: { kind: 'alone' },
  weight: 0.01,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    const added = await addressKeptOut(kit);
    kit.api.publish([added]);
    try {
      return await followed(kit, twin, added);
    } finally {
      kit.api.publish(kit.published);
      await lookUntil(kit, kit.published[0]!, true);
    }
  },
  hint: 'Read the list of sender addresses again every so often, and put it in the place of the old one; where it cannot be read, keep the old one. A receiver that reads it more rarely than is assumed here needs --assume senderAddresses.refresh=<duration>.',
});

/** An address from which nothing is taken so far. @throws Unproven where there is none */
async function addressKeptOut(kit: ReceiverKit): Promise<string> {
  const candidates = nearAddresses(kit.published).slice(0, 10);
  for (const address of candidates) {
    if (!kit.accepts((await sent(kit, address)).answer)) return address;
  }
  throw new Unproven(`deliveries from ${candidates.join(', ')} are accepted although none of them is published`);
}

async function followed(kit: ReceiverKit, twin: Attempt, added: string): Promise<Finding | undefined> {
  const usual = kit.published[0]!;
  const [isIn, isOut] = await Promise.all([lookUntil(kit, added, true), lookUntil(kit, usual, false)]);
  if (!kit.api.calls.some(({ operationId }) => operationId === operation)) {
    throw new Unobservable(
      'the receiver never asked the API that the kit plays for the sender addresses: give it the address of --api-listen',
    );
  }
  const within = `within ${assumed(kit) / 1000} s`;
  if (!kit.accepts(isIn.answer)) {
    const point = { requirement: 'SRC-1', twin, difference: `sent from ${added}, which is published now` };
    return finding([isIn], point, {
      expected: `a delivery from an address that was added to the list is accepted ${within}: status ${acceptedStatuses(kit)}`,
      actual: describeAnswer(isIn.answer),
      absence: true,
    });
  }
  if (!kit.accepts(isOut.answer)) return undefined;
  const point = { requirement: 'SRC-1', twin, difference: `sent from ${usual}, which is published no longer` };
  return finding([isOut], point, {
    expected: `a delivery from an address that was taken from the list is turned away ${within}`,
    actual: `${describeAnswer(isOut.answer)}, which says that it was accepted`,
    absence: true,
  });
}

/** Delivers from the address until that is accepted, or is not, or the list should long have been read again. */
async function lookUntil(kit: ReceiverKit, address: string, wanted: boolean): Promise<Attempt> {
  const until = kit.elapsed() + assumed(kit);
  for (;;) {
    const attempt = await sent(kit, address);
    if (kit.accepts(attempt.answer) === wanted || kit.elapsed() > until) return attempt;
    await kit.pause(between);
  }
}

async function sent(kit: ReceiverKit, from: string): Promise<Attempt> {
  const delivery = { ...kit.compose(kit.control), from };
  return { delivery, answer: await kit.deliverFrom(from, delivery) };
}

/** Milliseconds after which a receiver has followed a change. */
function assumed(kit: ReceiverKit): number {
  return parseDuration(kit.assumed('senderAddresses.refresh'));
}
