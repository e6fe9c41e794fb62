import type { ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { Exchange } from '../../suites/exchange.ts';
import type { NotStarted } from '../../suites/processControl.ts';
import type { SupervisedCase } from '../process/guardian.ts';
import type { Trial } from '../engine/trial.ts';

/** What becomes of a case after which the service died. */
interface Consequences {
  /** Whether nothing else is at work: then it is the case that the service died of. */
  readonly alone: boolean;
  /** What went over the wire in the case. */
  exchanges(): readonly Exchange[];
  convict(finding: ServiceFinding): void;
  doubt(reason: string): void;
}

/** A case of a service that the kit brings up again whenever it dies. */
export class SupervisedServiceCase implements SupervisedCase {
  readonly check: string;
  readonly case: number;
  readonly controlsProcess: boolean;
  /** A case that waits does so for the service's deliveries, which the death delays: that concerns all. */
  readonly waiting = false;
  readonly #check: ServiceCheck;
  readonly #consequences: Consequences;
  #died = false;
  #over = false;

  constructor(check: ServiceCheck, index: number, consequences: Consequences) {
    this.check = check.id;
    this.case = index;
    this.controlsProcess = check.needs.includes('process-control');
    this.#check = check;
    this.#consequences = consequences;
  }

  /** Whether the service died while the case was at work. */
  get isSuspected(): boolean {
    return this.#died;
  }

  suspected(): void {
    this.#died = true;
    if (!this.#over) return;
    if (this.#consequences.alone) this.#consequences.convict(this.#fatal(itDied));
    else this.#consequences.doubt(meanwhile);
  }

  convicted(error: NotStarted): void {
    this.#consequences.convict(this.notUp(error));
  }

  /** How the case ended, in the light of whether the service died meanwhile. */
  judged(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    this.#over = true;
    if (!this.#died || trial.kind === 'ended' || isCertain(trial)) return trial;
    if (this.#consequences.alone) return { kind: 'broken', finding: this.#fatal(itDied), fatal: true };
    return { kind: 'unproven', reason: meanwhile, final: false };
  }

  /** The finding that the service does not come up again. */
  notUp({ message }: NotStarted): ServiceFinding {
    return this.#fatal(`it did not come up again: ${message}`);
  }

  #fatal(actual: string): ServiceFinding {
    return {
      requirements: [this.#check.fatal ?? this.#check.requirements[0]],
      expected: this.controlsProcess ? 'the service comes up again and goes on serving' : 'the service goes on serving',
      actual,
      absence: false,
      exchanges: this.#consequences.exchanges().slice(-3),
    };
  }
}

const itDied = 'its process ended, although nobody asked it to';
const meanwhile = 'the service ended by itself while this was looked at, and was started again';

function isCertain(trial: Trial<ServiceFinding>): boolean {
  return trial.kind === 'broken' && !trial.finding.absence;
}
