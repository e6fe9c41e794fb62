import { eventsOfNumbers } from '../../spec/serviceTerms.ts';
import { statusClass } from '../../spec/statusClasses.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { Call } from '../../suites/exchange.ts';
import type { TrackedNumber } from '../../suites/service/trackingBody.ts';
import type { TriggeredEvent } from '../../suites/serviceKit.ts';
import { postTo } from '../http/postTo.ts';
import { endOfOutput, runCommand } from '../process/shellCommand.ts';
import { isSuccess } from './answers.ts';
import type { Caller } from './caller.ts';
import type { EmitEvent, ServicePlan } from './plan.ts';
import { messageOf } from '../../spec/messageOf.ts';

/** Milliseconds that `--emit` may take. */
const timeLimit = 30_000;

/** How an event was caused, or why it could not be. */
type Caused =
  | { readonly caused: true; readonly by: TriggeredEvent['by']; readonly call?: Call }
  | { readonly caused: false; readonly reason: string };

/** Makes events happen in the service, by the means that the user gave. */
export class EventTrigger {
  readonly #plan: ServicePlan;
  readonly #caller: Caller;
  readonly #ended: () => AbortSignal;
  #tracked = 0;
  #untracked = 0;

  /** @param ended - aborted when the run ends */
  constructor(plan: ServicePlan, caller: Caller, ended: () => AbortSignal) {
    this.#plan = plan;
    this.#caller = caller;
    this.#ended = ended;
  }

  /** Whether a number leads to it, beside `--emit`: then it shows nothing of what that raises. */
  isApart(event: string): boolean {
    const { emit, terms } = this.#plan;
    return emit !== undefined && eventsOfNumbers(terms).includes(event);
  }

  /** The events that can be made to happen. */
  get events(): readonly string[] {
    const { contract, terms, emit, trackable, untrackable } = this.#plan;
    if (emit !== undefined) return contract.events.map(({ name }) => name);
    if (terms.tracking === undefined) return [];
    return [
      ...(trackable.length > 0 ? [terms.tracking.found] : []),
      ...(untrackable.length > 0 ? [terms.tracking.unknown] : []),
    ];
  }

  /** Makes one event happen. Numbers are taken in turn. */
  async cause(event: string): Promise<Caused> {
    const { terms, trackable, untrackable, emit } = this.#plan;
    if (event === terms.tracking?.found && trackable.length > 0)
      return this.#track(trackable[this.#tracked++ % trackable.length]!, 'trackable');
    if (event === terms.tracking?.unknown && untrackable.length > 0) {
      const tracked = await this.#track(untrackable[this.#untracked++ % untrackable.length]!, 'untrackable');
      // A number that is not known may be refused at once: then nothing happens, and only `--emit` raises it.
      if (emit === undefined || !tracked.caused || (tracked.call && isSuccess(tracked.call))) return tracked;
    }
    if (emit === undefined) return { caused: false, reason: `no option was given that raises ${event}` };
    const trouble = await this.#emit(emit, event);
    return trouble === undefined ? { caused: true, by: 'emit' } : { caused: false, reason: trouble };
  }

  async #track(tracked: TrackedNumber, by: 'trackable' | 'untrackable'): Promise<Caused> {
    const call = await this.#caller.track(tracked);
    const { answer } = call;
    if (isSuccess(call) || (answer.kind === 'answered' && by === 'untrackable')) return { caused: true, by, call };
    const what = answer.kind === 'answered' ? `answered ${answer.status}` : 'not answered';
    const reason = `the tracking request for ${tracked.issuer}:${tracked.number} was ${what}`;
    const advice = 'if it is refused because it is tracked already, give --trackable several times, with other numbers';
    return { caused: false, reason: hasStatusClass(answer, 4) ? `${reason}: ${advice}` : reason };
  }

  #emit(emit: NonNullable<ServicePlan['emit']>, event: string): Promise<string | undefined> {
    if (typeof emit === 'function') return called(emit, event);
    return /^https?:\/\//i.test(emit) ? this.#post(emit, event) : this.#command(emit, event);
  }

  async #post(url: string, event: string): Promise<string | undefined> {
    try {
      const posted = { body: JSON.stringify({ event }), timeout: timeLimit, signal: this.#ended() };
      const status = await postTo(url, posted, this.#plan);
      return statusClass(status) === 2 ? undefined : `--emit ${url} answered ${status} to {"event":"${event}"}`;
    } catch (error) {
      return `--emit ${url} could not be called: ${(error as Error).message}`;
    }
  }

  async #command(command: string, event: string): Promise<string | undefined> {
    const { code, stderr, timedOut } = await runCommand(command, {
      env: { EVENT: event },
      timeout: timeLimit,
      signal: this.#ended(),
    });
    if (timedOut) return `the command of --emit did not end within ${timeLimit / 1000} s`;
    const said = endOfOutput(stderr, 200);
    return code === 0 ? undefined : `the command of --emit ended with ${code}${said === '' ? '' : `: ${said}`}`;
  }
}

async function called(emit: EmitEvent, event: string): Promise<string | undefined> {
  try {
    await emit(event);
    return undefined;
  } catch (error) {
    return `the function emit failed for ${event}: ${messageOf(error)}`;
  }
}
