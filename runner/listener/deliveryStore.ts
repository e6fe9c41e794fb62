import { createHash } from 'node:crypto';

import type { Answer } from '../../suites/delivery.ts';
import type { Caught } from '../../suites/exchange.ts';
import type { Judgement } from './judge.ts';

/** What `--exec` did with a delivery. */
export interface Executed {
  /** The exit code; null where a signal or the time limit ended it. */
  readonly code: number | null;
  /** The last of what it wrote. */
  readonly output: string;
}

/** A delivery that was sent again from the page, and what came back. */
export interface Resent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly url: string;
  /** Whether its body was changed first. */
  readonly changed: boolean;
  readonly answer: Answer;
}

/** A delivery as the listener keeps it. */
export interface CaughtRecord {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly caught: Caught;
  /** What attempts of one notification share. */
  readonly group: string;
  /** Empty where the delivery names none. */
  readonly event: string;
  /** Milliseconds since the attempt before it ended. */
  readonly pause: number | undefined;
  judgement: Judgement;
  /** What became of it at the receiver that it was forwarded to. */
  forwarded: Answer | undefined;
  executed: Executed | undefined;
  resent: readonly Resent[];
  /** Grows with each change of any record. */
  version: number;
}

/** How many deliveries came since the listener began. */
export interface Totals {
  readonly deliveries: number;
  readonly notifications: number;
  /** Those in which something breaks the contract. */
  readonly wrong: number;
  /** Those that are no longer kept. */
  readonly forgotten: number;
}

interface StoreLimits {
  /** Deliveries that are kept. */
  readonly deliveries: number;
  /** Bytes of bodies that are kept. */
  readonly bytes: number;
}

const usualLimits: StoreLimits = { deliveries: 2000, bytes: 64 * 1024 * 1024 };

/** Attempts of one notification. */
interface Group {
  readonly records: CaughtRecord[];
  /** How many came, also where some are no longer kept. */
  count: number;
}

/** The newest deliveries, sorted into notifications. What it holds is bounded. */
export class DeliveryStore {
  readonly #limits: StoreLimits;
  readonly #records = new Map<number, CaughtRecord>();
  readonly #groups = new Map<string, Group>();
  /** The number of the last first attempt, by what it says beside its id. */
  readonly #alike = new Map<string, number>();
  readonly #totals = { deliveries: 0, notifications: 0, wrong: 0, forgotten: 0 };
  #bytes = 0;
  #version = 0;

  constructor(limits: StoreLimits = usualLimits) {
    this.#limits = limits;
  }

  get totals(): Totals {
    return { ...this.#totals };
  }

  get version(): number {
    return this.#version;
  }

  /** The number of the oldest that is kept. */
  get oldest(): number {
    return this.#records.keys().next().value ?? this.#totals.deliveries + 1;
  }

  get(number: number): CaughtRecord | undefined {
    return this.#records.get(number);
  }

  /** The attempts of a notification that are kept, in order. */
  attempts(key: string): readonly CaughtRecord[] {
    return key === '' ? [] : (this.#groups.get(key)?.records ?? []);
  }

  /** How many attempts of a notification came so far. */
  countOf(key: string): number {
    return this.#groups.get(key)?.count ?? 0;
  }

  /** What was changed after this version, in order. */
  since(version: number): readonly CaughtRecord[] {
    return [...this.#records.values()].filter((record) => record.version > version);
  }

  /** The first attempt that came last of those that differ from this one in their id alone. */
  alike(caught: Caught): Caught | undefined {
    return this.#records.get(this.#alike.get(withoutId(caught)) ?? 0)?.caught;
  }

  /** @param judge - called with the attempts that came before, and with what differs in its id alone */
  add(
    caught: Caught,
    given: Pick<CaughtRecord, 'at' | 'event'>,
    judge: (earlier: readonly Caught[], alike: Caught | undefined) => Judgement,
  ): CaughtRecord {
    const number = (this.#totals.deliveries += 1);
    const group = caught.key === '' ? `#${number}` : caught.key;
    const known = this.#groups.get(group) ?? { records: [], count: 0 };
    const isFirst = known.count === 0;
    const alike = isFirst && caught.key !== '' ? this.alike(caught) : undefined;
    const before = known.records.at(-1)?.caught;
    const judgement = judge(
      known.records.map((each) => each.caught),
      alike?.key === caught.key ? undefined : alike,
    );
    const record: CaughtRecord = {
      ...given,
      number,
      caught,
      group,
      pause: before?.end === undefined ? undefined : Math.max(0, caught.at - before.end.at),
      judgement,
      forwarded: undefined,
      executed: undefined,
      resent: [],
      version: 0,
    };
    known.records.push(record);
    known.count += 1;
    this.#groups.set(group, known);
    this.#records.set(number, record);
    this.#bytes += caught.body.length;
    this.#totals.notifications += Number(isFirst);
    this.#totals.wrong += Number(judgement.findings.some(({ level }) => level === 'broken'));
    if (isFirst && caught.key !== '') this.#alike.set(withoutId(caught), number);
    this.touch(record);
    this.#forget();
    return record;
  }

  /** Says that a record has changed. */
  touch(record: CaughtRecord): void {
    record.version = this.#version += 1;
  }

  /** Forgets everything; the numbers go on. */
  clear(): void {
    for (const record of this.#records.values()) this.#drop(record);
  }

  #forget(): void {
    const { deliveries, bytes } = this.#limits;
    for (const record of this.#records.values()) {
      if (this.#records.size <= deliveries && (this.#bytes <= bytes || this.#records.size === 1)) return;
      this.#drop(record);
    }
  }

  #drop({ number, group, caught }: CaughtRecord): void {
    this.#records.delete(number);
    this.#bytes -= caught.body.length;
    this.#totals.forgotten += 1;
    const known = this.#groups.get(group);
    known?.records.shift();
    if (known?.records.length === 0) this.#groups.delete(group);
    const key = withoutId(caught);
    if (this.#alike.get(key) === number) this.#alike.delete(key);
  }
}

/** A digest of a delivery's body, without its id where it stands there. */
function withoutId({ body, key }: Caught): string {
  const text = key === '' ? body : body.toString('latin1').replaceAll(key, '');
  return createHash('sha1').update(text).digest('base64');
}
