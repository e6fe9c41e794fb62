import { asyncModelRun } from 'fast-check';

import type { ServiceKit } from '../../serviceKit.ts';
import { type SequenceResult, serviceFuzzing } from '../fuzzing.ts';
import { knownSteps, StepCommand } from './command.ts';
import { describe } from './describe.ts';
import { featuresOf } from './features.ts';
import type { Found } from './found.ts';
import { hintOf } from './hints.ts';
import { judgeLetters } from './judgedLetters.ts';
import { judgeListed } from './judgedListed.ts';
import { judgeMissing } from './judgedMissing.ts';
import { judgeSamples } from './judgedSamples.ts';
import { judgeSurplus } from './judgedSurplus.ts';
import { kindsOf } from './kinds.ts';
import { isAnswering, missing } from './missing.ts';
import { namedAddress } from './namedAddress.ts';
import { outcomeOf } from './outcome.ts';
import { untilSettled } from './settled.ts';
import type { ServiceStep } from './steps.ts';
import { World } from './world.ts';

const requirements: readonly string[] = [
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
const patience = 3;

/** Steps that may matter for no more than the time that they take. */
const slow: ReadonlySet<string> = new Set(['emit', 'trigger', 'list', 'page']);

/**
 * The model of a right service. Sequences may run side by side, as many as one likes: each registers webhooks of its own
 * at endpoints of its own. What happens in the service is everybody's, though: whoever draws gives sequences that run
 * beside each other events that differ (`draw.events`). Shared ones raise no false alarm, for a notification more than
 * was caused is never judged where the webhook subscribes to its event; but they can hide that one was lost.
 *
 * What has to come is waited for as long as things come. Only where something is missing, a happening of its own shows
 * how long that may take (`yardstick.ts`), which takes a second or two; what the retry window ends is not judged.
 */
export const serviceModel = serviceFuzzing<ServiceStep>({
  subject: 'service',
  requirements,
  fatal: 'ROB-2',
  knows: knownSteps,
  forbids: namedAddress,
  kinds: kindsOf,
  holdsLife: (step) => step.do === 'kill' || step.do === 'stop' || step.do === 'pause',
  plainer: ({ do: kind }) => (slow.has(kind) ? [{ do: 'pass', ms: 60 }] : []),
  describe,
  hint: (found) => hintOf(found),
  run,
});

async function run(kit: ServiceKit, steps: readonly ServiceStep[]): Promise<SequenceResult<Found>> {
  const world = new World(kit);
  const played: ServiceStep[] = [];
  const commands = steps.map((step) => new StepCommand(step, (each) => played.push(each)));
  const model = { taken: new Set<never>(), missing: new Set<never>() };
  await asyncModelRun(() => ({ model, real: world }), commands);
  if (!hasProof(world)) await judge(world);
  const [finding] = world.found.toSorted((one, other) => Number(one.absence) - Number(other.absence));
  world.judge(...(finding?.requirements ?? []));
  const judged = [...world.judged].filter((id) => requirements.includes(id));
  return { ...(finding && { finding }), judged, features: featuresOf(world, played) };
}

/** Waits for what has to come, and holds all that came against what was done. */
async function judge(world: World): Promise<void> {
  let settled = await untilSettled(world);
  judgeCome(world);
  if (hasProof(world)) return;
  for (let time = 0; settled === 'quiet' && time < patience && (await judgeMissing(world)) === 'came'; time += 1) {
    settled = await untilSettled(world);
  }
  if (settled === 'whole' || (missing(world).length === 0 && !isAnswering(world))) judgeArrived(world);
  if (!hasProof(world)) judgeCome(world);
  await judgeListed(world);
}

function judgeCome(world: World): void {
  judgeSamples(world);
  judgeLetters(world);
  judgeSurplus(world);
}

function hasProof({ found }: World): boolean {
  return found.some(({ absence }) => !absence);
}

/** Says what could have been found missing. */
function judgeArrived(world: World): void {
  if (world.letters.length > 0) world.judge('DLV-6');
  judgeRetried(world);
  if (world.away.some(({ paused }) => !paused)) world.judge('DLV-7');
  if (world.registered.some(({ states }) => states.some(({ active }) => !active))) world.judge('ACT-2', 'WHK-6');
}

/** What the attempts show that followed others: of a refusal, and of a connection that broke or was left without an answer. */
function judgeRetried(world: World): void {
  const retried = world.letters.flatMap(({ attempts }) => attempts.slice(0, -1));
  const outcomes = new Set(retried.map((caught) => outcomeOf(caught, world.kit.contract)));
  if (outcomes.has('refused')) world.judge('DLV-3');
  if (outcomes.has('broken')) world.judge('DLV-4');
  if (outcomes.has('refused') || outcomes.has('broken')) world.judge('STA-5', 'NTF-3');
}
