import type { Contract } from '../../spec/contract.ts';
import type { Call } from '../../suites/exchange.ts';
import type { UntimedEvent } from '../engine/eventStream.ts';
import type { SecondOpinion } from '../prism/secondOpinion.ts';

/** Lets Prism judge every call beside the kit, and reports where the two disagree. */
export interface Opinions {
  judge(call: Call): void;
  /** Reports how many were compared. */
  finish(): void;
}

/** Where no second opinion is wanted. */
export const noOpinions: Opinions = { judge: () => {}, finish: () => {} };

/** Loads Prism, which takes most of a second. @throws KitError where it cannot read the contract */
export async function openOpinions(contract: Contract, emit: (event: UntimedEvent) => void): Promise<Opinions> {
  const { createSecondOpinion } = await import('../prism/secondOpinion.ts');
  return new PatientOpinions(await createSecondOpinion(contract), emit);
}

/**
 * Milliseconds until it is looked whether the process has nothing else to do, how late such a look comes at most if it has not,
 * and for how long calls are judged then.
 */
const look = { pause: 20, late: 3, judging: 10 } as const;

/** Bytes of the bodies of calls that wait at most. */
const mostWaiting = 16 * 1024 * 1024;

/** Judges while the run waits: nobody waits for an opinion, and it takes as long as the call itself. */
class PatientOpinions implements Opinions {
  readonly #opinion: SecondOpinion;
  readonly #emit: (event: UntimedEvent) => void;
  #waiting: Call[] = [];
  #bytes = 0;
  #differed = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(opinion: SecondOpinion, emit: (event: UntimedEvent) => void) {
    this.#opinion = opinion;
    this.#emit = emit;
  }

  judge(call: Call): void {
    this.#waiting.push(call);
    this.#bytes += bytesOf(call);
    while (this.#bytes > mostWaiting) this.#next();
    this.#timer ??= this.#later();
  }

  finish(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) this.#next();
    this.#emit({ type: 'opinion.finished', compared: this.#opinion.compared, differed: this.#differed });
  }

  #later(): NodeJS.Timeout {
    const due = performance.now() + look.pause;
    return setTimeout(() => this.#look(due), look.pause).unref();
  }

  #look(due: number): void {
    const began = performance.now();
    const isFree = began - due < look.late;
    while (isFree && this.#waiting.length > 0 && performance.now() - began < look.judging) this.#next();
    this.#timer = this.#waiting.length > 0 ? this.#later() : undefined;
  }

  #next(): void {
    const call = this.#waiting.shift();
    if (call === undefined) return;
    this.#bytes -= bytesOf(call);
    const opinions = this.#opinion.compare(call);
    this.#differed += opinions.length;
    for (const each of opinions) this.#emit({ type: 'opinion.differed', ...each });
  }
}

function bytesOf({ request, answer }: Call): number {
  return request.body.length + (answer.kind === 'answered' ? answer.body.length : 0);
}
