import { asyncModelRun } from 'fast-check';

import type { ServiceKit } from '../../serviceKit.ts';
import { type SequenceResult, serviceFuzzing } from '../fuzzing.ts';
import { knownSteps, StepCommand } from './command.ts';
import { describe, featuresOf } from './describe.ts';
import { type Found, hintOf } from './found.ts';
import { judgeDeliveries, judgeSamples, judgeSurplus } from './judgedDeliveries.ts';
import { judgeListed } from './judgedListed.ts';
import { judgeMissing } from './judgedMissing.ts';
import { kindsOf } from './kinds.ts';
import { isAnswering, missing } from './missing.ts';
import { outcomeOf, ServiceModelState } from './serviceModelState.ts';
import { type CreateStep, isPossible, type ServiceStep, type UpdateStep } from './steps.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { placeholderUrl } from '../../../generators/calls/creationNeighbour.ts';
import type { Json } from '../../../generators/json/json.ts';
import { parseDuration } from '../../../spec/units.ts';
import { longestPause } from './registered.ts';

/** Hosts that are drawn for addresses that are none: nobody has them (RFC 2606). */
const drawn = /\b[a-z]{1,12}\.example\b|\[::1/g;

/**
 * Why a step must not be played: it would have the service deliver to another address than one of the kit's. In the body of
 * a creation that is drawn, each address stands for one of these; and no endpoint that is drawn answers with headers.
 */
function namedAddress(step: ServiceStep): string | undefined {
  if (step.do === 'create' || step.do === 'update') return redirected(step);
  const found = step.do === 'invalid' ? addressIn(step.invalid, '') : undefined;
  return found === undefined ? undefined : `it names an address that is none of the kit: ${found}`;
}

function redirected(step: CreateStep | UpdateStep): string | undefined {
  const refusals = (step.do === 'create' ? step.refusals : step.url?.refusals) ?? [];
  const redirects = refusals.some(({ by }) => 'headers' in by);
  return redirects ? 'its endpoint answers with headers, which may lead the service elsewhere' : undefined;
}

function addressIn(value: Json, name: string): string | undefined {
  if (typeof value === 'string') return isForeign(value, name) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Array.isArray(value) ? value.map((item: Json) => [name, item] as const) : Object.entries(value);
  for (const [member, item] of members) {
    const found = addressIn(item, member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An address anywhere, and where an address belongs also what only a lenient reader takes for one. */
function isForeign(text: string, name: string): boolean {
  if (text === placeholderUrl) return false;
  if ((URL.parse(text)?.host ?? '') !== '') return true;
  return /^(?:url|uri)$/i.test(name) && /[.\d%]/.test(text.replaceAll(drawn, ''));
}

const requirements: readonly RequirementId[] = [
  'ACT-2',
  'ACT-3',
  'CRW-1',
  'CRW-2',
  'CRW-3',
  'CRW-4',
  'CRW-5',
  'CRW-7',
  'DLV-2',
  'DLV-3',
  'DLV-4',
  'DLV-5',
  'DLV-6',
  'DLV-7',
  'LST-1',
  'LST-2',
  'NTF-2',
  'NTF-3',
  'NTF-5',
  'NTF-7',
  'NTF-9',
  'SIG-1',
  'SIG-2',
  'STA-1',
  'STA-2',
  'STA-3',
  'STA-4',
  'STA-5',
  'SVC-1',
  'TRG-1',
  'TRG-2',
  'TRG-4',
  'TRG-6',
  'WHK-2',
  'WHK-4',
  'WHK-5',
  'WHK-6',
  'WHK-7',
  'WHK-8',
  'WHK-9',
  'WHK-10',
];

/** How often something that was missing, and came while it was looked into, is waited for. */
const rounds = 3;

/** Steps that may matter for no more than the time that they take. */
const slow: ReadonlySet<string> = new Set(['emit', 'trigger', 'list', 'page']);

/**
 * The model of a right service. Sequences may run side by side, as many as one likes: each registers webhooks of its own
 * at endpoints of its own. What happens in the service is everybody's, though: anyone who draws gives sequences that run
 * beside each other events that differ (`draw.events`). Shared ones raise no false alarm, for a notification more than
 * was caused is never judged where the webhook subscribes to its event; but they can hide that one was lost.
 *
 * What has to come is waited for as long as things come. Only where something is missing, a triggered event of its own shows
 * how long that may take (`yardstick.ts`), which takes a second or two; what the retry window ends is not judged.
 */
export const serviceModel = serviceFuzzing<ServiceStep>({
  subject: 'service',
  requirements,
  fatal: 'ROB-2',
  knows: knownSteps,
  forbids: namedAddress,
  kinds: kindsOf,
  controlsProcess: (step) => step.do === 'kill' || step.do === 'stop' || step.do === 'pause',
  plainer: ({ do: kind }) => (slow.has(kind) ? [{ do: 'pass', ms: 60 }] : []),
  describe,
  hint: (found) => hintOf(found),
  run,
});

async function run(kit: ServiceKit, steps: readonly ServiceStep[]): Promise<SequenceResult<Found>> {
  const modelState = new ServiceModelState(kit);
  const played: ServiceStep[] = [];
  const possible = steps.filter((step) => isPossible(modelState.parts, step));
  const commands = possible.map((step) => new StepCommand(step, (each) => played.push(each)));
  const model = { taken: new Set<never>(), missing: new Set<never>() };
  await asyncModelRun(() => ({ model, real: modelState }), commands);
  if (!hasProof(modelState)) await judge(modelState);
  const [finding] = modelState.found.toSorted((one, other) => Number(one.absence) - Number(other.absence));
  modelState.judge(...(finding?.requirements ?? []));
  const judged = [...modelState.judged].filter((id) => requirements.includes(id));
  return { ...(finding && { finding }), judged, features: featuresOf(modelState, played) };
}

/** Waits for what has to come, and compares all that came with what was done. */
async function judge(modelState: ServiceModelState): Promise<void> {
  let settled = await untilSettled(modelState);
  judgeCome(modelState);
  if (hasProof(modelState)) return;
  for (let time = 0; settled === 'quiet' && time < rounds && (await judgeMissing(modelState)) === 'came'; time += 1) {
    settled = await untilSettled(modelState);
  }
  if (settled === 'whole' || (missing(modelState).length === 0 && !isAnswering(modelState))) judgeArrived(modelState);
  if (!hasProof(modelState)) judgeCome(modelState);
  await judgeListed(modelState);
}

function judgeCome(modelState: ServiceModelState): void {
  judgeSamples(modelState);
  judgeDeliveries(modelState);
  judgeSurplus(modelState);
}

function hasProof({ found }: ServiceModelState): boolean {
  return found.some(({ absence }) => !absence);
}

/** Says what could have been found missing. */
function judgeArrived(modelState: ServiceModelState): void {
  if (modelState.deliveries.length > 0) modelState.judge('DLV-6');
  judgeRetried(modelState);
  if (modelState.away.some(({ paused }) => !paused)) modelState.judge('DLV-7');
  if (modelState.registered.some(({ states }) => states.some(({ active }) => !active)))
    modelState.judge('ACT-2', 'WHK-6');
}

/** What the attempts show that followed others: of a refusal, and of a connection that broke or was left without an answer. */
function judgeRetried(modelState: ServiceModelState): void {
  const retried = modelState.deliveries.flatMap(({ attempts }) => attempts.slice(0, -1));
  const outcomes = new Set(retried.map((caught) => outcomeOf(caught, modelState.kit.contract)));
  if (outcomes.has('refused')) modelState.judge('DLV-3');
  if (outcomes.has('broken')) modelState.judge('DLV-4');
  if (outcomes.has('refused') || outcomes.has('broken')) modelState.judge('STA-5', 'NTF-3');
}

/** Milliseconds without anything new after which what is missing is looked into; several pauses of what was retried. */
const leastWait = 250;
/** How many times its longest pause so far something may take. */
const factor = 4;
/** Milliseconds that what must not come is awaited at least and at most. */
const quiet = { least: 40, afterTriggeredEvents: 150, most: 600 };

/** How it ended: all was there, or something is missing and nothing came any more, or things came until the retry window ended. */
type Settled = 'whole' | 'quiet' | 'busy';

/** Waits until all is there that has to come, or nothing came for a while; then a little longer, for what must not come. */
async function untilSettled(modelState: ServiceModelState): Promise<Settled> {
  const { kit } = modelState;
  const end = kit.elapsed() + kit.window;
  const isThere = watched(modelState, () => missing(modelState).length === 0 && !isAnswering(modelState));
  for (;;) {
    const before = modelState.version;
    const isDone = await kit.soon(isThere, Math.min(quietTime(modelState), end - kit.elapsed()));
    if (isDone) await quietly(modelState);
    // What came only now may have brought something to wait for.
    if (isDone && missing(modelState).length === 0) return 'whole';
    if (!isDone && modelState.version === before) return 'quiet';
    if (kit.elapsed() >= end) return 'busy';
  }
}

/** Waits for what must not come. */
async function quietly(modelState: ServiceModelState): Promise<void> {
  const least = modelState.raised.length > 0 ? quiet.afterTriggeredEvents : quiet.least;
  const pause = Math.min(Math.max(least, 2.5 * longestPause(modelState.deliveries)), quiet.most);
  await modelState.kit.soon(() => undefined, pause);
}

/** Asks only where something came since it was asked last: everything that comes anywhere wakes all that wait. */
function watched(modelState: ServiceModelState, ask: () => boolean): () => true | undefined {
  let version = -1;
  let answer = false;
  return () => {
    const now = modelState.version;
    if (now !== version) answer = ask();
    version = now;
    return answer || undefined;
  };
}

function quietTime(modelState: ServiceModelState): number {
  const timeout = isAnswering(modelState) ? 1.5 * parseDuration(modelState.kit.assumption('delivery.timeout')) : 0;
  return Math.max(leastWait, factor * longestPause(modelState.deliveries), timeout);
}
