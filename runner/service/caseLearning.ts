import type { AssumptionDefinition } from '../../spec/assumptions.ts';
import type { ServiceContext } from './createContext.ts';
import type { AssumptionKey, GapId, RequirementId } from '../../spec/names.ts';

/** What one case learns of the contract's gaps. What it learned about times is reported only once the case is over. */
export class CaseLearning {
  readonly #context: ServiceContext;
  /** What was learned about times. */
  readonly #times: (() => void)[] = [];

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  observe(gap: GapId | RequirementId, value: string, evidence: string): void {
    const { gaps, requirements } = this.#context.plan.contract;
    if (![...gaps, ...requirements].some(({ id }) => id === gap)) return;
    this.#tell(
      this.#isOfTime((each) => each.gap === gap),
      () => this.#context.emit({ type: 'observed', gap, value, evidence }),
    );
  }

  learn(key: AssumptionKey, value: string, evidence: string): void {
    this.#tell(
      this.#isOfTime((each) => each.key === key),
      () => this.#context.learn(key, value, evidence),
    );
  }

  /**
   * Tells what the case learned about times, once it is known whether the kit was late itself: then it waits for the end
   * of the run, and counts only where nothing better came.
   */
  tellTimes(isLate: boolean): void {
    if (isLate) this.#context.doubtful.push(...this.#times);
    else for (const tell of this.#times) tell();
    this.#times.length = 0;
  }

  #tell(isOfTime: boolean, tell: () => void): void {
    if (isOfTime) this.#times.push(tell);
    else tell();
  }

  #isOfTime(is: (definition: AssumptionDefinition) => boolean): boolean {
    return this.#context.plan.contract.assumptions.some((each) => is(each) && /^durations?$/.test(each.kind));
  }
}
