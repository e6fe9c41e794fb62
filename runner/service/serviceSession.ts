import { openAuthority } from '../catcher/authority.ts';
import { createCatcher, type Catcher, type CatcherOptions } from '../catcher/catcher.ts';
import { failureCode } from '../http/connector.ts';
import { described } from '../engine/described.ts';
import { SeaworthyError, UsageError } from '../errors.ts';
import { type GuardedProcess, startedProcess } from '../process/guardedProcess.ts';
import { resetTarget } from '../process/resetTarget.ts';
import { RunEnded } from '../engine/runEnded.ts';
import type { UntimedEvent } from '../engine/runEvents.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import { secretsOfService } from '../secrets/secretsOf.ts';
import type { ServiceContext } from './context.ts';
import { controlTrouble, type EventsFound, serviceControl } from './control.ts';
import { reportedExchange } from './counterexample.ts';
import { createContext } from './createContext.ts';
import { noOpinions, openOpinions } from './opinions.ts';
import type { ServicePlan } from './plan.ts';
import { textAt } from './textAt.ts';

/** What is done with a service while the kit is connected to it. */
export interface ServiceSessionParts {
  /** Milliseconds since the session began. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Called once the service runs and the positive control was passed. */
  work(context: ServiceContext, events: EventsFound): Promise<void>;
  /** Called once everything is closed; without a context where it did not come to that. */
  end?(context: ServiceContext | undefined): void;
}

/**
 * Opens the endpoints of the kit, starts the service where that is the kit's task, passes the positive control, does
 * the work, and removes and closes everything again, whatever happens. Why the work was not done is reported by events.
 *
 * @throws UsageError where the service cannot be started, or the kit cannot listen, as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inServiceSession(plan: ServicePlan, parts: ServiceSessionParts): Promise<void> {
  const elapsed = (): number => parts.elapsed();
  const secrets = secretsOfService(plan);
  const emit = (event: UntimedEvent): void => parts.emit(hiddenEvent(event, secrets));
  let catcher: Catcher | undefined;
  let context: ServiceContext | undefined;
  let ready = false;
  try {
    catcher = await openCatcher(plan, elapsed);
    // It takes a while to load, and nothing should keep an endpoint from answering later.
    const opinions = plan.secondOpinion ? await openOpinions(plan.contract, emit) : noOpinions;
    context = await createContext(
      { ...plan, onRefused: ({ end }) => context?.end(end) },
      { catcher, opinions, secrets, elapsed, emit },
    );
    await resetTarget(plan, context.targetProcess);
    ready = true;
    if (await startedProcess(context.targetProcess, context)) await attempted(context, parts);
    opinions.finish();
  } catch (error) {
    if (error instanceof UsageError || (!ready && error instanceof SeaworthyError)) throw error;
    if (!(error instanceof RunEnded) && !context?.ended.aborted)
      emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  } finally {
    context?.lateness.stop();
    await Promise.allSettled([catcher?.close(), context?.api.close()]);
    if (context?.targetProcess) await endOf(context.targetProcess, emit);
    parts.end?.(context);
  }
}

/** Ends a service that the kit started, and tells what it has said. */
async function endOf({ target }: GuardedProcess, emit: (event: UntimedEvent) => void): Promise<void> {
  await target.close().catch((error: unknown) => emit({ type: 'kit.errored', where: 'engine', ...described(error) }));
  target.say();
}

async function attempted(context: ServiceContext, parts: ServiceSessionParts): Promise<void> {
  try {
    const control = await serviceControl(context);
    const attempt = reportedExchange(context, control.creation, '');
    context.emit({ type: 'control.finished', accepted: control.accepted, attempt });
    if (control.accepted) await parts.work(context, control.events);
    else context.end(controlTrouble(context, control.creation));
  } finally {
    await context.removeWebhooks();
  }
}

async function openCatcher(plan: ServicePlan, elapsed: () => number): Promise<Catcher> {
  const protocol = plan.catcher === undefined ? protocolOf(plan.base) : 'http';
  const { members } = plan.contract.delivery;
  const options: CatcherOptions = {
    protocol,
    ...(plan.catcherListen && { listen: plan.catcherListen }),
    ...(plan.catcher && { address: plan.catcher }),
    ...(plan.catcherHost !== undefined && { name: plan.catcherHost }),
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
