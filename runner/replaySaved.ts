import { SeaworthyError, UsageError } from './errors.ts';
import { filledText, missingValue } from './filledText.ts';
import { cannotRun, type Replayed } from './replayed.ts';
import { resetTarget } from './resetTarget.ts';
import type { SavedCase } from './savedCase.ts';
import { typedSecrets } from './secrets/confided.ts';
import { Secrets } from './secrets/secrets.ts';
import type { CommandLine, SettingSources } from './settings.ts';
import { withSecrets } from './secrets/standIns.ts';

/** Where a case is tried again. */
export interface ReplayPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What relative paths are relative to. */
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  /** Takes what is secret. Default: nobody hears of it. */
  readonly secrets?: Secrets;
}

/** What all cases have in common, whatever they are about. */
interface ReplaySettings {
  readonly url: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly reset: string | undefined;
}

/** How cases of a receiver, or of a service, are tried again. */
export interface ReplayKind<Given extends ReplaySettings> {
  /** The option that gives what no file holds, and the variable that stands for it. */
  readonly secret: { readonly flag: string; readonly variable: string };
  secretsOf(settings: Given): readonly string[];
  /** Whether this version of the kit knows the check of a case. */
  knows(saved: SavedCase): boolean;
  /** The options of this kind, whatever else was given. */
  read(sources: SettingSources): Given;
  /** Connects to the target, and tries the case. */
  replay(url: string, settings: Omit<Given, 'url'>, saved: SavedCase, signal: AbortSignal): Promise<Replayed>;
}

/**
 * Tries a saved case again, with the options of its file, or those that were given instead of them.
 *
 * @throws UsageError where an option cannot be read, or the target not be started as the user asked for
 */
export async function replaySaved<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  saved: SavedCase,
  given: CommandLine,
  place: ReplayPlace,
): Promise<Replayed> {
  const options = optionsOf(kind, saved, given, place);
  const settings = readOptions(kind, options, place);
  const wanted = anotherLife(given) ? [] : saved.env;
  const secrets = secretsOf(kind, saved, settings, { options, place });
  const lacking = wanted.filter((name) => !(name in settings.env) && place.environment[name] === undefined);
  if (lacking.length > 0)
    return cannotRun(`the target was started with ${lacking.join(', ')}: give --env ${lacking[0]}=...`);
  const { flag, variable } = kind.secret;
  if (kind.secretsOf(settings).length === 0 && JSON.stringify(saved.options).includes(variable))
    return cannotRun(`the options in the file hold $${variable}: give ${flag} (or ${variable})`);
  const missing = missingValue(options);
  if (missing !== undefined) return cannotRun(missing);
  // A check that this version does not know is no mistake of the user's.
  if (!kind.knows(saved)) return cannotRun(`there is no check ${saved.check}`);
  const { url = filled(saved.url, kind, given, place), ...others } = settings;
  try {
    if (settings.reset !== undefined) await resetTarget(settings.reset, place.signal);
    return withoutSecrets(await kind.replay(url, others, saved, place.signal), secrets);
  } catch (error) {
    if (!(error instanceof SeaworthyError) || error instanceof UsageError) throw error;
    return withoutSecrets(cannotRun(error.message), secrets);
  }
}

/** What the replay was given in confidence: by its options, or by the environment that the target is started in. */
function secretsOf<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  saved: SavedCase,
  settings: Given,
  { options, place }: { readonly options: CommandLine; readonly place: ReplayPlace },
): Secrets {
  const env = {
    ...Object.fromEntries(saved.env.map((name) => [name, place.environment[name] ?? ''])),
    ...settings.env,
  };
  const texts = {
    ...options,
    [kind.secret.flag.slice('--'.length)]: kind.secretsOf(settings),
    env: Object.entries(env).map((variable) => variable.join('=')),
  };
  return typedSecrets(texts, settings.url, place.secrets ?? new Secrets());
}

/** How a case stands, in words that hold no secret. */
function withoutSecrets(replayed: Replayed, secrets: Secrets): Replayed {
  if (replayed.outcome === 'cannot-run') return { ...replayed, reason: secrets.hideTyped(replayed.reason) };
  if (replayed.outcome === 'fixed') return replayed;
  const { finding, timeline } = replayed;
  const { expected, actual } = finding;
  return { ...replayed, finding: secrets.hideIn({ expected, actual }), timeline: secrets.hideTyped(timeline) };
}

/** The options of the file, those that were given anew instead of them where there are such. */
function optionsOf<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  saved: SavedCase,
  given: CommandLine,
  place: ReplayPlace,
): CommandLine {
  const kept = Object.entries(saved.options)
    .filter(([name]) => !(anotherLife(given) && ['start', 'image', 'port'].includes(name)))
    .map(([name, texts]) => [name, texts.map((text) => filled(text, kind, given, place))] as const);
  return { ...Object.fromEntries(kept), ...given };
}

/** A text of the file with what was given anew in place of its variables. */
function filled<Given extends ReplaySettings>(
  text: string,
  kind: ReplayKind<Given>,
  given: CommandLine,
  place: ReplayPlace,
): string {
  const secrets = kind.secretsOf(readOptions(kind, given, place));
  return filledText(withSecrets(text, secrets, kind.secret.variable), given, place.environment);
}

function readOptions<Given extends ReplaySettings>(
  kind: ReplayKind<Given>,
  commandLine: CommandLine,
  { environment, workingDirectory: directory }: ReplayPlace,
): Given {
  return kind.read({ commandLine, environment, config: [], directory });
}

/** Whether the target is started in another way than the file says: then what the file says of its start counts no more. */
function anotherLife(given: CommandLine): boolean {
  return given['start'] !== undefined || given['image'] !== undefined;
}
