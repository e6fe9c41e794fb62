import { receiverCheck, type ReceiverCheck, Undecidable, Unproven } from '../check.ts';
import type { Answer, Attempt, Delivery } from '../delivery.ts';
import type { Composition, ReceiverKit } from '../kit.ts';
import type { Json } from '../../generators/json/json.ts';
import { houseStyles } from '../../generators/spelling/writeJson.ts';
import { inTwo, onWire } from './onWire.ts';
import { itemOf } from '../items.ts';
import {
  briefWork,
  type Content,
  type InterruptionSchedule,
  type Sending,
  untilTheRest,
} from './interruptionSchedule.ts';

/**
 * A check whose cases kill, stop or pause the receiver: only effects show what was lost, and one that does not go on
 * afterwards breaks RTY-1.
 *
 * @param own - `timed`: whether the moment of the interruption decides. Default true; `restarts`: see the schedule
 */
export function interruptingCheck<V>({
  timed = true,
  restarts = true,
  ...own
}: Omit<ReceiverCheck<V>, 'fatal' | 'needs' | 'schedule'> & {
  readonly timed?: boolean;
  readonly restarts?: boolean;
}): ReceiverCheck {
  const schedule = { kind: 'interrupting', ...(timed && { timed }), ...(!restarts && { restarts }) } as const;
  const run: typeof own.run = async (kit, value) => {
    await expectWorking(kit);
    return own.run(kit, value);
  };
  return receiverCheck<V>({ ...own, run, fatal: 'RTY-1', needs: ['process-control', 'probe'], schedule });
}

/** @throws Undecidable where an interruption was found to keep it from all work, and it still does: each case would wait in vain */
async function expectWorking(kit: ReceiverKit): Promise<void> {
  const { idleSince, afterInterruption } = kit.beginning;
  if (idleSince === undefined || afterInterruption === undefined) return;
  const { id } = afterInterruption.delivery;
  if (!((await kit.effectsSoFar([id])).get(id) ?? 0)) throw worksOnNothing(idleSince);
}

export function worksOnNothing(since: string): Undecidable {
  return new Undecidable(`nothing takes effect, as after an earlier interruption (${since})`);
}

/** What was sent before, while and after an interruption hit the receiver, each once. */
export interface Interrupted {
  /** What the schedule lists, then its load. */
  readonly attempts: readonly Attempt[];
  /** For each of these a delivery of the same content under another id, sent at the same moment; none where not asked for. */
  readonly twins: readonly Attempt[];
}

/**
 * Sends what the schedule says, and interrupts when it says. Resolves once the interruption is over and every delivery has ended:
 * the receiver may be down then. The attempts hold what would be delivered again, which is always the whole body.
 *
 * @param how - `twins`: whether each delivery has a twin
 */
export async function interrupted(
  kit: ReceiverKit,
  schedule: InterruptionSchedule,
  interrupt: () => Promise<unknown>,
  { twins = false }: { readonly twins?: boolean } = {},
): Promise<Interrupted> {
  const acknowledged = countdown(schedule.acknowledgements);
  const send = async ({
    content,
    indented,
    offset,
    part,
    copies = 1,
  }: Sending & Pick<InterruptionSchedule, 'copies'>): Promise<Attempt> => {
    const delivery = composed(kit, content, indented && { rewrite: withLineEnds });
    if (offset > 0) await kit.pause(offset);
    const deliverCopy = async (): Promise<Answer> => {
      const answer = await kit.deliver(inParts(delivery, part));
      if (kit.accepts(answer)) acknowledged.count();
      return answer;
    };
    const [first, ...others] = await Promise.all([deliverCopy(), ...Array.from({ length: copies - 1 }, deliverCopy)]);
    return { delivery, answer: [first, ...others].find((answer) => kit.accepts(answer)) ?? first };
  };
  const all = Promise.all(
    sendings(schedule).map((sending) => Promise.all([send(sending), twins ? send(sending) : undefined])),
  );
  const interruption = async () => {
    await Promise.race([acknowledged.done, all]);
    if (schedule.delay > 0) await kit.pause(schedule.delay);
    await interrupt();
  };
  const [sent] = await Promise.all([all, interruption()]);
  return { attempts: sent.map(([one]) => one), twins: sent.flatMap(([, twin]) => (twin ? [twin] : [])) };
}

/** Times as long as for a receiver that does brief work, at most: work of a second is hit by now. */
const longestPace = 100;

/**
 * The schedule with the times that this receiver gets, where they depend on how long it works on a delivery. What it does between
 * its first write and its last is seen nowhere else.
 */
export async function inPace(kit: ReceiverKit, schedule: InterruptionSchedule): Promise<InterruptionSchedule> {
  if (schedule.paced !== true) return schedule;
  const delivery = composed(kit, itemOf(schedule.deliveries, 0).content);
  const began = kit.elapsed();
  const answer = await kit.deliver(delivery);
  if (!kit.accepts(answer)) return schedule;
  const isDone = async (): Promise<boolean> => ((await kit.effectsSoFar([delivery.id])).get(delivery.id) ?? 0) > 0;
  let took = answer.ms;
  if (kit.probed && !(await isDone())) {
    await kit.untilEffect([delivery.id]);
    if (await isDone()) took = kit.elapsed() - began;
  }
  const pace = Math.min(longestPace, Math.max(1, took / briefWork));
  const stretched = (ms: number): number => Math.round(ms * pace);
  const deliveries = schedule.deliveries.map((each) => ({ ...each, offset: stretched(each.offset) }));
  return { ...schedule, delay: stretched(schedule.delay), deliveries };
}

/** How a receiver went down: killed, or asked to end. */
export type End = 'killed' | 'stopped';

export async function ended({ processControl }: Pick<ReceiverKit, 'processControl'>, end: End): Promise<void> {
  await (end === 'killed' ? processControl.kill() : processControl.stop());
}

/** The same where the interruption is a kill, which may hit it again as soon as it has come up. */
export async function killed(
  kit: ReceiverKit,
  schedule: InterruptionSchedule,
  how?: Parameters<typeof interrupted>[3],
): Promise<Interrupted> {
  const sent = await interrupted(kit, schedule, () => kit.processControl.kill(), how);
  for (let times = 0; times < schedule.repeats; times++) {
    await kit.processControl.start();
    if (schedule.delay > 0) await kit.pause(schedule.delay);
    await kit.processControl.kill();
  }
  return sent;
}

/** The schedule in a few words: `2 notifications and 17 more under load, killed 12 ms after acknowledgement 3`. */
export function describeInterruption(
  { load, repeats, copies = 1, acknowledgements, delay, deliveries }: InterruptionSchedule,
  interruption: string,
): string {
  const several = deliveries.length === 1 ? 'one notification' : `${deliveries.length} notifications`;
  const partly = deliveries.some(({ part }) => part < 1) ? ', sent in part' : '';
  const written = deliveries.some(({ indented }) => indented) ? ', with line ends in the body' : '';
  const copied = copies > 1 ? `, ${copies} copies at the same moment` : '';
  const more = load > 0 ? ` beside ${load} more` : '';
  // Of fewer deliveries, all have been answered by then.
  const last = Math.min(acknowledgements, copies * deliveries.length + load);
  const since = last > 0 ? `acknowledgement ${last}` : 'the first byte';
  const again = repeats === 0 ? '' : `, and ${repeats === 1 ? 'once' : `${repeats} times`} again after the start`;
  return `${several}${copied}${partly}${written}${more}; ${interruption} ${delay} ms after ${since}${again}`;
}

/**
 * A delivery of this content.
 *
 * @throws Unproven where the plain delivery of no event showed an effect
 */
export function composed(kit: ReceiverKit, content: Content, how?: Composition): Delivery {
  if (content !== null) return kit.compose(content, how);
  const event = kit.contract.events.find(({ name }) => kit.isEffective(name));
  if (event === undefined) throw new Unproven('the plain delivery of no event took effect exactly once');
  return kit.compose(kit.plain({ event: event.name, value: null }), how);
}

function withLineEnds(body: Buffer): Buffer {
  return Buffer.from(houseStyles.indented(JSON.parse(body.toString()) as Json));
}

/** The deliveries of the schedule, then its load. */
function sendings({
  deliveries,
  load,
  copies = 1,
}: InterruptionSchedule): readonly (Sending & Pick<InterruptionSchedule, 'copies'>)[] {
  const listed = deliveries.map((each) => ({ ...each, copies }));
  return [...listed, ...Array.from({ length: load }, () => ({ offset: 0, part: 1, content: null }))];
}

function inParts(delivery: Delivery, part: number): Delivery {
  if (part === 1) return delivery;
  return onWire(delivery, inTwo(part, { pause: untilTheRest }));
}

function countdown(from: number): { readonly done: Promise<void>; count(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = from;
  if (left === 0) resolve();
  return {
    done: promise,
    count() {
      left -= 1;
      if (left === 0) resolve();
    },
  };
}
