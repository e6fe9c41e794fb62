import fc from 'fast-check';

import { describeAnswer } from '../../../answer.ts';
import type { Attempt } from '../../../delivery.ts';
import type { ReceiverKit } from '../../../kit.ts';
import { finding } from '../../../finding.ts';
import { acceptedStatuses } from '../../../receiver/expectation.ts';
import { anyRefusal, isRefusal } from '../../../receiver/robustness/hostile.ts';
import { isNonsense, spoilings, spoilt, type Spoiling } from '../../../receiver/spoiling.ts';
import { Mistake } from '../mistake.ts';
import { receiverStep } from '../stepKind.ts';
import { without, written } from '../making.ts';
import { slot, type Slot } from '../slot.ts';

/** A body that no receiver can have understood, signed as it is: what the slot holds, spoilt. */
interface Spoil {
  readonly do: 'spoil';
  readonly slot: Slot;
  readonly how: Spoiling;
}

/** What is no JSON at all, and so has to be refused as such. */
const illegal: ReadonlySet<Spoiling> = new Set([
  'the body ends in the middle',
  'a comma stands before the last brace',
  'text follows the JSON',
  'the JSON has single quotes',
]);
export const spoil = receiverStep<Spoil>({
  kind: 'spoil',
  weight: 1,
  steps: () =>
    fc.record(
      { do: fc.constant('spoil' as const), slot, how: fc.constantFrom(...spoilings) },
      { noNullPrototype: true },
    ),
  possible: () => true,
  play: async ({ slot: name, how }, kit, modelState) => {
    const entry = modelState.atOrNew(kit, name);
    // What is spoilt is the compact form: white space at the end would keep some of it as it was.
    const compact = written(kit, without(entry.writing, 'form'), entry.genuine.id);
    const delivery = kit.withBody(compact, spoilt(compact.body, how, kit.contract.delivery.members.id));
    if (delivery.body.equals(compact.body) || !isNonsense(kit.contract, how, delivery.body)) return;
    const answer = await kit.deliver(delivery);
    modelState.judge('RCV-5', ...(illegal.has(how) ? (['ROB-1'] as const) : []));
    entry.spoilt += 1;
    if (entry.accepted === 0) entry.failed += 1;
    if (kit.accepts(answer)) throw accepted(kit, { delivery, answer }, how);
    if (illegal.has(how) && !isRefusal(answer)) throw failed({ delivery, answer }, how);
  },
  describe: ({ slot: name, how }) => `deliver ${name} spoilt: ${how}`,
});

function accepted(kit: ReceiverKit, sent: Attempt, difference: string): Mistake {
  const seen = {
    expected: `not ${acceptedStatuses(kit)}: the receiver cannot have taken this as a notification`,
    actual: describeAnswer(sent.answer),
    absence: false,
  };
  return new Mistake(finding({ requirement: 'RCV-5', difference }, { attempts: [sent], ...seen }), 'accepted');
}

function failed(sent: Attempt, difference: string): Mistake {
  const seen = {
    expected: anyRefusal,
    actual: describeAnswer(sent.answer),
    absence: true,
  };
  return new Mistake(finding({ requirement: 'ROB-1', difference }, { attempts: [sent], ...seen }), 'failed');
}
