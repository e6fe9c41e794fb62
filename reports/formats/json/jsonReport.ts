import { exitCode, type ExitCode } from '../../model/exitCode.ts';
import type { ProcessChanged, TargetSaid } from '../../model/processEvents.ts';
import { runProblems, type RunProblem } from '../../model/runProblems.ts';
import type { WireFigures } from '../../model/wireFigures.ts';
import type {
  CheckResult,
  RequirementResult,
  RunSummary,
  ExpectationResult,
  SearchResult,
  LearnedAssumption,
  Observation,
  SecondOpinion,
} from '../../model/runSummary.ts';

/** Names the JSON Schema of the report, `report.schema.json` in this package. */
export const reportSchema = 'urn:seaworthy:report:1';

/** The JSON report, format 1, as `report.schema.json` describes it. */
export interface JsonReport extends Pick<
  RunSummary,
  'kit' | 'contract' | 'target' | 'verdict' | 'summary' | 'assumptions' | 'observations'
> {
  readonly $schema: typeof reportSchema;
  readonly format: 1;
  readonly run: RunSummary['run'];
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
  /** What the process exits with. */
  readonly exitCode: ExitCode;
  /** The command that repeats the run. */
  readonly command: string;
  /** What went over the wire, added up. */
  readonly wire: WireFigures;
  /** Only with `--expect-failures`. */
  readonly expectations?: readonly ExpectationResult[];
  /** Only where the run broke off, or the kit itself failed. */
  readonly problems?: readonly RunProblem[];
  /** Only where the run was killed: the checks that had begun and not ended. */
  readonly pending?: readonly string[];
  /** Only where sequences were searched for. */
  readonly search?: SearchResult;
  /** Only where requests and answers were judged twice. */
  readonly secondOpinion?: SecondOpinion;
  /** Only where the kit left something at the target. */
  readonly leftOver?: readonly string[];
  /** Only where the kit started the target itself. */
  readonly life?: JsonProcess;
}

/** How a target fared that was under process control. */
interface JsonProcess {
  /** The ends that nobody asked for. */
  readonly deaths: readonly Omit<ProcessChanged, 'type' | 'change'>[];
  /** The last lines that it wrote. */
  readonly tail: readonly string[];
  /** The file that holds all of it; not there where it wrote nothing. */
  readonly file?: string;
}

/** The report of a run as a JSON value. Members stand in the order in which the format is documented. */
export function jsonReport(summary: RunSummary): JsonReport {
  const problems = runProblems(summary).map(({ title, text }) => ({ title, text }));
  return {
    $schema: reportSchema,
    format: 1,
    kit: summary.kit,
    contract: summary.contract,
    target: summary.target,
    run: runRow(summary.run),
    verdict: summary.verdict,
    summary: summary.summary,
    requirements: summary.requirements.map(requirementRow),
    checks: summary.checks,
    assumptions: summary.assumptions,
    observations: [...summary.observations, ...summary.learned.map(learnedRow)],
    exitCode: exitCode(summary),
    command: summary.command,
    wire: summary.wire,
    ...(summary.expectations && { expectations: summary.expectations }),
    ...(problems.length > 0 && { problems }),
    ...(summary.pending.length > 0 && { pending: summary.pending }),
    ...(summary.search && { search: summary.search }),
    ...(summary.secondOpinion && { secondOpinion: summary.secondOpinion }),
    ...(summary.leftOver.length > 0 && { leftOver: summary.leftOver }),
    ...(summary.said && { life: processRow(summary.said, summary.deaths) }),
  };
}

function runRow(run: RunSummary['run']): JsonReport['run'] {
  const { id, seed, intensity, strict, startedAt, durationMs, complete, timeLimit, outOfTime, shard, resumes } = run;
  return {
    id,
    seed,
    intensity,
    startedAt,
    durationMs,
    complete,
    strict,
    ...(timeLimit !== undefined && { timeLimitMs: timeLimit }),
    ...(outOfTime && { outOfTime }),
    ...(shard && { shard }),
    ...(resumes && { resumes }),
  };
}

function requirementRow({
  id,
  level,
  section,
  outcome,
  checks,
  binding,
  required,
  statement,
  why,
  reason,
}: RequirementResult): JsonReport['requirements'][number] {
  const row = {
    id,
    level,
    section,
    outcome,
    checks,
    ...(binding && { binding }),
    ...(required && { required }),
    statement,
    ...(why !== undefined && { why }),
  };
  return reason === undefined ? row : { ...row, reason };
}

function processRow({ tail, file }: TargetSaid, deaths: readonly ProcessChanged[]): JsonProcess {
  return {
    deaths: deaths.map(deathRow),
    tail,
    ...(file !== undefined && { file }),
  };
}

function deathRow({ ms, check, case: number, detail, said }: ProcessChanged): JsonProcess['deaths'][number] {
  return { ms, check, case: number, ...(detail !== undefined && { detail }), ...(said && { said }) };
}

/** What was learned stands among the observations, as `--assume` takes it. */
function learnedRow({ key, gap, value, evidence }: LearnedAssumption): Observation {
  return { gap, value: `${key} = ${value}`, evidence };
}
