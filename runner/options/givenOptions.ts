import type { Options } from './options.ts';
import type { GivenOptions } from '../engine/plan.ts';
import { unsaved } from './replayOptions.ts';
import { settingTexts, type SettingSources } from './settings.ts';

/** What a run was given, from wherever it came, as a saved case holds it. */
export function givenOptions(options: Options, url: string, sources: SettingSources): GivenOptions {
  const texts = settingTexts(options, sources);
  const kept = Object.entries(texts).filter(([name]) => !unsaved.has(name));
  return {
    url,
    options: Object.fromEntries(kept.map(([name, given]) => [name, options[name]?.hidden?.(given) ?? given])),
    env: (texts['env'] ?? []).map((text) => text.split('=')[0] ?? ''),
  };
}
