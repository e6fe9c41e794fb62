import { exitCode } from '../../reports/exitCode.ts';
import { checkReports } from '../checkReports.ts';
import { commandLine } from '../commandLine.ts';
import { runReceiver } from '../engine.ts';
import { UsageError } from '../errors.ts';
import { loadConfig } from '../loadConfig.ts';
import { receiverOptions } from '../receiverOptions.ts';
import type { ReceiverSettings } from '../receiverOptions.ts';
import { openOutputs } from '../outputs.ts';
import { receiverPlan } from '../receiverPlan.ts';
import { reportRun } from '../reporting.ts';
import { resetTarget } from '../resetTarget.ts';
import { resolveSettings } from '../settings.ts';
import { checkList } from './checkList.ts';
import type { CommandInput } from './command.ts';
import { lastWords } from './lastWords.ts';
import { programOf } from './programOf.ts';
import type { World } from './world.ts';

interface Called {
  readonly settings: ReceiverSettings;
  readonly url: string | undefined;
}

/** What `seaworthy receiver` does. @returns the exit code */
export async function holdReceiver(input: CommandInput): Promise<number> {
  const { world, given } = input;
  const { settings, url } = await called(input);
  if (settings.list) return list(settings, world);
  if (url === undefined) throw urlMissing();
  checkReports(settings.report);
  const command = commandLine('receiver', [url], receiverOptions, given, programOf(world));
  const { signal } = world;
  const plan = await receiverPlan(url, { ...settings, signal, command });
  if (settings.reset !== undefined) await resetTarget(settings.reset, signal);
  const outputs = openOutputs(settings.report, { ...world, runId: plan.runId });
  try {
    const summary = await reportRun(runReceiver(plan), outputs.reporters);
    if (!outputs.spoken) world.stderr.write(lastWords(summary, outputs.journal));
    return exitCode(summary);
  } finally {
    outputs.close();
  }
}

async function called({ argument, given, world }: CommandInput): Promise<Called> {
  const { environment, workingDirectory } = world;
  const { config, directory, file } = await loadConfig(workingDirectory, given['config']?.at(-1));
  const { receiver = {}, service: _, ...shared } = config;
  const settings = resolveSettings(receiverOptions, {
    commandLine: given,
    environment,
    config: [shared, receiver],
    directory,
    ...(file !== undefined && { file }),
  });
  return { settings, url: argument ?? receiver.url };
}

/** Needs no target, so any address will do. */
async function list(settings: ReceiverSettings, { stdout }: World): Promise<number> {
  const { checks } = await receiverPlan('http://localhost/', { ...settings, allowRemote: true });
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
