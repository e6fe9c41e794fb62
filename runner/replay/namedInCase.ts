import { isLoopbackUrl } from '../../reports/text/loopbackUrl.ts';
import type { Options } from '../options/options.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { settingTexts, type CommandLine, type SettingSources } from '../options/settings.ts';
import { fileOptions } from './trustedOptions.ts';

const starting = ['start', 'image', 'port'] as const;
/** What is given for the target alone. */
const confided = ['secret', 'token', 'header'] as const;

/**
 * What a case would have the kit do that no file may decide, as options; empty where it shapes the case alone. What was
 * given counts in its place. Its address is data where it is loopback, unless something secret was given without an address.
 *
 * @param trust - whether what it names is wanted: then it goes before the config of the folder, and the address is named
 */
export function namedInCase(
  options: Options,
  saved: SavedCase,
  sources: SettingSources,
  trust: boolean,
): Readonly<Record<string, readonly string[]>> {
  const given = settingTexts(options, beforeFile(sources, trust));
  const replaced = new Set([...Object.keys(given), ...(isStarted(given) ? starting : [])]);
  const named = Object.entries(fileOptions(saved).named).filter(([name]) => !replaced.has(name));
  const isConfided = confided.some((name) => settingTexts(options, sources)[name] !== undefined);
  const isOpen = !isConfided && (isLoopbackUrl(saved.url) || saved.url.startsWith('/'));
  const isPlaced = replaced.has('url') || (isOpen && !trust);
  return { ...(!isPlaced && { url: [saved.url] }), ...Object.fromEntries(named) };
}

/** What was given that counts instead of what a file names. */
export function beforeFile(sources: SettingSources, trust: boolean): SettingSources {
  return trust ? { ...sources, config: [] } : sources;
}

/** Whether these options say how the target is started. */
export function isStarted(options: CommandLine): boolean {
  return options['start'] !== undefined || options['image'] !== undefined;
}

/** The section of a config without what says how the target is started. */
export function withoutStart(section: object): object {
  return { ...section, ...Object.fromEntries(starting.map((name) => [name, undefined])) };
}
