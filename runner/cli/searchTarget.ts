import { resolve } from 'node:path';

import { exitCode } from '../../reports/model/exitCode.ts';
import { checkReports } from '../output/checkReports.ts';
import { UsageError } from '../errors.ts';
import { checkExports } from '../export/checkExports.ts';
import { exportCases } from '../export/exportCases.ts';
import { CorpusFile } from '../fuzz/corpusFile.ts';
import { runFuzz } from '../fuzz/engine.ts';
import { fuzzChecks } from '../fuzz/fuzzChecks.ts';
import type { FuzzPlan } from '../fuzz/fuzzPlan.ts';
import { fuzzModels } from '../fuzz/models.ts';
import { openOutputs } from '../output/outputs.ts';
import { reportRun } from '../output/reporting.ts';
import { readSavedCase } from '../engine/savedCase.ts';
import { checkList } from './checkList.ts';
import type { CommandInput } from './command.ts';
import { lastWords } from './lastWords.ts';
import { programOf } from './programOf.ts';
import { searchCall } from './searchCall.ts';
import { receiverSearch, serviceSearch, type CommonSettings, type Wanted } from './searchKinds.ts';
import { tellAuthority } from './tellAuthority.ts';
import type { CommandWorld, World } from './world.ts';
import { checkLearned, writeLearned } from './writeLearned.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** What `seaworthy fuzz` does. @returns the exit code */
export async function searchTarget(input: CommandInput): Promise<number> {
  const { world } = input;
  const { subject, target, sources } = await searchCall(input);
  const wanted = subject === 'receiver' ? receiverSearch(sources) : serviceSearch(sources);
  if (wanted.settings.list) return list(wanted, world);
  if (target === undefined) throw targetMissing();
  checkReports(wanted.settings.report);
  checkLearned(wanted.settings.learn, world);
  checkExports(wanted.settings.export, world.workingDirectory);
  const plan = await wanted.plan(target, programOf(world), world);
  if (plan.feedback) warn(world, corpusOf(plan).check());
  if (plan.subject === 'service') await tellAuthority(plan.plan, world);
  return search(plan, wanted.settings, world);
}

async function search(plan: FuzzPlan, settings: CommonSettings, world: CommandWorld): Promise<number> {
  const outputs = openOutputs(settings.report, { ...world, runId: plan.plan.runId });
  try {
    const summary = await reportRun(
      runFuzz({ ...plan, warn: (line) => warn(world, line) }),
      outputs.reporters,
      world.secrets,
    );
    if (!outputs.spoken) world.stderr.write(lastWords(summary, outputs.journal));
    await exportFailures(summary, settings, plan, world);
    if (settings.learn !== undefined) writeLearned(settings.learn, summary, world);
    return exitCode(summary);
  } finally {
    outputs.close();
  }
}

function corpusOf({ corpus, subject, plan }: FuzzPlan): CorpusFile {
  return new CorpusFile(corpus, subject, plan.kit.version);
}

function warn({ stderr }: World, line: string | undefined): void {
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

async function list(wanted: Wanted, { stdout }: World): Promise<number> {
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
