import type { AssumptionDefinition } from '../../spec/assumptions.ts';
import type { ServiceContext } from './serviceContext.ts';
import type { AssumptionKey, GapId, RequirementId } from '../../spec/names.ts';

/** What was seen of a time: how it is reported, and how where the kit was late meanwhile. */
interface SeenTime {
  readonly tell: () => void;
  readonly doubt: () => void;
}

/** What one case learns of the contract's gaps. What it learned about times is reported only once the case is over. */
export class CaseLearning {
  readonly #context: ServiceContext;
  readonly #times: SeenTime[] = [];

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  observe(gap: GapId | RequirementId, value: string, evidence: string): void {
    const { gaps, requirements } = this.#context.plan.contract;
    if (![...gaps, ...requirements].some(({ id }) => id === gap)) return;
    const tell = (): void => this.#context.emit({ type: 'observed', gap, value, evidence });
    if (this.#ofTime((each) => each.gap === gap)) this.#times.push({ tell, doubt: tell });
    else tell();
  }

  learn(key: AssumptionKey, value: string, evidence: string): void {
    const tell = (): void => this.#context.learn(key, value, evidence);
    const time = this.#ofTime((each) => each.key === key);
    if (time) this.#times.push({ tell, doubt: () => this.#doubt(time, value, evidence) });
    else tell();
  }

  /**
   * Reports what the case learned about times, once it is known whether the kit was late itself: then it waits for the end
   * of the run, and is an observation alone, for what is assumed of it later would accuse somebody else.
   */
  tellTimes(isLate: boolean): void {
    const times = this.#times.splice(0);
    if (isLate) this.#context.doubtful.push(...times.map(({ doubt }) => doubt));
    else for (const { tell } of times) tell();
  }

  /** Nothing better may have come. */
  #doubt({ key, gap }: AssumptionDefinition, value: string, evidence: string): void {
    if (this.#context.learned.has(key)) return;
    const doubt = 'the kit itself was late then, so nothing is assumed of it';
    this.#context.emit({ type: 'observed', gap, value, evidence: `${evidence}; ${doubt}` });
  }

  #ofTime(is: (definition: AssumptionDefinition) => boolean): AssumptionDefinition | undefined {
    return this.#context.plan.contract.assumptions.find((each) => is(each) && /^durations?$/.test(each.kind));
  }
}
