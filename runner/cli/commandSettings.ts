import type { Config } from '../options/config.ts';
import { loadConfig } from '../options/loadConfig.ts';
import type { Options, Settings } from '../options/option.ts';
import { resolveSettings, type SettingSources } from '../options/settings.ts';
import type { CommandInput } from './command.ts';

type Called = Pick<CommandInput, 'given' | 'programEnvironment'>;

/** The settings of a command that reads no config file. @throws UsageError where a value cannot be read */
export function commandSettings<Registry extends Options>(options: Registry, called: Called): Settings<Registry> {
  const { environment, workingDirectory: directory } = called.programEnvironment;
  return resolveSettings(options, { commandLine: called.given, environment, config: [], directory });
}

/** The config file that counts for a call. */
interface Configured {
  readonly config: Config;
  /** Where its settings come from, with these sections of that file, the more special ones last. */
  readonly sourcesWith: (...sections: readonly object[]) => SettingSources;
}

/** Reads the config file of a command, and says on standard error which one that is. @throws UsageError where it is not as it should be */
export async function configured({ given, programEnvironment }: Called): Promise<Configured> {
  const { environment, workingDirectory, stderr } = programEnvironment;
  const { config, ...place } = await loadConfig(workingDirectory, given, (line) => stderr.write(`${line}\n`));
  return { config, sourcesWith: (...sections) => ({ commandLine: given, environment, config: sections, ...place }) };
}
