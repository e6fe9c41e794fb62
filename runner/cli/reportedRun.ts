import { exitCode } from '../../reports/model/exitCode.ts';
import type { RunEvent } from '../../reports/model/events.ts';
import type { Explanations } from '../../reports/model/document.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import type { ReportTarget } from '../options/optionKinds.ts';
import { openOutputs } from '../output/outputs.ts';
import { reportRun } from '../output/reporting.ts';
import type { CommandWorld } from './programEnvironment.ts';
import { lastWords, writeLearned } from './runNotes.ts';

/** The settings of a run that say where its reports go. */
interface ReportSettings {
  readonly report: readonly ReportTarget[];
  readonly keepRuns: number;
  readonly learn?: string | undefined;
}

/** A run, and what its reports say of where it comes from. */
interface ReportedRun {
  /** Begins the run, once there is a place for its reports. */
  readonly begin: () => AsyncIterable<RunEvent>;
  readonly runId: string;
  /** The config file. Default: reports point to none. */
  readonly config?: string | undefined;
  /** Called when the reports are written, before what was learned is. */
  readonly whenReported?: (summary: RunSummary) => Promise<void>;
}

/** Reports a run of a command to its end. @returns the exit code */
export async function reportedRun(
  { begin, runId, config, whenReported }: ReportedRun,
  { report, keepRuns, learn }: ReportSettings,
  world: CommandWorld,
): Promise<number> {
  const given = { ...world, runId, keepRuns, explain: explainLazily, ...(config !== undefined && { config }) };
  const outputs = openOutputs(report, given);
  try {
    const summary = await reportRun(begin(), outputs.reporters, world.secrets);
    if (!outputs.spoken) world.stderr.write(lastWords(summary, outputs));
    await whenReported?.(summary);
    if (learn !== undefined) writeLearned(learn, summary, world);
    return exitCode(summary);
  } finally {
    outputs.close();
  }
}

/** Loads what it takes only where a report asks for it. */
async function explainLazily(summary: RunSummary): Promise<Explanations> {
  return (await import('./explain/run.ts')).explainBroken(summary);
}
