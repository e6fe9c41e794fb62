import type { Contract } from '../../spec/contract.ts';
import type { CatchStep } from '../../suites/exchange.ts';
import { accept, refuse } from '../../suites/service/steps.ts';

/** An answer that can be chosen for what comes next. */
export interface AnswerChoice {
  readonly name: 'receiver' | 'accept' | 'refuse' | 'busy' | 'slow' | 'close' | 'hold';
  /** The key that chooses it in a terminal and on the page. */
  readonly key: string;
  /** In a word or two, for a button. */
  readonly label: string;
  /** What it is for, in a sentence. */
  readonly words: string;
  /** What is done with the delivery; nothing where the receiver that it is forwarded to decides. */
  step(contract: Contract): CatchStep | undefined;
}

/** Milliseconds after which a slow answer comes: long, but within the time that services usually wait. */
const slowness = 5000;

/** Seconds that Retry-After asks for. */
const patience = 5;

const forwarded: AnswerChoice = {
  name: 'receiver',
  key: 'r',
  label: 'receiver',
  words: 'the answer of the receiver that it is forwarded to',
  step: () => undefined,
};

/** Every answer, in the order in which it is offered. @param forwards - whether a receiver answers as well */
export function answerChoices(contract: Contract, forwards: boolean): readonly AnswerChoice[] {
  const [accepted] = contract.delivery.acceptedStatuses;
  return [
    ...(forwards ? [forwarded] : []),
    { name: 'accept', key: 'a', label: String(accepted), words: 'it is accepted', step: accept },
    { name: 'refuse', key: '5', label: '503', words: 'it is refused, so that it comes again', step: () => refuse(503) },
    {
      name: 'busy',
      key: '4',
      label: '429',
      words: `it is refused with Retry-After: ${patience}`,
      step: () => refuse(429, [['Retry-After', String(patience)]]),
    },
    {
      name: 'slow',
      key: 's',
      label: 'slow',
      words: `it is accepted after ${slowness / 1000} s`,
      step: () => ({ do: 'respond', status: accepted, delay: slowness }),
    },
    {
      name: 'close',
      key: 'c',
      label: 'close',
      words: 'the connection is closed without an answer',
      step: () => ({ do: 'close', when: 'before' }),
    },
    {
      name: 'hold',
      key: 'h',
      label: 'hold',
      words: 'no answer comes, until the sender gives up',
      step: () => ({ do: 'hang' }),
    },
  ];
}

/** Which answer the deliveries get that come from now on. */
export class NextAnswer {
  readonly choices: readonly AnswerChoice[];
  #usual: AnswerChoice;
  #once: AnswerChoice | undefined;

  constructor(choices: readonly [AnswerChoice, ...AnswerChoice[]]) {
    this.choices = choices;
    this.#usual = choices[0];
  }

  /** The names of what the next delivery gets, and of what those after it get. */
  get names(): { readonly next: AnswerChoice['name']; readonly usual: AnswerChoice['name'] } {
    return { next: (this.#once ?? this.#usual).name, usual: this.#usual.name };
  }

  /**
   * @param lasting - for all that follow, not the next delivery alone
   * @returns the choice; nothing where none has this name
   */
  choose(name: string, lasting: boolean): AnswerChoice | undefined {
    const choice = this.choices.find((each) => each.name === name);
    if (choice === undefined) return undefined;
    this.#once = lasting ? undefined : choice;
    if (lasting) this.#usual = choice;
    return choice;
  }

  /** The answer of one delivery. */
  take(): AnswerChoice {
    const taken = this.#once ?? this.#usual;
    this.#once = undefined;
    return taken;
  }
}
