import { resolve } from 'node:path';

import { checkReports } from '../../output/checkReports.ts';
import { UsageError } from '../../errors.ts';
import { checkExports, exportCases } from '../../export/exportCases.ts';
import { CorpusFile } from '../../fuzz/corpus.ts';
import { runFuzz } from '../../fuzz/runFuzz.ts';
import { fuzzChecks, fuzzModels } from '../../fuzz/fuzzTarget.ts';
import { type FuzzPlan, receiverFuzzPlan, serviceFuzzPlan } from '../../fuzz/fuzzPlan.ts';
import { readSavedCase, type Subject } from '../../engine/savedCase.ts';
import { checkLearned, checkList, tellAuthority } from '../runNotes.ts';
import { reportedRun } from '../reportedRun.ts';
import type { CommandInput } from '../command.ts';
import { configured } from '../commandSettings.ts';
import { openCall, withLastFailed } from '../amendedCall.ts';
import { type CommandWorld, type ProgramEnvironment, programOf } from '../programEnvironment.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { receiverFuzzOptions, serviceFuzzOptions, fuzzOptions, type ExportTarget } from '../../options/fuzzOptions.ts';
import { givenOptions, commandLine } from '../../options/commandLine.ts';
import type { Options } from '../../options/option.ts';
import type { ReportTarget } from '../../options/optionKinds.ts';
import { resolveSettings, settingTexts, type CommandLine, type SettingSources } from '../../options/settings.ts';
import { typedSecrets } from '../../secrets/confided.ts';
import { openAddress } from '../../http/openAddress.ts';
import { playLazily } from '../lazyReference.ts';
import type { Config } from '../../options/config.ts';

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
  const begin = () => runFuzz({ ...plan, warn: (line) => warn(programEnvironment, line) });
  const whenReported = (summary: RunSummary) => exportFailures(summary, wanted.settings, plan, programEnvironment);
  return reportedRun({ begin, runId: plan.plan.runId, whenReported }, wanted.settings, programEnvironment);
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
  const lines = await exportCases(cases, targets, {
    workingDirectory,
    contractOf: () => plan.contract,
    secrets,
    hidden,
  });
  stderr.write(lines.map((line) => `${line}\n`).join(''));
}

async function list(wanted: Wanted, { stdout }: ProgramEnvironment): Promise<number> {
  const { subject, plan, requirements } = await wanted.targetless();
  const checks = fuzzChecks(fuzzModels[subject], plan.contract, requirements);
  stdout.write(checkList(checks, stdout.columns));
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
  readonly keepRuns: number;
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
      const typed = typedSecrets(settingTexts(serviceFuzzOptions, sources), address, secrets).hideTyped(named);
      const command = commandLine('fuzz', [], serviceFuzzOptions as Options, typed, program);
      const given = givenOptions(serviceFuzzOptions, base, sources);
      return serviceFuzzPlan(address, { ...settings, signal, command, given });
    },
    targetless: () => serviceFuzzPlan('http://localhost', { ...settings, ...nothingStarted }),
  };
}

/** What a search is to be made in, and where its settings come from. */
interface SearchCall {
  readonly subject: Subject;
  /** Nothing where no place names one. */
  readonly target: string | undefined;
  readonly sources: SettingSources;
}

/**
 * Finds out whether a receiver or a service is meant: by the command line, else by the config file's section of `fuzz`,
 * else by its other sections.
 *
 * @throws UsageError where both are meant, or an option belongs to the other kind of target
 */
async function searchCall(input: CommandInput): Promise<SearchCall> {
  const { argument, given, programEnvironment } = input;
  const { workingDirectory } = programEnvironment;
  const { config, sourcesWith } = await configured(input);
  const { subject, target } = targetOf(argument, given['service']?.at(-1), config);
  requireOwn(subject, given);
  const all = sourcesWith(...sectionsOf(config, subject));
  const options: typeof receiverFuzzOptions | typeof serviceFuzzOptions =
    subject === 'receiver' ? receiverFuzzOptions : serviceFuzzOptions;
  const sources = await withLastFailed(all, resolveSettings(options, all), {
    kind: subject,
    search: true,
    workingDirectory,
  });
  return { subject, target, sources };
}

function targetOf(url: string | undefined, service: string | undefined, config: Config): Omit<SearchCall, 'sources'> {
  const { fuzz = {}, receiver = {}, service: services = {} } = config;
  const places = [
    { url, service, where: 'on the command line' },
    { url: fuzz.url, service: fuzz.service, where: 'under "fuzz" in the config file' },
    { url: receiver.url, service: services.url, where: 'under "receiver" and "service" in the config file' },
  ];
  const named = places.find((place) => place.url !== undefined || place.service !== undefined);
  if (named?.url !== undefined && named.service !== undefined) throw both(named.where);
  if (named?.service !== undefined) return { subject: 'service', target: named.service };
  return { subject: 'receiver', target: named?.url };
}

/** Undefined counts as not given. */
const nothingSelected = {
  only: undefined,
  skip: undefined,
  report: undefined,
  require: undefined,
  expectFailures: undefined,
};

/** What the other commands select and report is about their checks and their files. */
function sectionsOf(
  { fuzz = {}, receiver = {}, service = {}, ...shared }: Config,
  subject: Subject,
): readonly object[] {
  const others = [shared, subject === 'receiver' ? receiver : service];
  return [...others.map((section) => ({ ...section, ...nothingSelected })), fuzz];
}

/** On the command line an option of the other kind of target is a mistake, and would be of no use. */
function requireOwn(subject: Subject, given: CommandLine): void {
  const own: Options = subject === 'receiver' ? receiverFuzzOptions : serviceFuzzOptions;
  const foreign = Object.keys(given).find((name) => given[name] !== undefined && !(name in own));
  if (foreign === undefined) return;
  const all: Options = fuzzOptions;
  const other = subject === 'receiver' ? 'service' : 'receiver';
  throw new UsageError('SW_OPTION_CONFLICT', {
    received: `${all[foreign]?.flag} belongs to a search in a ${other}, and this one is in a ${subject}`,
    valid: `the options of seaworthy ${subject}, and those of the search`,
    next:
      subject === 'receiver'
        ? 'leave it out, or name the service with --service <base-url> instead of the URL of a receiver'
        : 'leave it out, or name a receiver: seaworthy fuzz <url>, without --service',
  });
}

function both(where: string): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received: `a receiver and a service are both named ${where}`,
    valid: 'one of them: a search is made in one target',
    next: 'seaworthy fuzz <url> for the receiver, seaworthy fuzz --service <base-url> for the service',
  });
}
