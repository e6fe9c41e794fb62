import type { Finding, Need, ReceiverCheck } from '../suites/check.ts';
import { caseSource } from './cases.ts';
import { caughtUp } from './caughtUp.ts';
import { endCheck, refuseCheck } from './checkEnd.ts';
import { counterexample } from './counterexample.ts';
import { Property } from './property.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { receiverDraw } from './receiverDraw.ts';
import { ReceiverTrier } from './receiverTrier.ts';
import { Suspects } from './suspects.ts';

/** Why a check that needs something cannot be observed without it, and the option that gives it. */
const missing: Readonly<Record<Need, string>> = {
  secret: 'needs the secret that the receiver verifies with: give --secret (or SEAWORTHY_SECRET)',
  probe: 'needs to see effects: give --probe with a URL or a command that tells how often an id took effect',
  life: 'needs the power to kill and restart the receiver: give --start with the command that starts it, or --image',
  published: 'needs to know which sender addresses the receiver lets in: give --published',
  api: 'needs the receiver to look at the service that the kit plays: give --api-listen, and that address to the receiver',
};

interface Started {
  readonly check: ReceiverCheck;
  readonly property: Property<Finding>;
}

/**
 * Runs the checks of a receiver: those that disturb nobody side by side, then the others one case at a time. In each of
 * the two phases all cases come first, then what failed is tried again alone, then it is shrunk.
 */
export class ReceiverRun {
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;

  constructor(context: ReceiverContext, found: ControlResult) {
    this.#context = context;
    this.#found = found;
  }

  async run(checks: readonly ReceiverCheck[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    await this.#phase(
      possible.filter(({ disturbs }) => !disturbs),
      this.#context.plan.concurrency * 4,
    );
    await this.#phase(
      possible.filter(({ disturbs }) => disturbs),
      1,
    );
  }

  async #phase(checks: readonly ReceiverCheck[], limit: number): Promise<void> {
    const { activity } = this.#context;
    activity.limit = limit;
    const unsettled: Started[] = [];
    const suspects = limit === 1 ? new Suspects() : undefined;
    await Promise.all(
      checks.map(async (check) => {
        const started = await this.#try(check, suspects);
        if (started.property.unsettled) unsettled.push(started);
        else this.#finish(started);
      }),
    );
    activity.limit = 1;
    if (unsettled.some(({ property }) => property.unanswered)) await caughtUp(this.#context, this.#found);
    await Promise.all(unsettled.map(({ property }) => property.confirm()));
    activity.limit = limit;
    await Promise.all(
      unsettled.map(async (started) => {
        await started.property.shrink();
        this.#finish(started);
      }),
    );
  }

  async #try(check: ReceiverCheck, suspects: Suspects | undefined): Promise<Started> {
    const context = this.#context;
    const found = this.#found;
    const { intensity, seed } = context.plan;
    const { activity, ended } = context;
    const elapsed = () => context.elapsed();
    const trier = new ReceiverTrier(context, found, check, suspects);
    const shrinkWidth = check.needs.includes('probe') ? 24 : 6;
    const property = new Property({ intensity, activity, ended, elapsed, shrinkWidth }, trier);
    trier.property = property;
    if (!ended.aborted) context.emit({ type: 'check.started', check: check.id });
    const draw = receiverDraw(context, found, check.needs.includes('probe') ? 'effective' : 'accepted');
    await property.try(caseSource(check, draw, seed, intensity));
    return { check, property };
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: ReceiverCheck): boolean {
    const reason = this.#unobservable(check);
    if (reason === undefined) return false;
    refuseCheck(this.#context, check.id, reason);
    return true;
  }

  #unobservable(check: ReceiverCheck): string | undefined {
    const { plan } = this.#context;
    if (check.needs.includes('secret') && plan.secrets.length === 0) return missing.secret;
    if (check.needs.includes('life') && plan.life === undefined) return missing.life;
    if (check.needs.includes('published') && plan.published.length === 0) return missing.published;
    if (check.needs.includes('api') && plan.api === undefined) return missing.api;
    if (!check.needs.includes('probe')) return undefined;
    if (plan.probe === undefined) return missing.probe;
    return this.#found.probeTrouble;
  }

  #finish({ check, property }: Started): void {
    endCheck(this.#context, check, property, (failure, failures) =>
      counterexample(this.#context, check, failure, failures),
    );
  }
}
