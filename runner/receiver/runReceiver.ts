import type { RunEvent } from '../../reports/model/events.ts';
import { Unproven, type Finding, type ReceiverCheck } from '../../suites/check.ts';
import type { Answer, Delivery } from '../../suites/delivery.ts';
import { NotStarted } from '../../suites/processControl.ts';
import type { Guardian } from '../process/guardian.ts';
import type { Draw } from '../../suites/draw.ts';
import { receiverObservations, type ReceiverObservation } from '../../suites/receiver/observations.ts';
import { RunEnded } from '../engine/ending.ts';
import { runSuite, type Suite } from '../engine/suite.ts';
import { secretsOf } from '../secrets/confided.ts';
import type { KitOwner } from './caseAttempts.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import { inReceiverSession } from './receiverSession.ts';
import type { ReceiverSide } from './receiverSide.ts';
import type { ReceiverPlan } from './plan.ts';
import { control } from '../engine/cases.ts';

/**
 * Tests a receiver against the contract. Nothing is sent before the first event is asked for. The events begin with
 * `run.started` and end with `run.finished`, also where the run is ended early.
 *
 * @example for await (const event of runReceiver(plan)) journal.write(event);
 */
export function runReceiver(plan: ReceiverPlan): AsyncGenerator<RunEvent> {
  return runSuite(receiverSuite, plan);
}

/** The suite of receivers, as the engine runs it. */
export const receiverSuite: Suite<ReceiverPlan, ReceiverCheck, Draw, Finding, ReceiverSide> = {
  target: ({ url }) => ({ kind: 'receiver', address: url.href }),
  declared: declaredRequirements,
  secretsOf,
  inSession: inReceiverSession,
  finish: makeObservations,
};

/** What a receiver need not do, and the user said that it does: the requirements of the checks of sender addresses. */
function declaredRequirements({ checks, published }: ReceiverPlan): readonly string[] {
  const declared = published.length === 0 ? [] : checks.filter(({ needs }) => needs.includes('published'));
  return declared.flatMap(({ requirements }) => requirements);
}

/** Makes the observations that belong to the selected checks, side by side, once every check has ended. */
async function makeObservations(side: ReceiverSide): Promise<void> {
  const { context } = side;
  if (context.endedBy !== undefined || side.found.unseen) return;
  const { plan, activity } = context;
  const selected = new Set(plan.checks.map(({ id }) => id));
  const possible = receiverObservations.filter(
    ({ beside, needsSecret }) => selected.has(beside) && (!needsSecret || plan.secrets.length > 0),
  );
  const kits = possible.map(({ beside, needsSecret }, index) => {
    const found = side.foundFor({ needs: needsSecret ? ['secret'] : [] });
    return new ObservingKit(context, { check: beside, case: -1 - index }, found);
  });
  await context.guardian.up(control).catch(ignoreEnd);
  activity.limit = possible.length;
  const observe = (one: ReceiverObservation, index: number) => activity.run(() => one.observe(kits[index]!));
  await Promise.all(possible.map((one, index) => observe(one, index).catch(ignoreEnd)));
  for (const kit of kits) kit.tell();
  observeLatency(context);
}

/** GAP-17 of a contract is about time-outs: how long the slowest answer took shows what would be too short. */
function observeLatency(context: ReceiverContext): void {
  const { log, plan } = context;
  if (log.slowest === 0) return;
  const gap = plan.assumptions.find(({ key }) => key === 'delivery.timeout')?.gap;
  if (gap === undefined) return;
  const value = `the slowest accepted delivery was answered after ${Math.ceil(log.slowest)} ms`;
  context.emit({
    type: 'observed',
    gap,
    value,
    evidence: `${log.count} deliveries; the time-out was ${plan.timeout} ms`,
  });
}

/** The kit of an observation: where the receiver dies meanwhile, nothing more is observed. */
class ObservingKit extends CaseKit {
  readonly #guardian: Guardian;
  readonly #observed: Parameters<CaseKit['observe']>[] = [];

  constructor(context: ReceiverContext, owner: KitOwner, found: ControlResult) {
    super(context, owner, found);
    this.#guardian = context.guardian;
  }

  override async deliver(delivery: Delivery): Promise<Answer> {
    const answer = await super.deliver(delivery);
    if (answer.kind === 'broken' && (await this.#guardian.look())) throw new Unproven('the receiver died meanwhile');
    return answer;
  }

  override observe(...observed: Parameters<CaseKit['observe']>): void {
    this.#observed.push(observed);
  }

  /** Reports what was observed: observations stand in the same order in every run. */
  tell(): void {
    for (const observed of this.#observed) super.observe(...observed);
  }
}

function ignoreEnd(error: unknown): void {
  if (![RunEnded, Unproven, NotStarted].some((kind) => error instanceof kind)) throw error;
}
