import { join, resolve } from 'node:path';

import type { Contract } from '../../spec/contract.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import { applicable } from '../../suites/applicable.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { UsageError } from '../errors.ts';
import { serviceOptions, type ServiceSettings } from '../options/serviceOptions.ts';
import { openAddress } from '../http/openAddress.ts';
import { openContract } from '../options/openContract.ts';
import { runPlan, type RunPlanOptions, withDefaults } from '../engine/runPlan.ts';
import type { EmitEvent, ServicePlan } from './plan.ts';
import { processAddress } from '../process/targetProcess.ts';
import { isInstalled } from '../options/packages.ts';
import { processSpecOf } from '../options/processOptions.ts';
import { confidedStandIns } from '../secrets/confided.ts';
import { Secrets } from '../secrets/secrets.ts';
import { targetUrl } from '../receiver/target.ts';

/** What {@link servicePlan} needs beside the settings; all of it has a default. */
export interface ServicePlanOptions extends Partial<Omit<ServiceSettings, 'emit'>>, RunPlanOptions<ServiceCheck> {
  /** As `--emit` takes it, or a function. */
  readonly emit?: ServicePlan['emit'] | undefined;
  /** What the command of `start` prints on standard output once it is up: a regular expression, whose group `port` is the port that it listens at. */
  readonly wait?: RegExp | undefined;
  /** Whether Prism judges every call as well. Default: true where `@stoplight/prism-cli` is installed. */
  readonly secondOpinion?: boolean;
  /** Where the certificate authority of an https catcher is kept. Default: `.seaworthy/authority`. */
  readonly authorityDirectory?: string;
}

/**
 * The plan of a run of the service suite: everything checked and filled in, nothing sent yet.
 *
 * @param base - the service's base address, http or https; its path alone where it is started from an image. A user and a
 * password in it are left out: the API key stands where they would be sent
 * @throws UsageError for a bad or remote address, patterns that match nothing, unknown assumptions, unreadable files
 *
 * @example
 * const plan = await servicePlan('http://localhost:4010/v2', { token: '...', trackable: [{ issuer: 'ACME', number: '...' }] });
 * for await (const event of runService(plan)) console.log(event.type);
 */
export async function servicePlan(base: string, options: ServicePlanOptions = {}): Promise<ServicePlan> {
  const settings = withDefaults<ServiceTargetSettings>(serviceOptions, options);
  const contract = openContract(settings);
  const terms = contract.service ?? noService(contract);
  requireTracking(contract, settings);
  const { address } = openAddress(base);
  const startsTarget = settings.start !== undefined || settings.image !== undefined;
  const suite = {
    contract,
    checks: applicable(contract, options.checks ?? serviceChecks),
    command: `seaworthy service ${address}`,
    startsTarget,
  };
  return {
    ...(await runPlan(suite, settings, options)),
    terms,
    ...(await serviceTarget(address, base, settings)),
    named: base,
    token: settings.token ?? '',
    trackable: settings.trackable,
    untrackable: settings.untrackable,
    authorityDirectory: resolve(options.authorityDirectory ?? join('.seaworthy', 'authority')),
    retryWindow: settings.retryWindow,
    timeout: settings.timeout,
    bounds: {
      bytes: settings.maxAnswer,
      depth: settings.maxDepth,
      entries: settings.maxEntries,
      pages: settings.maxPages,
    },
    secondOpinion: options.secondOpinion ?? isInstalled('@stoplight/prism-cli'),
  };
}

function noService({ name }: Contract): never {
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `the contract ${name} says nothing of the API of a service`,
    valid:
      'a contract.yaml with a service: the operation that creates a webhook, and where things stand in its resources',
    next: 'add service to the contract, as docs/contract-form.md of the package describes it, or test a receiver: seaworthy receiver',
  });
}

/** What a caller within a program may give beside the options. */
type ServiceTargetSettings = Omit<ServiceSettings, 'emit'> & Pick<ServicePlanOptions, 'emit' | 'wait'>;

/** Numbers mean something only to a service that tracks them. */
function requireTracking(
  { name, service }: Contract,
  { trackable, untrackable }: Pick<ServiceSettings, 'trackable' | 'untrackable'>,
): void {
  const given = trackable.length > 0 ? '--trackable' : untrackable.length > 0 ? '--untrackable' : undefined;
  if (given === undefined || service?.tracking !== undefined) return;
  throw new UsageError('SW_OPTION_CONFLICT', {
    received: `${given} does not apply to the contract ${name}: its service tracks no numbers`,
    valid: '--emit, which makes the service raise an event',
    next: `leave ${given} out; the config file counts too`,
  });
}

/** The part of a plan that says where the service is, how it is started, and where it reaches the kit. */
type ServiceTarget = Pick<ServicePlan, 'base' | 'targetProcess' | 'emit' | 'catcher' | 'catcherListen' | 'catcherHost'>;

/** What containers call the machine that they run on. */
const hostOfContainers = 'host.docker.internal';
/** A container does not come in by loopback. */
const everywhere = { host: '0.0.0.0', port: 0 } as const;

/**
 * Where the service is, checked before anything is sent.
 *
 * @param address - its base address; the path alone where it is started from an image
 * @param named - the same as it was given
 * @throws UsageError for a bad or remote address, and for options that do not go together
 */
async function serviceTarget(address: string, named: string, settings: ServiceTargetSettings): Promise<ServiceTarget> {
  const { allowRemote, catcher, token, env, emit: asked } = settings;
  const secrets = new Secrets(
    confidedStandIns({ token, addresses: [named, typeof asked === 'string' ? asked : undefined, catcher], env }),
  );
  const targetProcess = processSpecOf(settings, (command) => secrets.hideTyped(command), settings.wait);
  const base = await targetUrl(await processAddress(address, targetProcess), allowRemote);
  const contained = targetProcess?.kind === 'container';
  const emit = typeof asked === 'function' ? asked : located(asked, contained ? base : undefined);
  const catcherListen = settings.catcherListen ?? (contained ? everywhere : undefined);
  return {
    base,
    ...(targetProcess !== undefined && { targetProcess }),
    ...(emit !== undefined && { emit: await checkedEmit(emit, allowRemote) }),
    ...(catcher !== undefined && { catcher: await targetUrl(catcher, true) }),
    ...(catcherListen && { catcherListen }),
    ...(contained && { catcherHost: hostOfContainers }),
  };
}

/** What is posted to in a container may be given as a path: nobody knows the port. */
function located(emit: string | undefined, base: URL | undefined): string | undefined {
  return base !== undefined && emit !== undefined && /^\/\S*$/.test(emit) ? `${base.origin}${emit}` : emit;
}

/** A URL is checked like a target; anything else is a command. */
async function checkedEmit<Emit extends string | EmitEvent>(emit: Emit, allowRemote: boolean): Promise<Emit> {
  if (typeof emit === 'string' && /^https?:\/\//i.test(emit)) await targetUrl(emit, allowRemote);
  return emit;
}
