import type { Expectation, RunEvent } from '../../reports/model/events.ts';
import type { Contract } from '../../spec/contract.ts';
import { runScheme } from '../../spec/signature.ts';
import { applicable } from '../../suites/applicable.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { playLazily } from '../cli/lazyReference.ts';
import type { RunPlan } from '../engine/plan.ts';
import type { RunPlanOptions } from '../engine/runPlan.ts';
import { assume } from '../options/assume.ts';
import { commandLine, givenOptions } from '../options/commandLine.ts';
import { checkConfig } from '../options/loadConfig.ts';
import { openContract } from '../options/openContract.ts';
import type { Options, Settings } from '../options/option.ts';
import type { ReportTarget } from '../options/optionKinds.ts';
import type { sharedOptions } from '../options/sharedOptions.ts';
import { checkedExpectations, readExpectations } from '../options/readExpectations.ts';
import { receiverOptions } from '../options/receiverOptions.ts';
import { selectChecks } from '../options/selection.ts';
import { serviceOptions } from '../options/serviceOptions.ts';
import { resolveSettings, type SettingSources, settingTexts } from '../options/settings.ts';
import { receiverPlan } from '../receiver/receiverPlan.ts';
import { runReceiver } from '../receiver/runReceiver.ts';
import { typedSecrets } from '../secrets/confided.ts';
import { Secrets } from '../secrets/secrets.ts';
import { runService } from '../service/runService.ts';
import { servicePlan } from '../service/servicePlan.ts';
import { checkTarget, openTarget } from './testTarget.ts';
import type { OpenTarget, AnyTestOptions, ReceiverTestOptions, ServiceTestOptions } from './testTarget.ts';

/** A run that has begun. */
export interface OpenRun {
  readonly plan: Pick<RunPlan<never>, 'runId' | 'seed'>;
  readonly events: AsyncGenerator<RunEvent>;
  /** Closes what was opened for it. */
  close(): Promise<void>;
}

/** The checks of a target, as tests. Everything that was given was checked; nothing has been opened or sent. */
export interface Tests {
  readonly requirements: readonly ListedRequirement[];
  readonly expectations: readonly Expectation[];
  /** Where reports are written to. */
  readonly report: readonly ReportTarget[];
  /** Whether a broken SHOULD fails. */
  readonly strict: boolean;
  /** True where the target is an app, which is gone after the tests. */
  readonly isApp: boolean;
  /** The names of the options, by the flags that stand for them in messages. */
  readonly names: ReadonlyMap<string, string>;
  /**
   * Opens the target, and begins a run of these checks.
   *
   * @throws UsageError where what was given cannot be used
   */
  open(ids: readonly string[], signal: AbortSignal): Promise<OpenRun>;
}

/**
 * The checks of a receiver.
 *
 * @param by - what the options were given to, for messages
 * @throws UsageError for options that cannot be, or do not go together
 */
export function receiverTests(options: ReceiverTestOptions, by: string): Tests {
  const read = readOptions('receiver', receiverOptions, options, by);
  const { settings } = read;
  const contract = openContract(settings);
  const { scheme } = runScheme(contract, assume(contract, settings.assume));
  const checks = selectChecks(applicable(contract, receiverChecks, scheme), settings);
  const { probe, recover } = options;
  return {
    ...common(read, receiverOptions, options),
    requirements: listing(contract, checks, read.expectations),
    open: (ids, signal) =>
      opened(options, async (located) => {
        const { url } = located;
        const own = { ...located, only: ids, skip: [], probe, recover, signal, play: playLazily };
        const plan = await receiverPlan(url, { ...settings, ...own, ...read.planOptions(url) });
        return { plan, events: runReceiver(plan) };
      }),
  };
}

/** The checks of a service: see {@link receiverTests}. */
export function serviceTests(options: ServiceTestOptions, by: string): Tests {
  const read = readOptions('service', serviceOptions, options, by);
  const { settings } = read;
  const contract = openContract(settings);
  const checks = selectChecks(applicable(contract, serviceChecks), settings);
  const { emit } = options;
  return {
    ...common(read, serviceOptions, options),
    requirements: listing(contract, checks, read.expectations),
    open: (ids, signal) =>
      opened(options, async (located) => {
        const { url } = located;
        const own = { ...located, only: ids, skip: [], emit, signal };
        const plan = await servicePlan(url, { ...settings, ...own, ...read.planOptions(url) });
        return { plan, events: runService(plan) };
      }),
  };
}

/** What of it is the same for both. */
function common(
  {
    settings,
    expectations,
  }: Pick<ReadOptions<typeof receiverOptions | typeof serviceOptions>, 'settings' | 'expectations'>,
  registry: Options,
  { app }: AnyTestOptions,
) {
  const { report, strict } = settings;
  const names = new Map(Object.entries(registry).map(([name, { flag }]) => [flag as string, name]));
  return { expectations, report, strict, isApp: app !== undefined, names };
}

/** Opens the target, begins with it, and closes it again where that fails. */
async function opened(
  options: AnyTestOptions,
  begin: (located: OpenTarget['located']) => Promise<Omit<OpenRun, 'close'>>,
): Promise<OpenRun> {
  const target = await openTarget(options);
  try {
    return { ...(await begin(target.located)), close: () => target.close() };
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** What the options of tests come down to. */
interface ReadOptions<Registry extends Options> {
  readonly settings: Settings<Registry>;
  readonly expectations: readonly Expectation[];
  /** What a plan has to know of what was given. @param url - the target's */
  planOptions(url: string): Pick<RunPlanOptions<never>, 'command' | 'given' | 'expectations'>;
}

/**
 * Reads options as the section of a config file is read, so that each means the same in both.
 *
 * @param by - what they were given to, for messages
 * @throws UsageError for options that cannot be, or do not go together
 */
function readOptions<Registry extends Options & typeof sharedOptions>(
  subject: 'receiver' | 'service',
  registry: Registry,
  options: AnyTestOptions,
  by: string,
): ReadOptions<Registry> {
  checkTarget(options);
  const sources = { ...sourcesOf(subject, options, by), environment: process.env };
  const settings = resolveSettings(registry, sources);
  const { expectFailures = [] } = options;
  const expectations =
    typeof expectFailures === 'string'
      ? readExpectations(expectFailures)
      : checkedExpectations(expectFailures, `of ${by}`);
  return {
    settings,
    expectations,
    planOptions: (url) => ({ ...repeated(subject, registry, url, sources), expectations }),
  };
}

/** Only what a config file could hold: what is a function, or about tests, is left to others. */
function sourcesOf(subject: string, options: AnyTestOptions, by: string): Omit<SettingSources, 'environment'> {
  const { app: _, expectFailures: __, allowRemote = false, start, ...others } = options;
  const command = typeof start === 'object' ? start.command : start;
  const entries = Object.entries({ report: [], ...others, start: command });
  const section = Object.fromEntries(entries.filter(([, value]) => value !== undefined && typeof value !== 'function'));
  checkConfig({ [subject]: section }, by);
  const switches = allowRemote ? { allowRemote: ['true'] } : {};
  return { commandLine: switches, config: [section], directory: process.cwd(), file: by };
}

/** The command that repeats the run, and what a saved case holds of it. */
function repeated(subject: string, registry: Options, url: string, sources: SettingSources) {
  const texts = settingTexts(registry, sources);
  const typed = typedSecrets(texts, url, new Secrets());
  return {
    command: commandLine(subject, [typed.hideTyped(url)], registry, typed.hideTyped(texts), 'npx seaworthy'),
    given: givenOptions(registry, url, sources),
  };
}

/** A check, as a test. */
export interface ListedCheck {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  /** Where it is known to fail. */
  readonly known?: Expectation;
}

/** The checks of a requirement, as a group of tests. */
interface ListedRequirement {
  readonly title: string;
  readonly checks: readonly ListedCheck[];
}

type Listable = Pick<ListedCheck, 'id' | 'title' | 'requirements'>;

/** Each check under the requirement that is its main point, in the order of the checks. */
function listing(
  contract: Contract,
  checks: readonly Listable[],
  expectations: readonly Expectation[],
): readonly ListedRequirement[] {
  const today = new Date().toISOString().slice(0, 10);
  const counting = expectations.filter(({ expires }) => expires === undefined || expires >= today);
  const groups = Map.groupBy(checks, ({ requirements }) => requirements[0] ?? '');
  return [...groups].map(([id, own]) => ({
    title: `${id}: ${contract.requirement(id).statement}`,
    checks: own.map((check) => {
      const known = counting.find((entry) => entry.id === check.id);
      const { title, requirements } = check;
      return { id: check.id, title, requirements, ...(known && { known }) };
    }),
  }));
}

/** `receiver/signature/forged: refuses ...`, so that tests can be chosen by the id of the check, also by a part of it. */
export function testName({ id, title, known }: ListedCheck): string {
  return `${id}: ${title}${known === undefined ? '' : ` (known to fail: ${known.reason})`}`;
}
