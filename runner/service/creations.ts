import type { Call } from '../../suites/exchange.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { RunState } from './runState.ts';

/** What a server, or a gateway before it, answers while it is not ready. */
const notReady = [502, 503, 504];

/** Counts errors in answers to creations that the contract allows. One may pass, so that no check is broken by it. */
export class Creations {
  readonly #errors = new Set<number>();
  #failed = 0;
  #all = 0;

  add({ answer }: Call): void {
    if (answer.kind !== 'answered') return;
    this.#all += 1;
    if (!hasStatusClass(answer, 5) || notReady.includes(answer.status)) return;
    this.#failed += 1;
    this.#errors.add(answer.status);
  }

  /** Reports them, where other creations were answered otherwise. */
  tell({ plan, emit }: Pick<RunState, 'plan' | 'emit'>): void {
    if (this.#failed === 0 || this.#failed === this.#all) return;
    if (!plan.contract.requirements.some(({ id }) => id === 'CRW-1')) return;
    emit({
      type: 'observed',
      gap: 'CRW-1',
      value: `creations that the contract allows are answered with ${[...this.#errors].join(' or ')} now and then`,
      evidence:
        `${this.#failed} of ${this.#all} were. The log of the service should say why. That calls come together and wait for the same ` +
        'thing, such as a database that is locked, is no reason to refuse one',
    });
  }
}
