import { exitCode } from '../../../reports/model/exitCode.ts';
import { checkReports } from '../../output/checkReports.ts';
import { commandLine, givenOptions } from '../../options/commandLine.ts';
import { runReceiver } from '../../receiver/runReceiver.ts';
import { UsageError } from '../../errors.ts';
import { loadConfig } from '../../options/loadConfig.ts';
import { receiverOptions } from '../../options/receiverOptions.ts';
import type { ReceiverSettings } from '../../options/receiverOptions.ts';
import { openOutputs } from '../../output/outputs.ts';
import { receiverPlan } from '../../receiver/receiverPlan.ts';
import { reportRun } from '../../output/reporting.ts';
import { typedSecrets } from '../../secrets/confided.ts';
import { resolveSettings, settingTexts, type SettingSources } from '../../options/settings.ts';
import { checkList } from '../checkList.ts';
import type { CommandInput } from '../command.ts';
import { withLastFailed } from '../lastFailed.ts';
import { lastWords } from '../lastWords.ts';
import { openCall } from '../openCall.ts';
import { playLazily } from '../playLazily.ts';
import { programOf } from '../programOf.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';

interface Called {
  readonly settings: ReceiverSettings;
  readonly url: string | undefined;
  /** Where the settings came from. */
  readonly sources: SettingSources;
}

/** What `seaworthy receiver` does. @returns the exit code */
export async function testReceiver(input: CommandInput): Promise<number> {
  const { programEnvironment } = input;
  const { settings, url, sources } = await called(input);
  if (settings.list) return list(settings, programEnvironment);
  if (url === undefined) throw urlMissing();
  checkReports(settings.report);
  const typed = typedSecrets(settingTexts(receiverOptions, sources), url, programEnvironment.secrets);
  const command = commandLine(
    'receiver',
    [typed.hideTyped(url)],
    receiverOptions,
    typed.hideTyped(sources.commandLine),
    programOf(programEnvironment),
  );
  const { signal } = programEnvironment;
  const kept = givenOptions(receiverOptions, url, sources);
  const plan = await receiverPlan(url, { ...settings, signal, command, given: kept, play: playLazily });
  const { file } = sources;
  const outputs = openOutputs(settings.report, {
    ...programEnvironment,
    runId: plan.runId,
    keepRuns: settings.keepRuns,
    ...(file !== undefined && { config: file }),
  });
  try {
    const summary = await reportRun(runReceiver(plan), outputs.reporters, programEnvironment.secrets);
    if (!outputs.spoken) programEnvironment.stderr.write(lastWords(summary, outputs));
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
  const { receiver = {}, service: _, fuzz: __, ...shared } = config;
  const all: SettingSources = {
    commandLine: given,
    environment,
    config: [shared, receiver],
    directory,
    ...(file !== undefined && { file }),
  };
  const sources = await withLastFailed(all, resolveSettings(receiverOptions, all), {
    kind: 'receiver',
    search: false,
    workingDirectory,
  });
  const settings = resolveSettings(receiverOptions, sources);
  const url = argument ?? receiver.url;
  if (url === undefined) return { settings, url, sources };
  const open = openCall(url, settings.header, sources);
  return { ...open, settings: resolveSettings(receiverOptions, open.sources) };
}

/** Needs no target, so any address will do, and nothing has to be startable. */
async function list(settings: ReceiverSettings, { stdout }: ProgramEnvironment): Promise<number> {
  const nothing = {
    start: undefined,
    image: undefined,
    port: undefined,
    env: {},
    secretEnv: undefined,
    apiListen: undefined,
  };
  const targetless = { ...settings, ...nothing, recover: undefined, published: [], allowRemote: true };
  const { checks } = await receiverPlan('http://localhost/', targetless);
  stdout.write(checkList(checks, stdout.columns));
  return 0;
}

function urlMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'receiver was given no URL',
    valid: 'the http or https address where the receiver takes notifications',
    next: 'seaworthy receiver http://localhost:3000/hooks, or "receiver: { url }" in seaworthy.config.ts',
  });
}
