import type { LearnedAssumption } from '../../reports/model/runSummary.ts';
import type { Json } from '../../generators/json/json.ts';
import type { Operation, OperationChoice } from '../../spec/contract.ts';
import { headerValue } from '../../spec/headerText.ts';
import type { OperationRole } from '../../spec/names.ts';
import { entityTag } from '../../spec/operations.ts';
import { offers } from '../../spec/serviceTerms.ts';
import { parseDuration } from '../../spec/units.ts';
import { Unproven } from '../../suites/check.ts';
import { type Silence, WaitedOut } from '../http/answerTimes.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { ApiRequest, Call } from '../../suites/exchange.ts';
import type { CallOptions } from '../../suites/serviceKit.ts';
import { type TrackedNumber, trackingBody } from '../../suites/service/trackingBody.ts';
import { refuseOwnWant } from '../http/ownWant.ts';
import { retryAfter } from '../http/retryAfter.ts';
import { requestDigest, shortAnswer } from '../engine/journaled.ts';
import { RunEnded } from '../engine/ending.ts';
import { waitFor } from './settlingTime.ts';
import { type RunState, assumed } from './runState.ts';
import type { Owner } from '../engine/cases.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import { isSuccess, bodyShape } from './answers.ts';
import { authorizationOf, headersOf, pathOf } from './callHead.ts';

/** Milliseconds between two tries of a call that is answered with 429: where the answer asks for none, and at least. */
const usualPause = 500;

const leastPause = 50;

/** What a caller needs of a run. */
export interface Calling extends RunState {
  readonly refusals: Refusals;
}

/** Too many calls, which says nothing about the call. */
const tooMany = 429;

const refused = 'refusal.status';
const unauthorized = 'refusal.unauthorized';

type Learning = Pick<RunState, 'learn'>;

/** Gathers with which statuses and bodies a service refuses calls: both are a gap of the contract. */
export class Refusals {
  readonly #statuses = new Set<number>();
  readonly #withoutKey = new Set<number>();
  /** How many refusals had a body of this shape. */
  readonly #shapes = new Map<string, number>();
  /** What was refused before is not counted. */
  readonly #since: '' | ' since the run was resumed';

  /** @param earlier - what the run has learned that this one goes on with */
  constructor(earlier: readonly Pick<LearnedAssumption, 'key' | 'value'>[] = []) {
    this.#since = earlier.some(({ key }) => key === refused) ? ' since the run was resumed' : '';
    for (const { key, value } of earlier) {
      const statuses = { [refused]: this.#statuses, [unauthorized]: this.#withoutKey }[key];
      for (const status of value.match(/\b\d{3}\b/g) ?? []) statuses?.add(Number(status));
    }
  }

  /** Takes a call. A status that is new is reported at once: the run may be killed. @param keyed - whether it carried the user's key */
  add(call: Call, keyed: boolean, context: Learning): void {
    const { answer } = call;
    if (answer.kind !== 'answered' || !hasStatusClass(answer, 4) || answer.status === tooMany) return;
    const shape = bodyShape(call, answer.body);
    this.#shapes.set(shape, (this.#shapes.get(shape) ?? 0) + 1);
    const statuses = keyed ? this.#statuses : this.#withoutKey;
    if (statuses.has(answer.status)) return;
    statuses.add(answer.status);
    this.#tellStatuses(context);
  }

  get #all(): number {
    return [...this.#shapes.values()].reduce((sum, count) => sum + count, 0);
  }

  #tellStatuses({ learn }: Learning): void {
    if (this.#statuses.size > 0) learn(refused, listOf(this.#statuses), `${this.#all} refused calls${this.#since}`);
    if (this.#withoutKey.size > 0)
      learn(unauthorized, listOf(this.#withoutKey), 'calls without the key, or with another');
  }

  /** Reports all that was gathered. */
  tell(context: Learning & Pick<RunState, 'learned' | 'emit' | 'plan'>): void {
    const all = this.#all;
    // How many calls were refused is known only now.
    context.learned.delete(refused);
    this.#tellStatuses(context);
    const gap = context.plan.contract.assumptions.find(({ key }) => key === refused)?.gap;
    const common = [...this.#shapes].toSorted(([, one], [, other]) => other - one).slice(0, 3);
    for (const [shape, count] of gap === undefined ? [] : common) {
      context.emit({
        type: 'observed',
        gap: gap!,
        value: shape,
        evidence: `${count} of ${all} refusals${this.#since}`,
      });
    }
  }
}

interface CallerOptions {
  readonly record?: (call: Call) => void;
  readonly isAgain?: boolean;
}

/** Calls operations of the contract's API for one owner, and reports every call. */
export class Caller {
  readonly #context: () => Calling;
  readonly #owner: Owner;
  readonly #record: (call: Call) => void;
  readonly #isAgain: boolean;
  readonly #waitedOut = new WaitedOut();
  #underWay = 0;
  #idleSince: number = performance.now();

  /** @param how - `record`: called with every call; `isAgain`: whether the case of the owner was tried before (default: it was not) */
  constructor(context: () => Calling, owner: Owner, how: CallerOptions = {}) {
    this.#context = context;
    this.#owner = owner;
    this.#record = how.record ?? (() => {});
    this.#isAgain = how.isAgain ?? false;
  }

  /** Since when (monotonic) no call of its is under way; nothing while one is. */
  get idleSince(): number | undefined {
    return this.#underWay > 0 ? undefined : this.#idleSince;
  }

  /**
   * One call; a 429 is waited out as long as the assumption about it says. Where creations are refused in the media type that
   * the contract names first, and this call as well, the one that creations are taken in is tried.
   *
   * @throws Unproven where it is still answered with 429 then; RunEnded
   */
  async call(which: OperationChoice, asked: CallOptions = {}): Promise<Call> {
    const how = await this.#withTag(which, asked);
    const first = await this.#patiently(this.#compose(which, how));
    const { mediaTypes } = this.#context();
    const { operationId } = first.request;
    const [other] = mediaTypes.values();
    if (other === undefined || mediaTypes.has(operationId) || how.body === undefined || how.mediaType !== undefined)
      return first;
    if (!mayRefuseMediaType(first)) return first;
    const again = await this.#patiently(this.#compose(which, { ...how, mediaType: other }));
    if (!isSuccess(again)) return first;
    mediaTypes.set(operationId, other);
    return again;
  }

  /** With the ETag of the webhook, as it is now, where the operation asks for it. */
  async #withTag(which: OperationChoice, how: CallOptions): Promise<CallOptions> {
    const { contract } = this.#context().plan;
    const { id } = how.parameters ?? {};
    const tagged = contract.operation(which).parameters.find((each) => each.isSent && each.value === entityTag);
    if (tagged === undefined || id === undefined) return how;
    const answer = offers(contract, 'read') ? (await this.call('read', { parameters: { id } })).answer : undefined;
    const tag = answer?.kind === 'answered' ? headerValue(answer.headers, 'ETag') : undefined;
    // Any webhook that is there (RFC 9110, 13.1.1).
    return { ...how, headers: [...(how.headers ?? []), [tagged.name, tag ?? '*']] };
  }

  async #patiently(request: ApiRequest): Promise<Call> {
    const context = this.#context();
    const until = context.elapsed() + parseDuration(assumed(context, 'rateLimit.patience'));
    for (;;) {
      const call = await this.#send(request);
      const { answer } = call;
      if (answer.kind !== 'answered' || answer.status !== 429) return call;
      const now = context.elapsed();
      if (now >= until) throw stillLimited(call, assumed(context, 'rateLimit.patience'));
      const again = Math.min(until, now + Math.max(retryAfter(answer) ?? usualPause, leastPause));
      await waitFor(
        context,
        () => undefined,
        () => again,
      );
    }
  }

  /** How an operation is answered: sent past all other calls, and reported nowhere. */
  ask(which: OperationChoice): Promise<Answer> {
    const { api, ended } = this.#context();
    return api.ask(this.#compose(which, {}), ended);
  }

  /** A request to track a number. */
  track(number: TrackedNumber): Promise<Call> {
    return this.call('track', { body: trackingBody(this.#context().plan.terms, number) });
  }

  async #send(request: ApiRequest): Promise<Call> {
    const context = this.#context();
    await context.hangWatch.calm();
    if (context.ended.aborted) throw new RunEnded('The run has ended.');
    const { check } = this.#owner;
    const at = context.elapsed();
    this.#underWay += 1;
    const isPatient = this.#isAgain && !this.#waitedOut.isEnough;
    const silence = (): Silence => context.answerTimes.silence(context.plan.timeout, isPatient);
    const answer = await context.api.send(request, context.ended, silence).finally(() => {
      this.#underWay -= 1;
      this.#idleSince = performance.now();
    });
    if (context.ended.aborted) throw new RunEnded('The run has ended.');
    refuseOwnWant(answer);
    const call: Call = { kind: 'call', request, answer, at };
    this.#record(call);
    this.#waitedOut.note(answer);
    context.answerTimes.note(answer);
    if (answer.kind === 'answered') context.answered.add(request.operationId);
    context.guardian.heard(answer);
    context.hangWatch.heard(`${request.method} ${request.path} (${check})`, this.#owner, answer, true);
    context.emit({
      type: 'call.finished',
      ...this.#owner,
      operationId: request.operationId,
      method: request.method,
      path: request.path,
      bytes: request.body.length,
      digest: requestDigest(`${request.method} ${request.path}`, request),
      answer: shortAnswer(answer),
    });
    context.judge(call);
    context.refusals.add(call, isKeyed(context, request), context);
    return call;
  }

  #compose(which: OperationChoice, how: CallOptions): ApiRequest {
    const context = this.#context();
    const operation = operationOf(context, which);
    const body = how.body === undefined ? Buffer.alloc(0) : Buffer.isBuffer(how.body) ? how.body : jsonBytes(how.body);
    const path = pathOf(operation, how);
    const { operationId, method } = operation;
    return { operationId, method, path, headers: headersOf(context, operation, how), body };
  }
}

/** The operation, with the method and path that an assumption fills in. @throws ContractError for an unknown one */
export function operationOf(context: RunState, which: OperationChoice): Operation {
  const { assumptions, contract } = context.plan;
  const operation = contract.operation(which);
  const key = contract.assumptions.find((each) => each.operation === operation.operationId)?.key;
  const filled = assumptions.find((each) => each.key === key)?.value;
  if (filled === undefined) return operation;
  const [method = operation.method, path = operation.path] = filled.split(' ');
  return { ...operation, method, path };
}

/** Statuses by which services refuse a media type. */
export function mayRefuseMediaType({ answer }: Call): boolean {
  return answer.kind === 'answered' && [400, 406, 415, 422].includes(answer.status);
}

/** A call without a body that does no harm: the list of webhooks, or a creation of nothing, which is refused. */
export function plainCall({ contract }: Pick<RunState['plan'], 'contract'>): OperationRole {
  return offers(contract, 'list') ? 'list' : 'create';
}

function isKeyed(context: RunState, { headers }: ApiRequest): boolean {
  const name = context.plan.terms.authorization.header.toLowerCase();
  return headers.some(([each, value]) => each.toLowerCase() === name && value === authorizationOf(context));
}

function jsonBytes(value: Json): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function stillLimited({ request: { method, path } }: Call, timeLimit: string): Unproven {
  return new Unproven(
    `${method} ${path} was answered with 429 for ${timeLimit}: give a lower --rate, or a longer --assume rateLimit.patience=<duration>`,
  );
}

function listOf(statuses: ReadonlySet<number>): string {
  return [...statuses].toSorted((one, other) => one - other).join(',');
}
