import { checkReports } from '../../output/checkReports.ts';
import { commandLine, givenOptions } from '../../options/commandLine.ts';
import { UsageError } from '../../errors.ts';
import { installCommand } from '../../options/packages.ts';
import { serviceOptions, type ServiceSettings } from '../../options/serviceOptions.ts';
import { openAddress } from '../../http/openAddress.ts';
import type { EarlierRun } from '../../output/earlierRun.ts';
import { beginning, unsettled } from '../../engine/suite.ts';
import { serviceSuite, runService } from '../../service/runService.ts';
import type { ServicePlan } from '../../service/plan.ts';
import { servicePlan, type ServicePlanOptions } from '../../service/servicePlan.ts';
import { typedSecrets } from '../../secrets/confided.ts';
import { resolveSettings, settingTexts, type SettingSources } from '../../options/settings.ts';
import { checkLearned, checkList, tellAuthority } from '../runNotes.ts';
import { reportedRun } from '../reportedRun.ts';
import type { CommandInput } from '../command.ts';
import { configured } from '../commandSettings.ts';
import { withLastFailed, earlierPart, requireSame, resumedCall, resumedEvents } from '../amendedCall.ts';
import { type CommandWorld, type ProgramEnvironment, programOf } from '../programEnvironment.ts';

interface Called {
  readonly settings: ServiceSettings;
  /** The address of the service, as it was given. */
  readonly named: string | undefined;
  /** Where the settings came from. */
  readonly sources: SettingSources;
  /** The run that this one goes on with (`--resume`). */
  readonly earlier?: EarlierRun;
}

/** What `seaworthy service` does. @returns the exit code */
export async function testService(input: CommandInput): Promise<number> {
  const { programEnvironment } = input;
  const call = await called(input);
  const { settings, sources, earlier } = call;
  if (settings.list) return list({ ...settings, ...earlierPart(earlier, settings) }, programEnvironment);
  const plan = await planned(call, programEnvironment);
  await tellAuthority(plan, programEnvironment);
  if (!plan.secondOpinion) programEnvironment.stderr.write(noSecondOpinion());
  const begin = () => resumedEvents(earlier, () => runService(plan), programEnvironment);
  return reportedRun({ begin, runId: plan.runId, config: sources.file }, settings, programEnvironment);
}

async function planned({ settings, named, sources, earlier }: Called, world: CommandWorld): Promise<ServicePlan> {
  if (named === undefined) throw baseMissing();
  const { address: base } = openAddress(named);
  checkReports(settings.report);
  checkLearned(settings.learn, world);
  const typed = typedSecrets(settingTexts(serviceOptions, sources), named, world.secrets);
  const words = typed.hideTyped(sources.commandLine);
  const command = commandLine('service', [typed.hideTyped(base)], serviceOptions, words, programOf(world));
  const plan = await servicePlan(named, {
    ...settings,
    ...earlierPart(earlier, settings),
    signal: world.signal,
    command,
    given: givenOptions(serviceOptions, base, sources),
  });
  requireSame(earlier, beginning(serviceSuite, plan), plan, settings.report, world);
  return plan;
}

async function called(input: CommandInput): Promise<Called> {
  const { workingDirectory } = input.programEnvironment;
  const { config, sourcesWith } = await configured(input);
  const { receiver: _, fuzz: __, service = {}, ...shared } = config;
  const all = sourcesWith(shared, service);
  const asked = resolveSettings(serviceOptions, all);
  const selected = await withLastFailed(all, asked, { kind: 'service', search: false, workingDirectory });
  const { sources, ...resumed } = await resumedCall(selected, asked, workingDirectory);
  return {
    settings: resolveSettings(serviceOptions, sources),
    named: input.argument ?? service.url,
    sources,
    ...resumed,
  };
}

function noSecondOpinion(): string {
  return `No second opinion: Prism is not installed. To have one: ${installCommand('@stoplight/prism-cli')}\n`;
}

/** Needs no target, so any address will do, and nothing has to be startable. */
async function list(
  settings: ServiceSettings & Pick<ServicePlanOptions, 'earlier'>,
  { stdout }: ProgramEnvironment,
): Promise<number> {
  const targetless = { ...settings, start: undefined, image: undefined, port: undefined, env: {}, allowRemote: true };
  const plan = await servicePlan('http://localhost', targetless);
  stdout.write(checkList(unsettled(plan), stdout.columns, plan.terms.tracking !== undefined));
  return 0;
}

function baseMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'service was given no base address',
    valid: 'the http or https address of the API, with its version',
    next: 'seaworthy service http://localhost:4010/v2, or "service: { url }" in seaworthy.config.ts',
  });
}
