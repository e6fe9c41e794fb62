import { receiverFuzzOptions, serviceFuzzOptions } from '../options/fuzzOptions.ts';
import type { FuzzPlan } from '../fuzz/fuzzPlan.ts';
import { receiverFuzzPlan } from '../fuzz/receiverFuzzPlan.ts';
import { serviceFuzzPlan } from '../fuzz/serviceFuzzPlan.ts';
import { givenOptions } from '../options/givenOptions.ts';
import { commandLine } from '../options/commandLine.ts';
import type { Options } from '../options/options.ts';
import type { ExportTarget } from '../options/exportKind.ts';
import type { ReportTarget } from '../options/optionKinds.ts';
import { resolveSettings, settingTexts, type CommandLine, type SettingSources } from '../options/settings.ts';
import { typedSecrets } from '../secrets/confided.ts';
import { openCall } from './openCall.ts';
import { openAddress } from '../http/openAddress.ts';
import { playLazily } from './playLazily.ts';
import type { CommandWorld } from './world.ts';

/** What the command itself needs of the settings of a search. */
export interface CommonSettings {
  readonly report: readonly ReportTarget[];
  readonly export: readonly ExportTarget[];
  readonly list: boolean;
  readonly learn?: string | undefined;
}

/** A search that the command line asks for, its settings read. */
export interface Wanted {
  readonly settings: CommonSettings;
  /** Makes its plan. @param program - what starts the kit. @throws UsageError */
  plan(target: string, program: string, world: Pick<CommandWorld, 'secrets' | 'signal'>): Promise<FuzzPlan>;
  /** A plan that needs no target, for what would be looked for. */
  targetless(): Promise<FuzzPlan>;
}

const nothingStarted = { start: undefined, image: undefined, port: undefined, env: {}, allowRemote: true } as const;

/** A search in a receiver. */
export function receiverSearch(sources: SettingSources): Wanted {
  const settings = resolveSettings(receiverFuzzOptions, sources);
  return {
    settings,
    async plan(address, program, { secrets, signal }) {
      const { url, sources: opened } = openCall(address, settings.header, sources);
      const known = resolveSettings(receiverFuzzOptions, opened);
      const hidden = typedSecrets(settingTexts(receiverFuzzOptions, opened), url, secrets);
      const typed = hidden.hideTyped(opened.commandLine);
      const command = commandLine('fuzz', [hidden.hideTyped(url)], receiverFuzzOptions, typed, program);
      const given = givenOptions(receiverFuzzOptions, url, opened);
      return receiverFuzzPlan(url, { ...known, signal, command, given, play: playLazily });
    },
    targetless: () =>
      receiverFuzzPlan('http://localhost/', {
        ...settings,
        ...nothingStarted,
        apiListen: undefined,
        recover: undefined,
        published: [],
      }),
  };
}

/** A search in a service. */
export function serviceSearch(sources: SettingSources): Wanted {
  const settings = resolveSettings(serviceFuzzOptions, sources);
  return {
    settings,
    async plan(address, program, { secrets, signal }) {
      const { address: base } = openAddress(address);
      const named: CommandLine = { ...sources.commandLine, service: [base] };
      const typed = typedSecrets(settingTexts(serviceFuzzOptions, sources), base, secrets).hideTyped(named);
      const command = commandLine('fuzz', [], serviceFuzzOptions as Options, typed, program);
      const given = givenOptions(serviceFuzzOptions, base, sources);
      return serviceFuzzPlan(base, { ...settings, signal, command, given });
    },
    targetless: () => serviceFuzzPlan('http://localhost/v2', { ...settings, ...nothingStarted }),
  };
}
