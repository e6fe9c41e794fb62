import type { CaughtFinding } from './judge.ts';
import type { AnswerChoice } from './nextAnswer.ts';
import type { Totals } from './deliveryStore.ts';

/** An answer in words; `status` where there is one. */
export interface SpokenAnswer {
  readonly words: string;
  readonly status?: number;
  /** Milliseconds that it took. */
  readonly ms: number;
}

/** A delivery as the list of the page shows it. */
export interface ListedDelivery {
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What attempts of one notification share. */
  readonly group: string;
  readonly id: string;
  readonly event: string;
  /** Which attempt of its notification it is, from 1. */
  readonly attempt: number;
  readonly method: string;
  readonly path: string;
  /** -1 where it broke off. */
  readonly bytes: number;
  /** Milliseconds since the attempt before it ended. */
  readonly pause?: number;
  /** The gravest finding, and how many there are. */
  readonly problem?: Pick<CaughtFinding, 'check' | 'level' | 'actual'>;
  readonly findings: number;
  /** What the listener answered; nothing while it is going on. */
  readonly answered?: SpokenAnswer;
  /** What the receiver said that it was forwarded to. */
  readonly forwarded?: SpokenAnswer;
  /** How often it was sent again from the page. */
  readonly resent: number;
}

/** An answer with what stands in it. */
export interface WholeAnswer extends SpokenAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A delivery with all that the page shows of it. */
export interface ShownDelivery extends ListedDelivery {
  /** In the order and with the casing in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Base64. */
  readonly body: string;
  readonly peer: string;
  readonly found: readonly CaughtFinding[];
  /** How many checks asked something of it. */
  readonly asked: number;
  readonly receiver?: WholeAnswer;
  readonly executed?: { readonly code: number | null; readonly output: string };
  readonly sentAgain: readonly {
    readonly at: number;
    readonly url: string;
    readonly changed: boolean;
    readonly answer: WholeAnswer;
  }[];
}

/** An answer that the page offers. */
export type OfferedAnswer = Pick<AnswerChoice, 'name' | 'key' | 'label' | 'words'>;

/** What stands in the page from its beginning. */
export interface PageGreeting {
  readonly title: string;
  readonly address: string;
  readonly secrets: readonly string[];
  readonly signs: boolean;
  /** The command line that sends a sample. */
  readonly sample: string;
  readonly answers: readonly OfferedAnswer[];
  /** The receiver that deliveries are forwarded to. */
  readonly forward?: string;
}

/** What the page gets as it happens. */
export interface PageNews {
  readonly totals: Totals;
  /** The number of the oldest delivery that is kept. */
  readonly oldest: number;
  /** The names of the answers that the next delivery gets, and those after it. */
  readonly next: string;
  readonly usual: string;
  /** What is new or has changed. */
  readonly deliveries: readonly ListedDelivery[];
}
