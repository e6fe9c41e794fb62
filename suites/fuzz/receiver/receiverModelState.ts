import type { Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { FuzzStep } from '../fuzzing.ts';
import { type Making, type Writing, writingOf, written } from './making.ts';
import { nearTo, type Slot } from './slot.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** What became of one notification so far, as its sender knows it. */
export interface Entry {
  readonly writing: Writing;
  /** As it was sent at first, or would have been. Its id is that of the notification. */
  readonly genuine: Delivery;
  /** The notification whose id this one's was made near to. */
  readonly near?: Entry;
  /** Genuine deliveries that were accepted. */
  accepted: number;
  /** Genuine deliveries of which every byte was sent. */
  whole: number;
  /** Whether any genuine delivery was begun: then it is owed. */
  begun: boolean;
  /** Genuine deliveries that broke off, were spoilt or refused before the first acceptance. */
  failed: number;
  /** Whole genuine deliveries whose answer did not come: the receiver may know it although it never acknowledged it. */
  unheard: number;
  /** Forged deliveries under its id. */
  forged: number;
  /** The requirement that the last of them would break, were it accepted. */
  forbidden?: RequirementId;
  /** Bodies that were spoilt after they had been written, and signed. */
  spoilt: number;
  /** Whether copies of it were under way at the same time. */
  concurrent: boolean;
  /** How many steps had been played before the last one in which they were. */
  concurrentAfter: number;
  /** The number of interruptions at its last acceptance. */
  acceptedAtInterruption: number;
  /** False where the receiver may refuse it. */
  expected: boolean;
}

/** What hit the receiver: it was killed, asked to end, or stood still. */
export type Interruption = 'kill' | 'stop' | 'pause';

/** A step that was played, and the attempts that were made in it. */
export interface Played {
  readonly step: FuzzStep;
  readonly attempts: readonly Attempt[];
}

/** The model of a right receiver in one sequence: what was sent, what was acknowledged, and so what must be true. */
export class ReceiverModelState {
  readonly #slots = new Map<Slot, Entry>();
  readonly #entries: Entry[] = [];
  readonly interruptions: Interruption[] = [];
  /** Plain deliveries that were sent once, at the moment of an interruption, and are never delivered again. */
  readonly bystanders: Attempt[] = [];
  /** Forged deliveries under ids that no notification has. */
  readonly strangers: Attempt[] = [];
  readonly played: Played[] = [];
  /** Requirements that were looked at. */
  readonly judged = new Set<RequirementId>();
  /** How many attempts had been made once all that was owed had been delivered. */
  owed: number | undefined;
  /** Redeliveries of what was acknowledged that had no answer at first. */
  readonly unanswered: { readonly entry: Entry; readonly attempt: Attempt }[] = [];

  /** All notifications, in the order in which they were made. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  at(slot: Slot): Entry | undefined {
    return this.#slots.get(slot);
  }

  /** Makes a notification and names it so. Nothing is sent. */
  make(kit: ReceiverKit, slot: Slot, making: Making = {}): Entry {
    const like = making.like && this.at(making.like.slot)?.writing;
    const near = making.id && 'slot' in making.id ? this.at(making.id.slot) : undefined;
    const fresh = kit.freshId();
    const id = making.id ? nearTo(fresh, making.id, near?.genuine.id) : fresh;
    const writing = writingOf(kit, making, like);
    return this.#enter(slot, {
      writing,
      genuine: written(kit, writing, id),
      ...(near && { near }),
      accepted: 0,
      whole: 0,
      begun: false,
      failed: 0,
      unheard: 0,
      forged: 0,
      spoilt: 0,
      concurrent: false,
      concurrentAfter: 0,
      acceptedAtInterruption: 0,
      expected: true,
    });
  }

  /** What the slot holds, or a plain new notification where it holds none. */
  atOrNew(kit: ReceiverKit, slot: Slot): Entry {
    return this.at(slot) ?? this.make(kit, slot);
  }

  /** Notes how a genuine delivery ended of which every byte was sent. */
  note(kit: ReceiverKit, entry: Entry, { answer }: Attempt): void {
    entry.begun = true;
    entry.whole += 1;
    if (kit.accepts(answer)) {
      entry.accepted += 1;
      entry.acceptedAtInterruption = this.interruptions.length;
    }
    if (entry.accepted === 0) entry.failed += 1;
  }

  /** The same where nothing was judged by the answer: one that did not come may have been an acceptance. */
  heard(kit: ReceiverKit, entry: Entry, sent: Attempt): void {
    this.note(kit, entry, sent);
    if (sent.answer.kind !== 'answered') entry.unheard += 1;
  }

  judge(...requirements: readonly RequirementId[]): void {
    for (const requirement of requirements) this.judged.add(requirement);
  }

  /** An id that came twice, as two near ones may, would be no notification of its own. */
  #enter(slot: Slot, entry: Entry): Entry {
    const same = this.#entries.find(({ genuine }) => genuine.id === entry.genuine.id);
    if (same === undefined) this.#entries.push(entry);
    this.#slots.set(slot, same ?? entry);
    return same ?? entry;
  }
}
