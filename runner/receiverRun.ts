import type { CheckOutcome } from '../reports/events.ts';
import type { Level } from '../spec/requirements.ts';
import type { Need, ReceiverCheck } from '../suites/check.ts';
import { caughtUp } from './caughtUp.ts';
import { counterexample } from './counterexample.ts';
import { Property, type PropertyResult } from './property.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { Suspects } from './suspects.ts';
import { receiverDraw } from './receiverDraw.ts';

/** Why a check that needs something cannot be observed without it, and the option that gives it. */
const missing: Readonly<Record<Need, string>> = {
  secret: 'needs the secret that the receiver verifies with: give --secret (or SEAWORTHY_SECRET)',
  probe: 'needs to see effects: give --probe with a URL or a command that tells how often an id took effect',
};

interface Started {
  readonly check: ReceiverCheck;
  readonly property: Property;
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
    const started = { check, property: new Property(context, found, check, suspects) };
    if (!context.ended.aborted) context.emit({ type: 'check.started', check: check.id });
    await started.property.try(receiverDraw(context, found, check.needs.includes('probe') ? 'effective' : 'accepted'));
    return started;
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: ReceiverCheck): boolean {
    const reason = this.#unobservable(check);
    if (reason === undefined) return false;
    this.#context.emit({ type: 'check.started', check: check.id });
    this.#context.emit({
      type: 'check.finished',
      check: check.id,
      outcome: 'not-observable',
      cases: 0,
      durationMs: 0,
      reason,
    });
    return true;
  }

  #unobservable(check: ReceiverCheck): string | undefined {
    const { plan } = this.#context;
    if (check.needs.includes('secret') && plan.secrets.length === 0) return missing.secret;
    if (!check.needs.includes('probe')) return undefined;
    if (plan.probe === undefined) return missing.probe;
    return this.#found.probeTrouble;
  }

  #finish({ check, property }: Started): void {
    const { result } = property;
    const outcome = outcomeOf(result, levelOf(this.#context, check, result));
    const context = this.#context;
    context.emit({
      type: 'check.finished',
      check: check.id,
      outcome,
      cases: result.cases,
      durationMs: Math.round(context.elapsed() - (property.began ?? context.elapsed())),
      ...reasonOf(result, outcome, context.endedBy?.reason),
      ...(result.failure && { counterexample: counterexample(context, check, result.failure, result.failures) }),
    });
    if (result.error !== undefined) emitError(context, check.id, result.error);
    if (context.plan.bail && (outcome === 'failed' || outcome === 'errored'))
      context.end({ reason: 'the run stopped at the first failure (--bail)', lost: false });
  }
}

function outcomeOf(result: PropertyResult, level: Level): CheckOutcome {
  if (result.error !== undefined) return 'errored';
  if (result.failure) return level === 'must' ? 'failed' : 'warned';
  if (result.ended || result.unproven !== undefined || result.cases === 0) return 'inconclusive';
  return 'passed';
}

function reasonOf(
  result: PropertyResult,
  outcome: CheckOutcome,
  ended: string | undefined,
): { readonly reason?: string } {
  if (outcome === 'errored') return { reason: `a fault of the kit: ${messageOf(result.error)}` };
  if (outcome !== 'inconclusive') return {};
  return { reason: result.unproven ?? ended ?? 'there was no case to try' };
}

/** The level of the requirements that the finding breaks; of the check's own where nothing failed. */
function levelOf({ plan }: ReceiverContext, check: ReceiverCheck, { failure }: PropertyResult): Level {
  const levels = (failure?.finding.requirements ?? check.requirements).map((id) => plan.contract.requirement(id).level);
  return levels.includes('must') ? 'must' : levels.includes('should') ? 'should' : 'may';
}

function emitError(context: ReceiverContext, where: string, error: unknown): void {
  const stack = error instanceof Error ? error.stack : undefined;
  context.emit({ type: 'kit.errored', where, message: messageOf(error), ...(stack !== undefined && { stack }) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
