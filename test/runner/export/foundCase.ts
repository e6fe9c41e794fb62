import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import { readSavedCase, type SavedCase, type SavedStep } from '../../../runner/engine/savedCase.ts';
import { fuzzCheckId } from '../../../runner/fuzz/fuzzTarget.ts';
import { searchable } from '../../../runner/fuzz/runFuzz.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';

const secret = 'a secret of the exports';

/** The reference receiver, with the mistake of this name where one is given. */
export function startFaulty(
  fault: string | undefined,
  secrets: readonly string[] = secretsOf(fault ?? ''),
): Promise<RunningReceiver> {
  const mistake = fault === undefined ? undefined : receiverFaults[fault]!;
  return startReceiver({ secrets, policies: mistake ? mistake.change(conformingPolicies) : conformingPolicies });
}

/** The secrets that it is started with. */
export function secretsOf(fault: string): readonly string[] {
  return receiverFaults[fault]?.secrets ?? [secret];
}

/**
 * The case that a search saves where it finds this sequence, with all that went over the wire.
 *
 * @param directory - where it is saved
 * @returns nothing where the sequence shows nothing in five tries
 */
export async function foundCase(
  fault: string,
  sequence: readonly SavedStep[],
  directory: string,
): Promise<SavedCase | undefined> {
  const receiver = await startFaulty(fault);
  try {
    return await caseFoundAt(receiver, sequence, { secrets: secretsOf(fault), directory });
  } finally {
    await receiver.close();
  }
}

interface Searched {
  readonly secrets: readonly string[];
  /** Where the case is saved. */
  readonly directory: string;
  /** Default: the tracking service's. */
  readonly contract?: string;
}

/** The same at a receiver that runs already. */
export async function caseFoundAt(
  { url, probe }: Pick<RunningReceiver, 'url' | 'probe'>,
  sequence: readonly SavedStep[],
  { secrets, directory, contract }: Searched,
): Promise<SavedCase | undefined> {
  const plan = await receiverPlan(url, {
    secret: [...secrets],
    ...(contract !== undefined && { contract }),
    probe,
    settle: 400,
    checks: [],
    seed: 1,
    directory,
    given: { url, options: { probe: [probe], ...(contract !== undefined && { contract: [contract] }) }, env: [] },
  });
  const began = performance.now();
  let file: string | undefined;
  await searchable({ subject: 'receiver', plan }).inSession(plan.signal, {
    elapsed: () => performance.now() - began,
    emit: () => {},
    work: async (target) => {
      for (let tried = 0; tried < 5 && file === undefined; tried += 1) {
        const [played] = await target.play([sequence.map(({ step }) => step)], true);
        if (played?.trial.kind !== 'broken') continue;
        const { finding } = played.trial;
        const [requirement = ''] = finding.requirements;
        const check = { id: fuzzCheckId('receiver', requirement), title: 'It was found by a search.' };
        const rate = { failed: 4, tries: 4 };
        file = target.tell({ check, number: 1, finding, sequence, beside: [], rate, index: 0 }).file;
      }
    },
  });
  return file === undefined ? undefined : readSavedCase(file);
}
