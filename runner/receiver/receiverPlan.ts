import { once } from 'node:events';
import { createServer } from 'node:net';

import { addAddress } from '../http/ownWant.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { parseDuration } from '../../spec/units.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import { assume } from '../options/assume.ts';
import { runScheme, type SignatureScheme } from '../../spec/signature.ts';
import { namingHeaders } from '../../generators/notification/signed.ts';
import type { Header } from '../../suites/delivery.ts';
import { applicable } from '../../suites/applicable.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { openAddress, withAuthorization } from '../http/openAddress.ts';
import { receiverOptions, type ReceiverSettings } from '../options/receiverOptions.ts';
import { runPlan, type RunPlanOptions, withDefaults } from '../engine/runPlan.ts';
import type { PlayApi, ReceiverPlan, PlayedApiSpec, StartRecovery } from './plan.ts';
import { requirePatterns } from '../options/selection.ts';
import { openContract } from '../options/openContract.ts';
import { processAddress } from '../process/targetProcess.ts';
import { processSpecOf } from '../options/processOptions.ts';
import { Secrets } from '../secrets/secrets.ts';
import { confidedStandIns } from '../secrets/confided.ts';
import { checkedProbe, targetUrl } from './target.ts';
import { failureCode } from '../http/connector.ts';
import { UsageError } from '../errors.ts';

/** What {@link receiverPlan} needs beside the settings; all of it has a default. */
export interface ReceiverPlanOptions
  extends Partial<Omit<ReceiverSettings, 'probe' | 'recover'>>, RunPlanOptions<ReceiverCheck> {
  /** As `--probe` takes it, or a function. */
  readonly probe?: ReceiverPlan['probe'] | undefined;
  /** As `--recover` takes it, or a function. */
  readonly recover?: PlayedApiSpec['recover'] | undefined;
  /** What the command of `start` prints on standard output once it is up: a regular expression, whose group `port` is the port that it listens at. */
  readonly wait?: RegExp | undefined;
  /** Starts the service's API; needed where `apiListen` is given. */
  readonly play?: PlayApi;
}

/**
 * The plan of a run of the receiver suite: everything checked and filled in, nothing sent yet.
 *
 * @param url - the receiver's address, http or https; its path alone where it is started from an image. A user and a
 * password in it become a header
 * @throws UsageError for a bad or remote address, patterns that match nothing, unknown assumptions, unreadable files
 *
 * @example
 * const plan = await receiverPlan('http://localhost:3000/hooks', { secret: ['...'], intensity: 'quick' });
 * for await (const event of runReceiver(plan)) console.log(event.type);
 */
export async function receiverPlan(url: string, options: ReceiverPlanOptions = {}): Promise<ReceiverPlan> {
  const open = openAddress(url);
  const settings = withDefaults<ReceiverTargetSettings>(receiverOptions, options);
  const header = withAuthorization(settings.header, open);
  const contract = openContract(settings);
  const startsTarget = settings.start !== undefined || settings.image !== undefined;
  const assumed = { ...settings, assume: withTimeout(settings) };
  const { scheme } = runScheme(contract, assume(contract, assumed.assume));
  const suite = {
    contract,
    checks: applicable(contract, options.checks ?? receiverChecks, scheme),
    command: `seaworthy receiver ${open.address}`,
    startsTarget,
  };
  const plan = await runPlan(suite, assumed, options);
  requireEvents(contract, settings.events);
  requireFree(header, contract, scheme.headers, assumptionValue(plan.assumptions, 'signature.header'));
  return {
    ...plan,
    scheme,
    ...(await receiverTarget(open.address, { ...settings, header }, options.play)),
    secrets: settings.secret,
    events: settings.events,
    headers: header,
    timeout: parseDuration(assumptionValue(plan.assumptions, 'delivery.timeout')),
  };
}

/** What a caller within a program may give beside the options. */
type ReceiverTargetSettings = Omit<ReceiverSettings, 'probe' | 'recover'> &
  Pick<ReceiverPlanOptions, 'probe' | 'recover' | 'wait'>;

/** `--timeout` is the short way to say which delivery time-out is assumed; reports then show it as such. */
function withTimeout({
  assume: given,
  timeout,
}: Pick<ReceiverSettings, 'assume' | 'timeout'>): Readonly<Record<string, string>> {
  return timeout === undefined ? given : { ...given, 'delivery.timeout': `${timeout}ms` };
}

function requireEvents(contract: Contract, patterns: readonly string[]): void {
  const names = contract.events.map(({ name }) => name);
  requirePatterns('--events', patterns, names, {
    valid: 'names of the event catalogue, with * for any characters',
    list: `the catalogue has ${names.length} events, among them ${names.slice(0, 3).join(', ')}`,
  });
}

/** Of two headers of one name one would be sent, in a case that leaves the delivery's own out the custom one. */
function requireFree(
  custom: readonly Header[],
  contract: Contract,
  signed: SignatureScheme['headers'],
  signatureHeader: string,
): void {
  const own = [
    'Content-Type',
    ...signed.map(({ name = signatureHeader }) => name),
    ...namingHeaders(contract, { id: '', event: '' }).map(([name]) => name),
    ...contract.delivery.redeliveryHeaders.map(([name]) => name),
  ];
  const isOwn = ([name]: Header): boolean => own.some((each) => each.toLowerCase() === name.toLowerCase());
  const taken = custom.find(isOwn);
  if (taken === undefined) return;
  throw new UsageError('SW_OPTION_VALUE', {
    received: `--header ${taken[0]}, which each delivery has already`,
    valid: `a header that is none of ${[...new Set(own)].join(', ')}`,
    next: 'leave it out; --contract and --assume say what these headers hold (seaworthy requirements --assumptions)',
  });
}

/** The part of a plan that says where the receiver is, how it is started, and what it looks at. */
type ReceiverTarget = Pick<ReceiverPlan, 'url' | 'probe' | 'targetProcess' | 'secretVariable' | 'published' | 'api'>;

/**
 * Where the receiver is, checked before anything is sent.
 *
 * @param address - a URL; the path alone where the receiver is started from an image
 * @param play - starts the service's API; needed where `apiListen` is given
 * @throws UsageError for a bad or remote address, and for options that do not go together
 */
async function receiverTarget(
  address: string,
  settings: ReceiverTargetSettings,
  play: PlayApi | undefined,
): Promise<ReceiverTarget> {
  const { allowRemote } = settings;
  const { secret, header, probe: asked, recover, env } = settings;
  const secrets = new Secrets(
    confidedStandIns({
      secrets: secret,
      headers: header,
      addresses: [asked, recover].filter((each) => typeof each === 'string'),
      env,
    }),
  );
  const started = withSecret(settings);
  const targetProcess = processSpecOf(started, (command) => secrets.hideTyped(command), settings.wait);
  const url = await targetUrl(await processAddress(address, targetProcess), allowRemote);
  if (settings.published.length > 0 && targetProcess?.kind === 'container') throw unseenInContainer();
  const base = targetProcess?.kind === 'container' || url.port === '0' ? url : undefined;
  const api = await playedApiSpec(settings, { play, base });
  return {
    url,
    ...(targetProcess !== undefined && { targetProcess }),
    ...(settings.secretEnv !== undefined && { secretVariable: settings.secretEnv }),
    ...(asked !== undefined && { probe: await checkedProbe(asked, url, allowRemote) }),
    published: await senderAddresses(settings.published),
    ...(api !== undefined && { api }),
  };
}

/**
 * The settings with the secret in the receiver's environment. What `--env` says of that variable goes before it: a receiver
 * may take a list of secrets, or one in another form.
 *
 * @throws UsageError where there is no secret, or nothing to start
 */
function withSecret(settings: ReceiverTargetSettings): ReceiverTargetSettings {
  const { secretEnv, secret, start, image, env } = settings;
  if (secretEnv === undefined) return settings;
  const [first] = secret;
  if (first === undefined || (start === undefined && image === undefined)) {
    throw new UsageError('SW_OPTION_CONFLICT', {
      received: `--secret-env was given without ${first === undefined ? '--secret' : '--start or --image'}`,
      valid: '--secret-env <NAME> with --secret <secret>, and with --start <command> or --image <ref>',
      next: 'add the one that is missing, or leave --secret-env out; the config file counts too',
    });
  }
  return { ...settings, env: { [secretEnv]: first, ...env } };
}

/**
 * The addresses of `--published`, checked: the kit has to be able to send from each of them.
 *
 * @throws UsageError for one that this machine does not have
 */
async function senderAddresses(addresses: readonly string[]): Promise<readonly string[]> {
  for (const address of addresses) await requireOwn(address);
  return addresses;
}

async function requireOwn(address: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host: address, port: 0, exclusive: true }), 'listening');
  } catch (cause) {
    throw new UsageError(
      'SW_ADDRESS_FOREIGN',
      {
        received: `--published ${address}: this machine cannot send from that address (${failureCode(cause)})`,
        valid: 'addresses of this machine that reach the receiver, such as 127.0.0.1',
        next: [
          'let the receiver under test allow addresses of this machine, or add this one to it first',
          addAddress(address),
        ]
          .filter((part) => part !== undefined)
          .join(': '),
      },
      { cause },
    );
  }
  server.close();
  await once(server, 'close');
}

/** What of the settings is about the API. */
type ApiSettings = Pick<ReceiverTargetSettings, 'apiListen' | 'recover' | 'allowRemote'>;

/** What it depends on beside the settings. */
interface Surroundings {
  /** Starts the API; nothing where the caller has none. */
  readonly play: PlayApi | undefined;
  /** Where a recovery that is given as a path is started: the address of a receiver that gets its port when it is started. */
  readonly base: URL | undefined;
}

/**
 * Where the kit plays the service's API; nothing where the user did not ask for it.
 *
 * @throws UsageError for options that do not go together, and for a remote address without leave
 * @throws TypeError where it is asked for, and the caller has no API to play
 */
async function playedApiSpec(settings: ApiSettings, around: Surroundings): Promise<PlayedApiSpec | undefined> {
  const { apiListen: listen, recover, allowRemote } = settings;
  if (listen === undefined) {
    if (recover === undefined) return undefined;
    throw new UsageError('SW_OPTION_CONFLICT', {
      received: '--recover was given without --api-listen',
      valid: 'both: a recovery can be seen only where the receiver looks at the API that the kit plays',
      next: 'add --api-listen 127.0.0.1:4020, and give the receiver that address as the address of the service',
    });
  }
  if (around.play === undefined) throw new TypeError('apiListen needs play: pass the function that starts the API');
  if (recover === undefined) return { listen, play: around.play };
  return { listen, play: around.play, recover: await locatedRecovery(recover, around.base, allowRemote) };
}

async function locatedRecovery(
  recover: string | StartRecovery,
  base: URL | undefined,
  allowRemote: boolean,
): Promise<string | StartRecovery> {
  if (typeof recover === 'function') return recover;
  if (base !== undefined && recover.startsWith('/')) return new URL(recover, base).href;
  return /^https?:/i.test(recover) ? (await targetUrl(recover, allowRemote)).href : recover;
}

function unseenInContainer(): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received: '--published was given together with --image',
    valid: '--published for a receiver that sees where its deliveries come from',
    next: 'start the receiver with --start: a container sees every connection of this machine come from one address',
  });
}
