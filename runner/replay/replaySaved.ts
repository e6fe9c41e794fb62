import { shellWord } from '../../reports/curl/shell.ts';
import { cannotRun, type Replayed } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { SeaworthyError, UsageError } from '../errors.ts';
import { openAddress } from '../http/openAddress.ts';
import { type ContractSettings, openContract } from '../options/openContract.ts';
import type { Options } from '../options/option.ts';
import { type CommandLine, type SettingSources, settingTexts } from '../options/settings.ts';
import { typedSecrets } from '../secrets/confided.ts';
import { headerOf, headerValues, valueOfHeader, withSecrets } from '../secrets/standIns.ts';
import { Secrets } from '../secrets/secrets.ts';
import {
  beforeFile,
  fileOptions,
  isStarted,
  namedInCase,
  shapesCase,
  untrustedCase,
  withoutStart,
} from './trustedOptions.ts';

/** Where a case is tried again. */
export interface ReplayPlace {
  /** What was given beside the case, which counts instead of what it holds. */
  readonly sources: SettingSources;
  /** Whether what the case names counts, where nothing else was given in its place. */
  readonly trust: boolean;
  readonly signal: AbortSignal;
  /** Takes what is secret. Default: nobody hears of it. */
  readonly secrets?: Secrets;
}

/** What all cases have in common, whatever they are about. */
interface ReplaySettings extends ContractSettings {
  readonly url: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** How cases of a receiver, or of a service, are tried again. */
export interface ReplayKind<Given extends ReplaySettings> {
  /** The option that gives what no file holds, and the variable that stands for it. */
  readonly secret: { readonly flag: string; readonly variable: string };
  readonly options: Options;
  secretsOf(settings: Given): readonly string[];
  /** Whether this version of the kit knows the check of a case. */
  knows(saved: SavedCase): boolean;
  /** The options of this kind, whatever else was given. */
  read(sources: SettingSources): Given;
  /** Connects to the target, and tries the case. */
  replay(url: string, settings: Omit<Given, 'url'>, saved: SavedCase, signal: AbortSignal): Promise<Replayed>;
}

/**
 * Tries a saved case again. What was given counts instead of what its file holds; of the rest, the file shapes the case, and
 * what it names beyond that counts only where it is trusted.
 *
 * @throws UsageError where the case is not trusted and names such a thing, an option cannot be read, or the target cannot be
 * started as the user asked for
 */
export async function replaySaved<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  saved: SavedCase,
  { sources, trust, signal, secrets = new Secrets() }: ReplayPlace,
): Promise<Replayed> {
  const named = namedInCase(kind.options, saved, sources, trust);
  if (!trust && Object.keys(named).length > 0)
    throw untrustedCase([{ file: 'the case', named, options: kind.options }]);
  const options = optionsOf(kind, saved, { sources, trust }, named);
  const config = isStarted(named) ? sources.config.map(withoutStart) : sources.config;
  const settings = kind.read({ ...sources, commandLine: options, config });
  const { environment } = sources;
  const wanted = isStarted(named) ? saved.env : [];
  const hidden = secretsOf(kind, saved, settings, {
    options: settingTexts(kind.options, { ...sources, commandLine: options, config }),
    environment,
    secrets,
  });
  const lacking = wanted.filter((name) => !(name in settings.env) && environment[name] === undefined);
  if (lacking.length > 0)
    return cannotRun(`the target was started with ${lacking.join(', ')}: give --env ${lacking[0]}=...`);
  const { flag, variable } = kind.secret;
  if (kind.secretsOf(settings).length === 0 && JSON.stringify(options).includes(variable))
    return cannotRun(`the options in the file hold $${variable}: give ${flag} (or ${variable})`);
  const missing = missingValue(options);
  if (missing !== undefined) return cannotRun(missing);
  // A check that this version does not know is no mistake of the user's.
  if (!kind.knows(saved)) return cannotRun(`there is no check ${saved.check}`);
  const { url = filled(saved.url, kind, sources), ...others } = settings;
  try {
    const replayed = await kind.replay(url, others, saved, signal);
    return withoutSecrets(isOfAnotherContract(replayed, saved, settings) ? cannotRun(otherContract) : replayed, hidden);
  } catch (error) {
    if (!(error instanceof SeaworthyError) || error instanceof UsageError) throw error;
    return withoutSecrets(cannotRun(error.message), hidden);
  }
}

const otherContract =
  'the contract has changed since the case was saved, so this was another case: it did not fail, and says nothing of the first';

/** A case is drawn again from the contract: from another one it is another case. A sequence is played as it stands. */
function isOfAnotherContract({ outcome }: Replayed, saved: SavedCase, settings: ReplaySettings): boolean {
  if (outcome !== 'fixed' || saved.sequence !== undefined || saved.contract === undefined) return false;
  return openContract(settings).digest !== saved.contract.digest;
}

/** What the replay was given in confidence: by its options, or by the environment that the target is started in. */
function secretsOf<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  saved: SavedCase,
  settings: Given,
  {
    options,
    environment,
    secrets,
  }: {
    readonly secrets: Secrets;
    readonly options: CommandLine;
    readonly environment: SettingSources['environment'];
  },
): Secrets {
  const env = {
    ...Object.fromEntries(saved.env.map((name) => [name, environment[name] ?? ''])),
    ...settings.env,
  };
  const texts = {
    ...options,
    [kind.secret.flag.slice('--'.length)]: kind.secretsOf(settings),
    env: Object.entries(env).map((variable) => variable.join('=')),
  };
  return typedSecrets(texts, settings.url, secrets);
}

/** How a case stands, in words that hold no secret. */
function withoutSecrets(replayed: Replayed, secrets: Secrets): Replayed {
  if (replayed.outcome === 'cannot-run') return { ...replayed, reason: secrets.hideTyped(replayed.reason) };
  if (replayed.outcome === 'fixed') return replayed;
  const { finding, timeline } = replayed;
  const { expected, actual } = finding;
  return { ...replayed, finding: secrets.hideIn({ expected, actual }), timeline: secrets.hideTyped(timeline) };
}

/** What was given, then what the case names and is trusted with, then what shapes the case. */
function optionsOf<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  saved: SavedCase,
  { sources, trust }: Pick<ReplayPlace, 'sources' | 'trust'>,
  named: CommandLine,
): CommandLine {
  const counting = settingTexts(kind.options, beforeFile(sources, trust));
  const trusted = Object.entries(named).map(
    ([name, texts = []]) => [name, texts.map((text) => filled(text, kind, sources))] as const,
  );
  const data = Object.entries(fileOptions(saved).data).filter(
    ([name]) => shapesCase(name) || counting[name] === undefined,
  );
  return { ...Object.fromEntries([...data, ...trusted]), ...sources.commandLine };
}

/** A text of the file with what was given anew in place of its variables. */
function filled<Given extends ReplaySettings>(text: string, kind: ReplayKind<Given>, sources: SettingSources): string {
  const secrets = kind.secretsOf(kind.read(sources));
  const given = settingTexts(kind.options, sources);
  return filledText(withSecrets(text, secrets, kind.secret.variable), given, sources.environment);
}

/** How a case stands that was tried again, in words. */
export function replayWords(replayed: Replayed): string {
  if (replayed.outcome === 'cannot-run') return replayed.reason;
  if (replayed.outcome === 'fails') return `${replayed.finding.actual} (expected: ${replayed.finding.expected})`;
  return replayed.tries === 1 ? 'the case holds, tried once' : `the case holds, ${replayed.tries} times in a row`;
}

/** A variable that stands in the options of a saved case for what no file holds; `#* ` leaves out the first word. */
const variable =
  /\$\{(SEAWORTHY_HEADER_\w+)#\* \}|\$(SEAWORTHY_(?:HEADER_\w+|PASSWORD(?:_\d+)?))|\$\{(SEAWORTHY_(?:HEADER_\w+|PASSWORD(?:_\d+)?))\}/g;

/**
 * A text of a saved case with the values of its variables. Those that nobody gave stay as they are.
 *
 * @param given - what was given anew: headers, or an address with a user and a password, are values too
 */
export function filledText(
  text: string,
  given: CommandLine,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { authorization } = openAddress(given['url']?.at(-1) ?? '');
  const headers = [...(authorization ? [authorization] : []), ...(given['header'] ?? []).map(headerOf)];
  const values = { ...environment, ...headerValues(headers) };
  return text.replaceAll(variable, (word: string, shortened?: string, whole?: string, braced?: string) => {
    const value = valueOfHeader(whole ?? braced ?? shortened ?? '', values);
    if (value === undefined || value === '') return word;
    return shortened === undefined ? value : value.replace(/^\S* /, '');
  });
}

/** What has to be given before these options count, in words; nothing where they are whole. */
function missingValue(options: CommandLine): string | undefined {
  for (const [name, texts = []] of Object.entries(options)) {
    const [found] = texts.flatMap((text) => Array.from(text.matchAll(variable)));
    const missing = found && nameOf(found);
    if (missing === undefined) continue;
    const headers = (options['header'] ?? []).map((text) => `--header ${shellWord(`${headerOf(text)[0]}: ...`)}`);
    const way = missing.startsWith('SEAWORTHY_HEADER_') ? headers.join(' ') : `--${name}`;
    return `the options in the file hold $${missing}: give ${way} (or ${missing} in the environment)`;
  }
  return undefined;
}

/** The variables that stand in a saved case for what no file holds, beside secrets and keys. */
export function hiddenVariables({ options }: Pick<SavedCase, 'options'>): readonly string[] {
  const found = Object.values(options).flatMap((texts) => texts.flatMap((text) => Array.from(text.matchAll(variable))));
  return [...new Set(found.map(nameOf))];
}

function nameOf([, shortened, whole, braced]: RegExpExecArray): string {
  return whole ?? braced ?? shortened ?? '';
}
