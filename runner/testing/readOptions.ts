import type { Expectation } from '../../reports/model/events.ts';
import { commandLine, givenOptions } from '../options/commandLine.ts';
import { checkConfig } from '../options/loadConfig.ts';
import type { sharedOptions } from '../options/options.ts';
import type { Options, Settings } from '../options/option.ts';
import { checkedExpectations, readExpectations } from '../options/readExpectations.ts';
import { resolveSettings, settingTexts, type SettingSources } from '../options/settings.ts';
import type { RunPlanOptions } from '../engine/runPlan.ts';
import { typedSecrets } from '../secrets/confided.ts';
import { Secrets } from '../secrets/secrets.ts';
import { checkTarget } from './openTarget.ts';
import type { AnyTestOptions } from './testOptions.ts';

/** What the options of tests come down to. */
export interface ReadOptions<Registry extends Options> {
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
export function readOptions<Registry extends Options & typeof sharedOptions>(
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
    command: commandLine(subject, [typed.hideTyped(url)], registry, typed.hideTyped(texts)),
    given: givenOptions(registry, url, sources),
  };
}
