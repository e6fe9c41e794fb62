import { isLoopbackUrl } from '../../reports/curl/replayCommand.ts';
import type { receiverReplayOptions, serviceReplayOptions } from '../options/replayOptions.ts';
import { openContract } from '../options/openContract.ts';
import { isShippedContract } from '../../spec/shippedContracts.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { CommandLine } from '../options/settings.ts';

type OptionName = keyof typeof receiverReplayOptions | keyof typeof serviceReplayOptions;

/** Whether a text of a saved case shapes the case and nothing else; `never` counts with `--trust` neither. */
type Right = ((text: string) => boolean) | 'never';

const always = (): boolean => true;
const needsTrust = (): boolean => false;

/**
 * What the options in a saved case may say. What runs a command, opens or names a file, listens, names an address that is
 * not loopback, or holds a variable for something secret, is not data.
 */
const rights: Readonly<Record<OptionName, Right>> = {
  events: always,
  trackable: always,
  untrackable: always,
  concurrency: always,
  rate: always,
  timeout: always,
  maxAnswer: always,
  maxDepth: always,
  maxEntries: always,
  maxPages: always,
  settle: always,
  retryWindow: always,
  assume: (text) => !text.startsWith('@'),
  contract: isShippedContract,
  openapi: needsTrust,
  header: (text) => !text.includes('$'),
  probe: isLoopbackUrl,
  emit: isLoopbackUrl,
  recover: isLoopbackUrl,
  start: needsTrust,
  image: needsTrust,
  port: needsTrust,
  reset: needsTrust,
  ca: needsTrust,
  insecure: needsTrust,
  secretEnv: needsTrust,
  published: needsTrust,
  apiListen: needsTrust,
  catcher: needsTrust,
  catcherListen: needsTrust,
  url: 'never',
  secret: 'never',
  token: 'never',
  env: 'never',
  allowRemote: 'never',
};

/** The options of a saved case, by what has to be true before they count. */
export interface FileOptions {
  /** What shapes the case: it counts as it is. */
  readonly data: CommandLine;
  /** What the user has to trust, or give instead. */
  readonly named: Readonly<Record<string, readonly string[]>>;
}

/**
 * Sorts the options of a saved case. What no file may say, and what nobody knows, is left out: also an assumption that an
 * earlier version had, and that never changed a case.
 */
export function fileOptions({ options }: Pick<SavedCase, 'options'>): FileOptions {
  const { assume = [], ...others } = options;
  const [named = ''] = others['contract'] ?? [];
  // Whatever another contract assumes is tested when it is opened, with the user's trust.
  const assumed = named === '' || named === 'tracking' ? assume.filter(isKnownAssumption) : assume;
  const all = assumed.length > 0 ? { ...others, assume: assumed } : others;
  const known = Object.entries(all).filter(([name]) => rightOf(name) !== 'never');
  const isData = ([name, texts]: readonly [string, readonly string[]]): boolean => {
    const right = rightOf(name);
    return right !== 'never' && texts.every(right);
  };
  return {
    data: Object.fromEntries(known.filter(isData)),
    named: Object.fromEntries(known.filter((entry) => !isData(entry))),
  };
}

function isKnownAssumption(text: string): boolean {
  const [name = ''] = text.split('=');
  return name.startsWith('@') || openContract().assumptions.some(({ key }) => key === name.trim());
}

/** Whether an option may be data as an address only. */
export function isPlace(name: string): boolean {
  return rightOf(name) === isLoopbackUrl;
}

/** Whether an option says how the case is played, and not where: then a file goes before the config of a folder. */
export function shapesCase(name: string): boolean {
  return rightOf(name) === always || name === 'assume' || name === 'contract';
}

function rightOf(name: string): Right {
  return Object.hasOwn(rights, name) ? rights[name as OptionName] : 'never';
}
