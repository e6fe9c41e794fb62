import type { Config } from '../../options/config.ts';
import { UsageError } from '../../errors.ts';
import { fuzzOptions, receiverFuzzOptions, serviceFuzzOptions } from '../../options/fuzzOptions.ts';
import { loadConfig } from '../../options/loadConfig.ts';
import type { Options } from '../../options/options.ts';
import type { Subject } from '../../engine/savedCase.ts';
import type { CommandLine, SettingSources } from '../../options/settings.ts';
import type { CommandInput } from '../command.ts';

/** What a search is to be made in, and where its settings come from. */
export interface SearchCall {
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
export async function searchCall({ argument, given, programEnvironment }: CommandInput): Promise<SearchCall> {
  const { environment, workingDirectory } = programEnvironment;
  const { config, directory, file } = await loadConfig(workingDirectory, given['config']?.at(-1), (line) =>
    programEnvironment.stderr.write(`${line}\n`),
  );
  const { subject, target } = targetOf(argument, given['service']?.at(-1), config);
  requireOwn(subject, given);
  const sources: SettingSources = {
    commandLine: given,
    environment,
    config: sectionsOf(config, subject),
    directory,
    ...(file !== undefined && { file }),
  };
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
