import type { RunEvent } from '../../reports/events.ts';
import { openAuthority } from '../catcher/authority.ts';
import { createCatcher, type Catcher, type CatcherOptions } from '../catcher/catcher.ts';
import { described } from '../described.ts';
import { failureCode } from '../connector.ts';
import { UsageError } from '../errors.ts';
import { EventQueue } from '../eventQueue.ts';
import { RunEnded } from '../runEnded.ts';
import { runStarted } from '../runStarted.ts';
import type { UntimedEvent } from '../runEvents.ts';
import { serviceGone, type ServiceContext } from './context.ts';
import { controlTrouble, serviceControl } from './control.ts';
import { reportedExchange } from './counterexample.ts';
import { createContext } from './createContext.ts';
import { noOpinions, openOpinions } from './opinions.ts';
import type { ServicePlan } from './plan.ts';
import { redactedEvent } from './redacted.ts';
import { ServiceRun } from './serviceRun.ts';
import { textAt } from './textAt.ts';

/**
 * Holds a service against the contract. Yields everything that happens, in order, from `run.started` to
 * `run.finished`; ends the same way when it is interrupted (`plan.signal`), loses its target, or fails itself.
 *
 * @example for await (const event of runService(plan)) journal.write(event);
 */
export async function* runService(plan: ServicePlan): AsyncGenerator<RunEvent> {
  const events = new EventQueue<RunEvent>();
  const run = conduct(plan, events).finally(() => events.close());
  yield* events;
  await run;
}

async function conduct(plan: ServicePlan, events: EventQueue<RunEvent>): Promise<void> {
  const start = performance.now();
  const elapsed = () => Math.round((performance.now() - start) * 10) / 10;
  const emit = (event: UntimedEvent): void =>
    events.push({ ...redactedEvent(event, plan.token), ms: elapsed() } as RunEvent);
  events.push(runStarted(plan, { kind: 'service', address: plan.base.href }));
  let context: ServiceContext | undefined;
  try {
    const catcher = await openCatcher(plan, elapsed);
    // It takes a while to load, and nothing should keep an endpoint from answering later.
    const opinions = plan.secondOpinion ? await openOpinions(plan.contract, emit) : noOpinions;
    context = createContext(plan, { catcher, opinions, elapsed, emit });
    await testTarget(context);
    opinions.finish();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof RunEnded)) emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  } finally {
    context?.lateness.stop();
    await Promise.allSettled([context?.catcher.close(), context?.api.close()]);
    const interrupted = plan.signal.aborted;
    const complete = context !== undefined && context.endedBy === undefined && !interrupted;
    const at = new Date().toISOString();
    emit({ type: 'run.finished', at, durationMs: Math.round(elapsed()), complete, interrupted });
  }
}

async function testTarget(context: ServiceContext): Promise<void> {
  try {
    const control = await serviceControl(context);
    const attempt = reportedExchange(context, control.creation, '');
    context.emit({ type: 'control.finished', accepted: control.accepted, attempt });
    if (!control.accepted) return context.end(controlTrouble(context, control.creation));
    await new ServiceRun(context, control.events).run(context.plan.checks);
    context.refusals.tell(context);
    for (const tell of context.doubtful) tell();
    if (!context.ended.aborted && !(await context.stillThere())) context.end(serviceGone('before the run had ended'));
  } finally {
    await context.farewell();
  }
}

async function openCatcher(plan: ServicePlan, elapsed: () => number): Promise<Catcher> {
  const protocol = plan.catcher === undefined ? protocolOf(plan.base) : 'http';
  const { members } = plan.contract.delivery;
  const options: CatcherOptions = {
    protocol,
    ...(plan.catcherListen && { listen: plan.catcherListen }),
    ...(plan.catcher && { address: plan.catcher }),
    ...(protocol === 'https' && { authority: await openAuthority(plan.authorityDirectory) }),
    keyOf: (body) => textAt(body, members.id),
    elapsed,
  };
  return createCatcher(options).catch((cause: unknown) => {
    throw plan.catcherListen === undefined ? cause : cannotListen(plan.catcherListen, cause);
  });
}

function cannotListen({ host, port }: { readonly host: string; readonly port: number }, cause: unknown): UsageError {
  return new UsageError(
    'SW_LISTEN_FAILED',
    {
      received: `--catcher-listen ${host}:${port} cannot be listened on (${failureCode(cause)})`,
      valid: 'a free port of an address of this machine; port 0 takes any free one',
      next: 'choose another, or end what listens there',
    },
    { cause },
  );
}

function protocolOf({ protocol }: URL): 'http' | 'https' {
  return protocol === 'https:' ? 'https' : 'http';
}
