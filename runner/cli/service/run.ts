import { exitCode } from '../../../reports/model/exitCode.ts';
import { checkReports } from '../../output/checkReports.ts';
import { commandLine, givenOptions } from '../../options/commandLine.ts';
import { UsageError } from '../../errors.ts';
import { loadConfig } from '../../options/loadConfig.ts';
import { installCommand } from '../../options/optionalPackage.ts';
import { serviceOptions } from '../../options/serviceOptions.ts';
import type { ServiceSettings } from '../../options/serviceOptions.ts';
import { openAddress } from '../../http/openAddress.ts';
import { openOutputs } from '../../output/outputs.ts';
import { reportRun } from '../../output/reporting.ts';
import { runService } from '../../service/runService.ts';
import { servicePlan } from '../../service/servicePlan.ts';
import { typedSecrets } from '../../secrets/confided.ts';
import { resolveSettings, settingTexts, type SettingSources } from '../../options/settings.ts';
import { checkList } from '../checkList.ts';
import type { CommandInput } from '../command.ts';
import { withLastFailed } from '../lastFailed.ts';
import { lastWords } from '../lastWords.ts';
import { programOf } from '../programOf.ts';
import { tellAuthority } from '../tellAuthority.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';
import { checkLearned, writeLearned } from '../writeLearned.ts';

interface Called {
  readonly settings: ServiceSettings;
  readonly base: string | undefined;
  /** Where the settings came from. */
  readonly sources: SettingSources;
}

/** What `seaworthy service` does. @returns the exit code */
export async function testService(input: CommandInput): Promise<number> {
  const { programEnvironment } = input;
  const { settings, base, sources } = await called(input);
  if (settings.list) return list(settings, programEnvironment);
  if (base === undefined) throw baseMissing();
  checkReports(settings.report);
  checkLearned(settings.learn, programEnvironment);
  const typed = typedSecrets(settingTexts(serviceOptions, sources), base, programEnvironment.secrets);
  const command = commandLine(
    'service',
    [typed.hideTyped(base)],
    serviceOptions,
    typed.hideTyped(sources.commandLine),
    programOf(programEnvironment),
  );
  const { signal } = programEnvironment;
  const plan = await servicePlan(base, {
    ...settings,
    signal,
    command,
    given: givenOptions(serviceOptions, base, sources),
  });
  await tellAuthority(plan, programEnvironment);
  if (!plan.secondOpinion) programEnvironment.stderr.write(noSecondOpinion());
  const { file } = sources;
  const outputs = openOutputs(settings.report, {
    ...programEnvironment,
    runId: plan.runId,
    keepRuns: settings.keepRuns,
    ...(file !== undefined && { config: file }),
  });
  try {
    const summary = await reportRun(runService(plan), outputs.reporters, programEnvironment.secrets);
    if (!outputs.spoken) programEnvironment.stderr.write(lastWords(summary, outputs));
    if (settings.learn !== undefined) writeLearned(settings.learn, summary, programEnvironment);
    return exitCode(summary);
  } finally {
    outputs.close();
  }
}

async function called({ argument, given, programEnvironment }: CommandInput): Promise<Called> {
  const { environment, workingDirectory } = programEnvironment;
  const { config, directory, file } = await loadConfig(workingDirectory, given, (line) =>
    programEnvironment.stderr.write(`${line}\n`),
  );
  const { receiver: _, fuzz: __, service = {}, ...shared } = config;
  const all: SettingSources = {
    commandLine: given,
    environment,
    config: [shared, service],
    directory,
    ...(file !== undefined && { file }),
  };
  const sources = await withLastFailed(all, resolveSettings(serviceOptions, all), {
    kind: 'service',
    search: false,
    workingDirectory,
  });
  const named = argument ?? service.url;
  return { settings: resolveSettings(serviceOptions, sources), base: named && openAddress(named).address, sources };
}

function noSecondOpinion(): string {
  return `No second opinion: Prism is not installed. To have one: ${installCommand('@stoplight/prism-cli')}\n`;
}

/** Needs no target, so any address will do, and nothing has to be startable. */
async function list(settings: ServiceSettings, { stdout }: ProgramEnvironment): Promise<number> {
  const targetless = { ...settings, start: undefined, image: undefined, port: undefined, env: {}, allowRemote: true };
  const { checks, terms } = await servicePlan('http://localhost', targetless);
  stdout.write(checkList(checks, stdout.columns, terms.tracking !== undefined));
  return 0;
}

function baseMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'service was given no base address',
    valid: 'the http or https address of the API, with its version',
    next: 'seaworthy service http://localhost:4010/v2, or "service: { url }" in seaworthy.config.ts',
  });
}
