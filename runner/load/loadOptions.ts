import { dirname } from 'node:path';

import { assumptionValue, type Assumption } from '../../spec/assumptions.ts';
import type { CatalogueEvent, Contract } from '../../spec/contract.ts';
import { parseDuration } from '../../spec/units.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';
import { UsageError } from '../errors.ts';
import { type Access, reachOf } from '../http/access.ts';
import { assume } from '../options/assume.ts';
import { openContract } from '../options/openContract.ts';
import { scalar, type OptionKind } from '../options/optionKinds.ts';
import { option, type Settings } from '../options/option.ts';
import { sharedOptions } from '../options/sharedOptions.ts';
import { readCertificates } from '../options/readCertificates.ts';
import { receiverOptions } from '../options/receiverOptions.ts';
import { matches, requirePatterns } from '../options/selection.ts';
import { resolveSettings } from '../options/settings.ts';
import { checkedProbe, targetUrl } from '../receiver/target.ts';

const shareKind: OptionKind<number> = scalar({
  placeholder: '<share>',
  valid: 'a share of all deliveries, from 0 to 1, such as 0.05',
  schema: { type: 'number', minimum: 0, maximum: 1 },
  read: (text) => (text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1 ? Number(text) : undefined),
});

/** What the processor and the engine take, in the words of `seaworthy receiver`. */
const loadOptions = {
  contract: sharedOptions.contract,
  openapi: sharedOptions.openapi,
  assume: sharedOptions.assume,
  events: receiverOptions.events,
  secret: receiverOptions.secret,
  header: receiverOptions.header,
  probe: receiverOptions.probe,
  settle: sharedOptions.settle,
  seed: sharedOptions.seed,
  timeout: sharedOptions.timeout,
  ca: sharedOptions.ca,
  insecure: sharedOptions.insecure,
  allowRemote: sharedOptions.allowRemote,
  redeliveries: option({
    flag: '--redeliveries',
    kind: shareKind,
    group: 'Cases',
    description: 'the share of deliveries that repeat one that was accepted',
  }),
  forgeries: option({
    flag: '--forgeries',
    kind: shareKind,
    group: 'Cases',
    description: 'the share of deliveries whose signature is forged',
  }),
} as const;

/** Of each kind, where nothing is said of it, and the contract has what it is about. */
const usualShare = 0.05;

/** What a load is made of, checked and filled in. */
export interface LoadPlan extends Pick<
  Settings<typeof loadOptions>,
  'allowRemote' | 'probe' | 'settle' | 'redeliveries' | 'forgeries'
> {
  readonly contract: Contract;
  readonly events: readonly CatalogueEvent[];
  readonly assumptions: readonly Assumption[];
  readonly secrets: readonly string[];
  readonly headers: Settings<typeof loadOptions>['header'];
  readonly seed: number | undefined;
  readonly redeliveries: number;
  readonly forgeries: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly access: Access;
  /** What a path that stands for a probe is at. */
  readonly target: URL;
}

/** Where options come from. */
export interface GivenOptions {
  /** As the script has them. */
  readonly options: unknown;
  /** Where they stand in the script. */
  readonly place: string;
  /** The address of the target. */
  readonly target: string;
  /** The script's own path: what relative paths are relative to. Default: the working directory */
  readonly script?: string | undefined;
}

/**
 * The plan of a load, as a script says, and as the environment says of its secret.
 *
 * @throws UsageError for options that cannot be, or do not go together, and for a target that is remote without leave
 */
export async function readLoadPlan({ options = {}, place, target: address, script }: GivenOptions): Promise<LoadPlan> {
  const { allowRemote: remote = false, ...section } = knownOptions(options, place);
  const settings = resolveSettings(loadOptions, {
    commandLine: remote === true ? { allowRemote: ['true'] } : {},
    environment: process.env,
    config: [section],
    directory: script === undefined ? process.cwd() : dirname(script),
    file: place,
  });
  const opened = openContract(settings);
  const assumptions = assume(opened, settings.assume);
  const target = await targetUrl(address, settings.allowRemote);
  const { probe } = settings;
  return {
    ...settings,
    target,
    ...(probe !== undefined && { probe: await checkedProbe(probe, target, settings.allowRemote) }),
    ...sharesOf(opened, settings, place),
    contract: opened,
    events: eventsOf(opened, settings.events),
    assumptions,
    secrets: opened.delivery.signature === undefined ? [] : settings.secret,
    headers: settings.header,
    timeout: settings.timeout ?? parseDuration(assumptionValue(assumptions, 'delivery.timeout')),
    access: {
      ...(settings.ca !== undefined && { ca: await readCertificates(settings.ca) }),
      insecure: settings.insecure,
      reach: reachOf(settings.allowRemote),
    },
  };
}

function knownOptions(options: unknown, place: string): Readonly<Record<string, unknown>> {
  const given = typeof options === 'object' && options !== null ? (options as Readonly<Record<string, unknown>>) : {};
  const names = Object.keys(loadOptions);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  throw new UsageError('SW_OPTION_UNKNOWN', {
    received: `${place} has no option "${unknown}"`,
    valid: names.join(', '),
    next: didYouMean(nearest(unknown, names)) ?? 'correct its name, or leave it out',
  });
}

function eventsOf({ events: all }: Contract, patterns: readonly string[]): readonly CatalogueEvent[] {
  const names = all.map(({ name }) => name);
  const valid = 'names of the event catalogue, with * for any characters';
  requirePatterns('events', patterns, names, { valid, list: `the catalogue has ${names.length} events` });
  return patterns.length === 0 ? all : all.filter(({ name }) => patterns.some((pattern) => matches(pattern, name)));
}

type Shares = Pick<Settings<typeof loadOptions>, 'redeliveries' | 'forgeries' | 'secret' | 'probe'>;

/** @throws UsageError for shares of what the contract has not, or cannot be made, and for a probe that has no ids to count by */
function sharesOf({ delivery }: Contract, { redeliveries, forgeries, secret: secrets, probe }: Shares, place: string) {
  const isSigned = delivery.signature !== undefined && secrets.length > 0;
  const hasId = delivery.id !== undefined;
  if (!hasId && ((redeliveries ?? 0) > 0 || probe !== undefined))
    throw conflict(`${place} asks for redeliveries or effects`, 'a contract whose deliveries have an id');
  if (!isSigned && (forgeries ?? 0) > 0)
    throw conflict(`${place} asks for forgeries`, 'a contract with a signature, and the secret in SEAWORTHY_SECRET');
  const shares = {
    redeliveries: redeliveries ?? (hasId ? usualShare : 0),
    forgeries: forgeries ?? (isSigned ? usualShare : 0),
  };
  if (shares.redeliveries + shares.forgeries > 1)
    throw conflict(`${place}: the shares are more than 1 together`, 'shares of 1 together at most');
  return shares;
}

function conflict(received: string, valid: string): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received,
    valid,
    next: 'correct the script, or leave it out',
  });
}
