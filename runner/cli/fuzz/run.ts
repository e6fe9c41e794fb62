import { resolve } from 'node:path';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { checkReports } from '../../output/checkReports.ts';
import { UsageError } from '../../errors.ts';
import { checkExports } from '../../export/checkExports.ts';
import { exportCases } from '../../export/exportCases.ts';
import { CorpusFile } from '../../fuzz/corpusFile.ts';
import { runFuzz } from '../../fuzz/runFuzz.ts';
import { fuzzChecks } from '../../fuzz/fuzzChecks.ts';
import type { FuzzPlan } from '../../fuzz/fuzzPlan.ts';
import { fuzzModels } from '../../fuzz/models.ts';
import { openOutputs } from '../../output/outputs.ts';
import { reportRun } from '../../output/reporting.ts';
import { readSavedCase } from '../../engine/savedCase.ts';
import { checkList } from '../checkList.ts';
import type { CommandInput } from '../command.ts';
import { lastWords } from '../lastWords.ts';
import { programOf } from '../programOf.ts';
import { searchCall } from './searchCall.ts';
import { tellAuthority } from '../tellAuthority.ts';
import type { CommandWorld, ProgramEnvironment } from '../programEnvironment.ts';
import { checkLearned, writeLearned } from '../writeLearned.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { receiverFuzzOptions, serviceFuzzOptions } from '../../options/fuzzOptions.ts';
import { receiverFuzzPlan } from '../../fuzz/receiverFuzzPlan.ts';
import { serviceFuzzPlan } from '../../fuzz/serviceFuzzPlan.ts';
import { givenOptions } from '../../options/givenOptions.ts';
import { commandLine } from '../../options/commandLine.ts';
import type { Options } from '../../options/options.ts';
import type { ExportTarget } from '../../options/exportKind.ts';
import type { ReportTarget } from '../../options/optionKinds.ts';
import { resolveSettings, settingTexts, type CommandLine, type SettingSources } from '../../options/settings.ts';
import { typedSecrets } from '../../secrets/confided.ts';
import { openCall } from '../openCall.ts';
import { openAddress } from '../../http/openAddress.ts';
import { playLazily } from '../playLazily.ts';

/** What `seaworthy fuzz` does. @returns the exit code */
export async function searchTarget(input: CommandInput): Promise<number> {
  const { programEnvironment } = input;
  const { subject, target, sources } = await searchCall(input);
  const wanted = subject === 'receiver' ? receiverSearch(sources) : serviceSearch(sources);
  if (wanted.settings.list) return list(wanted, programEnvironment);
  if (target === undefined) throw targetMissing();
  checkReports(wanted.settings.report);
  checkLearned(wanted.settings.learn, programEnvironment);
  checkExports(wanted.settings.export, programEnvironment.workingDirectory);
  const plan = await wanted.plan(target, programOf(programEnvironment), programEnvironment);
  if (plan.feedback) warn(programEnvironment, corpusOf(plan).check());
  if (plan.subject === 'service') await tellAuthority(plan.plan, programEnvironment);
  return search(plan, wanted.settings, programEnvironment);
}

async function search(plan: FuzzPlan, settings: CommonSettings, programEnvironment: CommandWorld): Promise<number> {
  const outputs = openOutputs(settings.report, { ...programEnvironment, runId: plan.plan.runId });
  try {
    const summary = await reportRun(
      runFuzz({ ...plan, warn: (line) => warn(programEnvironment, line) }),
      outputs.reporters,
      programEnvironment.secrets,
    );
    if (!outputs.spoken) programEnvironment.stderr.write(lastWords(summary, outputs.journal));
    await exportFailures(summary, settings, plan, programEnvironment);
    if (settings.learn !== undefined) writeLearned(settings.learn, summary, programEnvironment);
    return exitCode(summary);
  } finally {
    outputs.close();
  }
}

function corpusOf({ corpus, subject, plan }: FuzzPlan): CorpusFile {
  return new CorpusFile(corpus, subject, plan.kit.version);
}

function warn({ stderr }: ProgramEnvironment, line: string | undefined): void {
  if (line !== undefined) stderr.write(`${line}.\n`);
}

/** Writes each failure that counts in the forms that were asked for. */
async function exportFailures(
  { search: found }: RunSummary,
  { export: targets }: CommonSettings,
  { plan, subject }: FuzzPlan,
  { secrets: hidden, stderr, workingDirectory }: CommandWorld,
): Promise<void> {
  const failures = (found?.failures ?? []).filter(({ outcome }) => outcome === 'failed');
  const files = failures.flatMap(({ counterexample: { file } }) => (file === undefined ? [] : [file]));
  if (targets.length === 0 || files.length === 0) return;
  const cases = await Promise.all(
    files.map(async (file) => ({ file: resolve(workingDirectory, file), saved: await readSavedCase(file) })),
  );
  const secrets = subject === 'receiver' ? plan.secrets : [];
  const lines = await exportCases(cases, targets, { workingDirectory, secrets, hidden });
  stderr.write(lines.map((line) => `${line}\n`).join(''));
}

async function list(wanted: Wanted, { stdout }: ProgramEnvironment): Promise<number> {
  const { subject, plan, requirements } = await wanted.targetless();
  const checks = fuzzChecks(fuzzModels[subject], plan.contract, requirements);
  stdout.write(
    checkList(
      checks.map((check) => ({ ...check, needs: [] })),
      stdout.columns,
    ),
  );
  return 0;
}

function targetMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'fuzz was given neither the URL of a receiver nor the base address of a service',
    valid: 'the http or https address where a receiver takes notifications, or --service <base-url>',
    next: 'seaworthy fuzz http://localhost:3000/hooks, or "fuzz: { url }" in seaworthy.config.ts',
  });
}

/** What the command itself needs of the settings of a search. */
interface CommonSettings {
  readonly report: readonly ReportTarget[];
  readonly export: readonly ExportTarget[];
  readonly list: boolean;
  readonly learn?: string | undefined;
}

/** A search that the command line asks for, its settings read. */
interface Wanted {
  readonly settings: CommonSettings;
  /** Makes its plan. @param program - what starts the kit. @throws UsageError */
  plan(
    target: string,
    program: string,
    programEnvironment: Pick<CommandWorld, 'secrets' | 'signal'>,
  ): Promise<FuzzPlan>;
  /** A plan that needs no target, for what would be looked for. */
  targetless(): Promise<FuzzPlan>;
}

const nothingStarted = { start: undefined, image: undefined, port: undefined, env: {}, allowRemote: true } as const;

/** A search in a receiver. */
function receiverSearch(sources: SettingSources): Wanted {
  const settings = resolveSettings(receiverFuzzOptions, sources);
  return {
    settings,
    async plan(address, program, { secrets, signal }) {
      const { url, sources: opened } = openCall(address, settings.header, sources);
      const known = resolveSettings(receiverFuzzOptions, opened);
      const hidden = typedSecrets(settingTexts(receiverFuzzOptions, opened), url, secrets);
      const typed = hidden.hideTyped(opened.commandLine);
      const command = commandLine('fuzz', [hidden.hideTyped(url)], receiverFuzzOptions, typed, program);
      const given = givenOptions(receiverFuzzOptions, url, opened);
      return receiverFuzzPlan(url, { ...known, signal, command, given, play: playLazily });
    },
    targetless: () =>
      receiverFuzzPlan('http://localhost/', {
        ...settings,
        ...nothingStarted,
        secretEnv: undefined,
        apiListen: undefined,
        recover: undefined,
        published: [],
      }),
  };
}

/** A search in a service. */
function serviceSearch(sources: SettingSources): Wanted {
  const settings = resolveSettings(serviceFuzzOptions, sources);
  return {
    settings,
    async plan(address, program, { secrets, signal }) {
      const { address: base } = openAddress(address);
      const named: CommandLine = { ...sources.commandLine, service: [base] };
      const typed = typedSecrets(settingTexts(serviceFuzzOptions, sources), base, secrets).hideTyped(named);
      const command = commandLine('fuzz', [], serviceFuzzOptions as Options, typed, program);
      const given = givenOptions(serviceFuzzOptions, base, sources);
      return serviceFuzzPlan(base, { ...settings, signal, command, given });
    },
    targetless: () => serviceFuzzPlan('http://localhost', { ...settings, ...nothingStarted }),
  };
}
