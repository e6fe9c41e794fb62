import { checkReports } from '../../output/checkReports.ts';
import { commandLine, givenOptions } from '../../options/commandLine.ts';
import { receiverSuite, runReceiver } from '../../receiver/runReceiver.ts';
import { UsageError } from '../../errors.ts';
import { receiverOptions, type ReceiverSettings } from '../../options/receiverOptions.ts';
import type { EarlierRun } from '../../output/earlierRun.ts';
import { beginning, unsettled } from '../../engine/suite.ts';
import type { ReceiverPlan } from '../../receiver/plan.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../receiver/receiverPlan.ts';
import { typedSecrets } from '../../secrets/confided.ts';
import { resolveSettings, settingTexts, type SettingSources } from '../../options/settings.ts';
import { checkList } from '../runNotes.ts';
import { reportedRun } from '../reportedRun.ts';
import type { CommandInput } from '../command.ts';
import { configured } from '../commandSettings.ts';
import { openCall, withLastFailed, earlierPart, requireSame, resumedCall, resumedEvents } from '../amendedCall.ts';
import { playLazily } from '../lazyReference.ts';
import { type CommandWorld, type ProgramEnvironment, programOf } from '../programEnvironment.ts';

interface Called {
  readonly settings: ReceiverSettings;
  readonly url: string | undefined;
  /** Where the settings came from. */
  readonly sources: SettingSources;
  /** The run that this one goes on with (`--resume`). */
  readonly earlier?: EarlierRun;
}

/** What `seaworthy receiver` does. @returns the exit code */
export async function testReceiver(input: CommandInput): Promise<number> {
  const { programEnvironment } = input;
  const call = await called(input);
  const { settings, sources, earlier } = call;
  if (settings.list) return list({ ...settings, ...earlierPart(earlier, settings) }, programEnvironment);
  const plan = await planned(call, programEnvironment);
  const begin = () => resumedEvents(earlier, () => runReceiver(plan), programEnvironment);
  return reportedRun({ begin, runId: plan.runId, config: sources.file }, settings, programEnvironment);
}

async function planned({ settings, url, sources, earlier }: Called, world: CommandWorld): Promise<ReceiverPlan> {
  if (url === undefined) throw urlMissing();
  checkReports(settings.report);
  const typed = typedSecrets(settingTexts(receiverOptions, sources), url, world.secrets);
  const words = typed.hideTyped(sources.commandLine);
  const command = commandLine('receiver', [typed.hideTyped(url)], receiverOptions, words, programOf(world));
  const plan = await receiverPlan(url, {
    ...settings,
    ...earlierPart(earlier, settings),
    signal: world.signal,
    command,
    given: givenOptions(receiverOptions, url, sources),
    play: playLazily,
  });
  requireSame(earlier, beginning(receiverSuite, plan), plan, settings.report, world);
  return plan;
}

async function called(input: CommandInput): Promise<Called> {
  const { workingDirectory } = input.programEnvironment;
  const { config, sourcesWith } = await configured(input);
  const { receiver = {}, service: _, fuzz: __, ...shared } = config;
  const all = sourcesWith(shared, receiver);
  const asked = resolveSettings(receiverOptions, all);
  const selected = await withLastFailed(all, asked, { kind: 'receiver', search: false, workingDirectory });
  const { sources, ...resumed } = await resumedCall(selected, asked, workingDirectory);
  const settings = resolveSettings(receiverOptions, sources);
  const url = input.argument ?? receiver.url;
  if (url === undefined) return { settings, url, sources, ...resumed };
  const open = openCall(url, settings.header, sources);
  return { ...open, ...resumed, settings: resolveSettings(receiverOptions, open.sources) };
}

/** Needs no target, so any address will do, and nothing has to be startable. */
async function list(
  settings: ReceiverSettings & Pick<ReceiverPlanOptions, 'earlier'>,
  { stdout }: ProgramEnvironment,
): Promise<number> {
  const nothing = {
    start: undefined,
    image: undefined,
    port: undefined,
    env: {},
    secretEnv: undefined,
    apiListen: undefined,
  };
  const targetless = { ...settings, ...nothing, recover: undefined, published: [], allowRemote: true };
  const plan = await receiverPlan('http://localhost/', targetless);
  stdout.write(checkList(unsettled(plan), stdout.columns));
  return 0;
}

function urlMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'receiver was given no URL',
    valid: 'the http or https address where the receiver takes notifications',
    next: 'seaworthy receiver http://localhost:3000/hooks, or "receiver: { url }" in seaworthy.config.ts',
  });
}
