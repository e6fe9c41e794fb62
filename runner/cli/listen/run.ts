import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

import { printingSink } from '../../../reports/sink.ts';
import { amount } from '../../../reports/text/amount.ts';
import { visible } from '../../../reports/text/visible.ts';
import { type Assumption, assumptionValue } from '../../../spec/assumptions.ts';
import type { Contract } from '../../../spec/contract.ts';
import { parseDuration } from '../../../spec/units.ts';
import { runScheme } from '../../../spec/signature.ts';
import type { CaughtCheck } from '../../../suites/caught/caughtCheck.ts';
import { UsageError } from '../../errors.ts';
import { reachOf } from '../../http/access.ts';
import { openAddress, withAuthorization } from '../../http/openAddress.ts';
import { checksUnder, createCaughtKit } from '../../listener/judge.ts';
import { Forwarder } from '../../listener/forwarder.ts';
import { Listener } from '../../listener/listener.ts';
import { pageGreeting, PageServer } from '../../listener/pageServer.ts';
import { Recorder } from '../../listener/recorder.ts';
import { assume } from '../../options/assume.ts';
import { openContract } from '../../options/openContract.ts';
import type { Settings } from '../../options/option.ts';
import { readCertificates } from '../../options/readCertificates.ts';
import { dividedChecks } from '../../options/selection.ts';
import { shellWord } from '../../../reports/curl/shell.ts';
import { type Journal, openJournal } from '../../output/journal.ts';
import { targetUrl } from '../../receiver/target.ts';
import { environmentStandIns, typedStandIns } from '../../secrets/confided.ts';
import { Secrets } from '../../secrets/secrets.ts';
import { secretStandIns, secretVariable } from '../../secrets/standIns.ts';
import { checkList } from '../runNotes.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { type CommandWorld, programOf } from '../programEnvironment.ts';
import { listenCommandOptions } from './command.ts';
import { showDeliveries, totalsLine } from './showDeliveries.ts';
import { messageOf } from '../../../spec/messageOf.ts';

type ListenSettings = Settings<typeof listenCommandOptions>;

/** What `seaworthy listen` does. @returns the exit code */
export async function listenFor(input: CommandInput): Promise<number> {
  const { given, programEnvironment } = input;
  const { workingDirectory: directory, stdout } = programEnvironment;
  const settings = commandSettings(listenCommandOptions, input);
  const contract = openContract(settings);
  const assumptions = assume(contract, settings.assume);
  const secrets = settings.secret.length > 0 ? settings.secret : newSecrets(contract, assumptions);
  const kit = createCaughtKit({ contract, assumptions, secrets });
  const { checks, leftOut } = dividedChecks(checksUnder(kit), settings);
  if (settings.list) {
    stdout.write(checkList(checks, stdout.columns));
    return 0;
  }
  const forwarder = await forwarderOf(contract, assumptions, settings);
  const exec = settings.exec === undefined ? undefined : { command: settings.exec, cwd: directory };
  const listener = new Listener({ kit, checks, port: settings.port, forwarder, exec });
  await listener.listen();
  try {
    await listening(listener, { settings, assumptions, leftOut, given, programEnvironment });
  } finally {
    await listener.close();
  }
  return closing(listener, settings, programEnvironment);
}

interface Listening {
  readonly settings: ListenSettings;
  readonly assumptions: readonly Assumption[];
  readonly leftOut: readonly CaughtCheck[];
  readonly given: CommandInput['given'];
  readonly programEnvironment: CommandWorld;
}

/** Shows and records what comes, until the user ends it. */
async function listening(listener: Listener, given: Listening): Promise<void> {
  const { settings, programEnvironment } = given;
  const { stdout, signal, keyboard } = programEnvironment;
  const recorder = recorderOf(listener, given);
  const isMade = settings.secret.length === 0;
  const sample = {
    program: programOf(programEnvironment),
    url: listener.url,
    secret: listener.kit.secrets[0],
    contract: settings.contract,
    openapi: given.given['openapi'] ?? [],
  };
  const page = settings.page
    ? new PageServer(listener, pageGreeting(listener, sampleCommand(sample, true)))
    : undefined;
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  try {
    await page?.listen();
    stdout.write(greeting(listener, { isMade, page: page?.url, sample: sampleCommand(sample, isMade) }));
    await showDeliveries(listener, printingSink(stdout), { keyboard, ended, end: () => over.abort() });
  } finally {
    recorder?.close();
    await page?.close();
  }
}

function closing(
  { store, skipped }: Listener,
  { record }: ListenSettings,
  { stdout, ...environment }: CommandWorld,
): number {
  stdout.write(`\n${totalsLine(store.totals)}\n`);
  if (skipped > 0)
    stdout.write(`--exec did not keep up: it was not run for ${amount(skipped, 'delivery', 'deliveries')}.\n`);
  if (record !== undefined) {
    stdout.write(`To report what came: ${programOf({ ...environment })} report ${shellWord(record)}\n`);
  }
  return store.totals.wrong === 0 ? 0 : 1;
}

/** A secret of the form that the contract gives to secrets; none where it signs nothing. */
function newSecrets(contract: Contract, assumptions: readonly Assumption[]): readonly string[] {
  if (contract.delivery.signature === undefined) return [];
  const { encoding, prefix } = runScheme(contract, assumptions).scheme.key;
  return [`${prefix}${randomBytes(32).toString(encoding === 'base64' ? 'base64' : 'hex')}`];
}

/** @throws UsageError where the address is none, or remote without leave */
async function forwarderOf(
  contract: Contract,
  assumptions: readonly Assumption[],
  { forward, allowRemote, ca, insecure }: ListenSettings,
): Promise<Forwarder | undefined> {
  if (forward === undefined) return undefined;
  const open = openAddress(forward);
  const url = await targetUrl(open.address, allowRemote);
  const headers = withAuthorization([], open);
  const certificates = ca === undefined ? {} : { ca: await readCertificates(ca) };
  const timeout = parseDuration(assumptionValue(assumptions, 'delivery.timeout'));
  return new Forwarder(contract, { url, timeout, headers, ...certificates, insecure, reach: reachOf(allowRemote) });
}

function recorderOf(listener: Listener, given: Listening): Recorder | undefined {
  const { settings, assumptions, leftOut, programEnvironment } = given;
  const { environment } = programEnvironment;
  const standIns = [...secretStandIns(listener.kit.secrets), ...typedStandIns(given.given, undefined)];
  const { record, contract } = settings;
  if (record === undefined) return undefined;
  const path = resolve(programEnvironment.workingDirectory, record);
  return new Recorder(listener, {
    journal: startedJournal(path),
    assumptions,
    leftOut,
    command: [
      `${programOf(programEnvironment)} listen --contract ${shellWord(contract)}`,
      ...(given.given['openapi'] ?? []).map((document) => `--openapi ${shellWord(document)}`),
    ].join(' '),
    secrets: new Secrets([...standIns, ...environmentStandIns(environment)]),
    onFailure: (error) =>
      programEnvironment.stderr.write(`${notWritten(path, error).message}\nNothing more is recorded.\n`),
  });
}

/** @throws UsageError where the file cannot be written */
function startedJournal(path: string): Journal {
  try {
    return openJournal(path);
  } catch (cause) {
    throw notWritten(path, cause);
  }
}

function notWritten(path: string, cause: unknown): UsageError {
  const why = messageOf(cause);
  return new UsageError(
    'SW_REPORT_WRITE',
    {
      received: `--record: ${path} cannot be written: ${why}`,
      valid: 'the path of a file that can be written',
      next: 'choose another path',
    },
    { cause },
  );
}

interface Greeted {
  /** Whether the secret was made for this session. */
  readonly isMade: boolean;
  /** The address of the page, where there is one. */
  readonly page?: string | undefined;
  /** The command line that sends a sample. */
  readonly sample: string;
}

/** What is shown before anything comes: the secret first. */
function greeting(listener: Listener, { isMade, page, sample }: Greeted): string {
  const { contract, url, forwarder } = listener;
  // The user who gave some knows them.
  const secrets = isMade ? listener.kit.secrets : secretStandIns(listener.kit.secrets).map(({ shown }) => shown);
  const whose = isMade ? 'made for this session; --secret takes yours' : 'yours, which is not shown here';
  return visible(
    [
      `Listening for deliveries of ${contract.title} ${contract.version}.`,
      '',
      ...secrets.map((secret) => `  secret   ${secret}  (${whose})`),
      ...(secrets.length === 0 ? ['  secret   none: this contract signs nothing'] : []),
      `  address  ${url}  (any path below it)`,
      ...(page === undefined ? [] : [`  page     ${page}`]),
      ...(forwarder === undefined ? [] : [`  forward  ${forwarder.url.href}`]),
      '',
      'Send a sample, in another terminal:',
      '',
      `  ${sample}`,
      '',
      '',
    ].join('\n'),
    '\n',
  );
}

/** A secret that was given as an option: nothing says that the variable is there as well. */
const asked = `"\${${secretVariable}:?set it to the value of --secret}"`;

interface Sampled {
  /** The words that start the kit. */
  readonly program: string;
  readonly url: string;
  readonly secret: string | undefined;
  readonly contract: string;
  /** What `--openapi` was given. */
  readonly openapi: readonly string[];
}

/**
 * The command line that sends a sample to a listener.
 *
 * @param isShown - whether the secret stands in it: the page shows any, the terminal none that was given
 */
function sampleCommand({ program, url, secret, contract, openapi }: Sampled, isShown: boolean): string {
  return [
    `${program} trigger ${url}`,
    ...(contract === 'tracking' ? [] : [`--contract ${shellWord(contract)}`]),
    ...openapi.map((document) => `--openapi ${shellWord(document)}`),
    ...(secret === undefined ? [] : [`--secret ${isShown ? shellWord(secret) : asked}`]),
  ].join(' ');
}
