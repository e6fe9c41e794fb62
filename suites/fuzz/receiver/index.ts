import fc from 'fast-check';

import type { ReceiverKit } from '../../kit.ts';
import { describeAnswer } from '../../answer.ts';
import { finding } from '../../finding.ts';
import { acceptedStatuses } from '../../receiver/expectation.ts';
import { receiverFuzzing, type FuzzStep, type ReceiverFuzzing, type SequenceResult } from '../fuzzing.ts';
import type { Finding, Sent } from '../../check.ts';
import { judgeAfterEnd } from './afterEnd.ts';
import { judgeEffects } from './effects.ts';
import { deliverWhatIsOwed } from './genuine.ts';
import { hintOf, historyOf, Mistake } from './mistake.ts';
import { ReceiverModelState, type Played } from './receiverModelState.ts';
import { PlayStep, type ReceiverStep } from './stepKind.ts';
import { breakOff, spoil } from './steps/broken.ts';
import { deliver, redeliver, together, wait } from './steps/deliver.ts';
import { forge } from './steps/forge.ts';
import { kill, stop, pause } from './steps/interrupt.ts';
import type { Answer, Attempt } from '../../delivery.ts';
import { headerValue } from '../../../spec/headerText.ts';

/** An answer that takes so many times as long as the others of its sequence, and so many milliseconds, is a slow one. */
const slow = { times: 8, ms: 100 } as const;

/**
 * What came back in a sequence, in short texts: the kind of step with the answer's status, and the shape of its body; and
 * which answers followed each other. Few enough that a receiver which answers as it should soon shows nothing new.
 */
function featuresOf(played: readonly Played[]): readonly string[] {
  const usual = median(played.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.ms)));
  const features = new Set<string>();
  let before = '';
  for (const { step: taken, attempts } of played) {
    const kind = taken.do;
    for (const { answer } of attempts) features.add(`${kind} ${describe(answer)}${pace(answer, usual)}`);
    const step = outcome(kind, attempts);
    if (before !== '') features.add(`${before} > ${step}`);
    before = step;
  }
  return [...features];
}

function outcome(kind: string, attempts: readonly Attempt[]): string {
  return [kind, ...new Set(attempts.map(({ answer }) => short(answer)).toSorted())].join(' ');
}

function describe(answer: Answer): string {
  return answer.kind === 'answered' ? `${answer.status} ${shape(answer)}` : short(answer);
}

function short(answer: Answer): string {
  if (answer.kind === 'answered') return String(answer.status);
  return answer.kind === 'broken' ? `broken ${answer.code}` : answer.kind;
}

/** The media type, the names of a JSON object's members, and how long the body is, in steps of powers of sixteen. */
function shape({ headers, body }: Extract<Answer, { kind: 'answered' }>): string {
  const type = headerValue(headers, 'Content-Type')?.split(';')[0] ?? 'no type';
  const length = body === '' ? 0 : 1 + Math.floor(Math.log2(body.length) / 4);
  return [type, ...members(body), `length ${length}`].join(' ');
}

function members(body: string): readonly string[] {
  if (!body.startsWith('{')) return [];
  try {
    return [
      `{${Object.keys(JSON.parse(body) as object)
        .toSorted()
        .slice(0, 8)
        .join()}}`,
    ];
  } catch {
    return [];
  }
}

function pace({ ms }: Answer, usual: number): string {
  return ms > slow.ms && ms > slow.times * usual ? ' slow' : '';
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
}

const plain: ReadonlySet<string> = new Set(['deliver', 'redeliver']);

/** Plain deliveries of the notification that a step is about. */
function plainer(step: FuzzStep): readonly FuzzStep[] {
  const slot = slotOf(step as FuzzStep & Partial<Slotted>);
  if (slot === undefined || plain.has(step.do)) return [];
  return [...plain].map((kind) => ({ do: kind, slot }));
}

interface Slotted {
  readonly slot: string;
  readonly parts: readonly { readonly slot: string }[];
}

function slotOf({ slot, parts }: Partial<Slotted>): string | undefined {
  return slot ?? parts?.[0]?.slot;
}

const stepKinds: readonly ReceiverStep<FuzzStep>[] = [
  deliver,
  redeliver,
  together,
  forge,
  spoil,
  breakOff,
  wait,
  kill,
  stop,
  pause,
];
const byKind = new Map(stepKinds.map((kind) => [kind.kind, kind]));
const interruptions: ReadonlySet<string> = new Set(['kill', 'stop', 'pause']);

/**
 * What a right receiver makes of any sequence of deliveries: what it acknowledged takes effect once, what was not sent by the
 * service takes none, and nothing that failed, was forged or came twice keeps it from taking what comes next.
 */
export const receiverModel: ReceiverFuzzing = receiverFuzzing<FuzzStep>({
  subject: 'receiver',
  requirements: [
    'RCV-1',
    'RCV-2',
    'RCV-3',
    'RCV-5',
    'RCV-7',
    'IDM-1',
    'IDM-2',
    'IDM-3',
    'IDM-4',
    'IDM-5',
    'VRF-1',
    'VRF-2',
    'VRF-3',
    'RTY-1',
    'ROB-1',
  ],
  fatal: 'ROB-1',
  knows: [...byKind.keys()],
  kinds: (draw, means) =>
    stepKinds.flatMap((one) => {
      const steps = one.steps(draw, means);
      return steps ? [{ kind: one.kind, weight: one.weight, steps }] : [];
    }),
  controlsProcess: (step) => interruptions.has(step.do),
  plainer,
  describe: (step) => byKind.get(step.do)?.describe(step) ?? `a step that this version does not know (${step.do})`,
  hint: hintOf,
  run,
});

async function run(kit: ReceiverKit, steps: readonly FuzzStep[]): Promise<SequenceResult<Finding>> {
  const modelState = new ReceiverModelState();
  const ended = (found?: Mistake['finding']): SequenceResult<Finding> => ({
    ...(found && { finding: found }),
    judged: [...new Set([...modelState.judged, ...(found?.requirements ?? [])])],
    features: featuresOf(modelState.played),
  });
  try {
    await play(kit, modelState, steps);
    await judge(kit, modelState);
    return ended();
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return ended({ ...error.finding, sent: sentUntil(kit, modelState, error.finding) });
  }
}

/** All that was sent until a mistake was seen, without the neighbours that were sent to find out why. */
function sentUntil(kit: ReceiverKit, { owed }: ReceiverModelState, { attempts, effects }: Finding): Sent {
  const last = attempts.at(-1)?.answer;
  const decisive = kit.attempts.findIndex(({ answer }) => answer === last) + 1;
  const count = effects === undefined ? decisive : (owed ?? kit.attempts.length);
  const counted = new Set(effects?.map(({ id }) => id));
  const event = kit.attempts.find(({ delivery }) => counted.has(delivery.id))?.delivery.event;
  const plain = event === undefined ? kit.control : kit.plain({ event, value: null });
  return { control: kit.compose(plain), attempts: kit.attempts.slice(0, count) };
}

async function play(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  steps: readonly FuzzStep[],
): Promise<ReceiverModelState> {
  const commands = steps.flatMap((step) => {
    const kind = byKind.get(step.do);
    return kind ? [new PlayStep(kind, step)] : [];
  });
  await fc.asyncModelRun(() => ({ model: { modelState }, real: kit }), commands);
  return modelState;
}

/** What can be said only at the end, once all that is owed has been delivered. */
async function judge(kit: ReceiverKit, modelState: ReceiverModelState): Promise<void> {
  if (modelState.interruptions.some((interruption) => interruption !== 'pause')) return judgeAfterEnd(kit, modelState);
  await deliverWhatIsOwed(kit, modelState);
  modelState.owed = kit.attempts.length;
  await judgeEffects(kit, modelState, (steps) => play(kit, new ReceiverModelState(), steps));
  judgeSilence(kit, modelState);
}

/** A redelivery that had no answer, although a later one had: the least certain mistake, so it is reported last. */
function judgeSilence(kit: ReceiverKit, modelState: ReceiverModelState): void {
  const [silent] = modelState.unanswered;
  if (silent === undefined) return;
  const point = { requirement: 'IDM-1', difference: 'a redelivery of the same notification' } as const;
  const seen = {
    expected: `the redelivery is accepted: status ${acceptedStatuses(kit)}`,
    actual: describeAnswer(silent.attempt.answer),
    absence: true,
  };
  throw new Mistake(
    finding(point, { attempts: historyOf(kit, modelState, silent.entry, silent.attempt), ...seen }),
    'unanswered',
  );
}
