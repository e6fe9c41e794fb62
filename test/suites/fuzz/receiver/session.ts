import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { receiverFaults } from '../../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../../reference/receiver/receiver.ts';
import { receiverDraw } from '../../../../runner/receiver/receiverDraw.ts';
import { CaseKit } from '../../../../runner/receiver/receiverKit.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../../runner/receiver/receiverPlan.ts';
import { inReceiverSession } from '../../../../runner/receiver/receiverSession.ts';
import { Unproven, type Finding } from '../../../../suites/check.ts';
import type { Draw } from '../../../../suites/draw.ts';
import type { Caused, FuzzMeans, FuzzStep, SequenceResult } from '../../../../suites/fuzz/fuzzing.ts';
import { receiverModel } from '../../../../suites/fuzz/receiver/index.ts';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export const secret = 'a secret of the sequences';

/** A sequence that was played: how it ended, or why it showed nothing. */
export type Ended = SequenceResult<Finding> & { readonly unproven?: string };

/** What a test may do with a receiver. */
export interface Session {
  readonly draw: Draw;
  /** Plays sequences side by side. */
  readonly play: (sequences: readonly (readonly FuzzStep[])[]) => Promise<readonly Ended[]>;
  /** So many sequences of this seed, as the search would draw them. */
  readonly drawn: (seed: number, count: number, means?: FuzzMeans) => readonly (readonly FuzzStep[])[];
}

export interface Target {
  readonly url: string;
  readonly probe: string;
  close(): Promise<void>;
}

const means: FuzzMeans = { processControl: false, alone: false };

/** Opens a session with a receiver as a run of the kit would, does the work, and stops the receiver. */
export async function withReceiver<T>(
  target: Target,
  work: (session: Session) => Promise<T>,
  options: ReceiverPlanOptions = {},
): Promise<T> {
  try {
    const directory = join(tmpdir(), 'seaworthy-sequences');
    const { url, probe } = target;
    const plan = await receiverPlan(url, { secret: [secret], probe, checks: [], seed: 1, directory, ...options });
    let result: { readonly value: T } | undefined;
    let lost = 'the session did not begin';
    await inReceiverSession(plan, {
      elapsed: () => performance.now(),
      emit: (event) => {
        if (event.type === 'target.lost') lost = event.reason;
        if (event.type === 'kit.errored') lost = event.message;
      },
      work: async ({ context, found }) => {
        const draw = receiverDraw(context, found, plan.probe === undefined ? 'accepted' : 'effective');
        context.activity.limit = plan.targetProcess ? 1 : Infinity;
        const one = async (steps: readonly FuzzStep[], place: number): Promise<Ended> => {
          const controlsProcess = steps.some((step) => receiverModel.controlsProcess(step));
          const owner = { check: 'receiver/fuzz', case: place, controlsProcess };
          if (controlsProcess) await context.settler?.quiet();
          const kit = new CaseKit(context, owner, found);
          try {
            return await receiverModel.run(kit, steps);
          } catch (error) {
            if (!(error instanceof Unproven)) throw error;
            return { judged: [], features: [], unproven: error.message };
          } finally {
            await context.targetProcess?.guardian.up(owner);
          }
        };
        const play = (sequences: readonly (readonly FuzzStep[])[]) =>
          Promise.all(sequences.map((steps, place) => context.activity.run(() => one(steps, place))));
        const drawn = (seed: number, count: number, wanted = means) =>
          sequencesOf(draw, { seed, count, means: wanted });
        result = { value: await work({ draw, play, drawn }) };
      },
    });
    if (!result) throw new Error(lost);
    return result.value;
  } finally {
    await target.close();
  }
}

/** The reference receiver, with the mistake of this name where one is given. */
export async function withReference<T>(
  fault: string | undefined,
  work: (session: Session) => Promise<T>,
  options: ReceiverPlanOptions = {},
): Promise<T> {
  const mistake = fault === undefined ? undefined : receiverFaults[fault]!;
  const secrets = mistake?.secrets ?? [secret];
  const policies = mistake ? mistake.change(conformingPolicies) : conformingPolicies;
  const settled = fault === undefined ? {} : { settle: 400 };
  return withReceiver(await startReceiver({ secrets, policies }), work, { secret: secrets, ...settled, ...options });
}

function sequencesOf(
  draw: Draw,
  { seed, count, means: wanted }: { readonly seed: number; readonly count: number; readonly means: FuzzMeans },
): readonly (readonly FuzzStep[])[] {
  const random = new fc.Random(xoroshiro128plus(seed));
  const kinds = receiverModel.kinds(draw, wanted);
  return Array.from({ length: count }, () => {
    const some = kinds.filter(() => random.nextBoolean());
    const swarm = some.length === 0 ? kinds : some;
    const steps = fc.oneof(...swarm.map((kind) => ({ arbitrary: kind.steps, weight: kind.weight })));
    return Array.from({ length: random.nextInt(1, 8) }, () => steps.generate(random, undefined).value);
  });
}

/** How a sequence ends that is played until it shows something, a dozen times at most: some mistakes need luck. */
export async function untilFound({ play }: Pick<Session, 'play'>, steps: readonly FuzzStep[]): Promise<Ended> {
  for (let tried = 1; ; tried++) {
    const [ended] = await play([steps]);
    if (ended!.finding || tried === 12) return ended!;
  }
}

/** The finding in short: its requirement and its cause. */
export function inShort({ finding, unproven }: Ended): string {
  if (unproven !== undefined) return `unproven: ${unproven}`;
  return finding === undefined ? 'nothing' : shortly(finding);
}

function shortly({ requirements, cause }: Finding & Caused): string {
  return `${requirements[0]} ${cause}`;
}
