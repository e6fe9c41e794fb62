import { STATUS_CODES } from 'node:http';

import type { Json } from '../../../generators/json/json.ts';
import type { MadeAttempt } from '../../../reference/service/records.ts';
import type { RunningService, ServiceOptions } from '../../../reference/service/service.ts';
import { duration } from '../../../reports/text/amount.ts';
import type { Contract } from '../../../spec/contract.ts';
import { didYouMean, nearest } from '../../../spec/nearest.ts';
import { UsageError } from '../../errors.ts';
import { failureCode } from '../../http/connector.ts';
import { poolConnector } from '../../http/dial.ts';
import { openContract } from '../../options/openContract.ts';
import type { Settings } from '../../options/option.ts';
import { requirePackage } from '../../options/packages.ts';
import { shellWord } from '../../../reports/curl/shell.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { programOf, untilAborted } from '../programEnvironment.ts';
import { keyOf, registeredReceiver, type RegisteredReceiver, webhookBody } from '../registeredReceiver.ts';
import { sandboxOptions } from './command.ts';
import { timeOf } from '../listen/showDeliveries.ts';

/** Milliseconds that a voyage takes. */
const voyage = 40 * 86_400_000;

type SandboxSettings = Settings<typeof sandboxOptions>;

/** What `seaworthy sandbox` does. @returns the exit code */
export async function runSandbox(input: CommandInput): Promise<number> {
  const { stdout, signal } = input.programEnvironment;
  const settings = commandSettings(sandboxOptions, input);
  requirePackage('fastify', 'sandbox');
  const contract = openContract();
  const service = await started(settings, (line) => stdout.write(`${line}\n`));
  let receiver: RegisteredReceiver | undefined;
  try {
    if (settings.receiver) receiver = await registeredReceiver(contract, service);
    stdout.write(greeting(contract, service, programOf(input.programEnvironment), settings, receiver));
    await untilAborted(signal);
    return 0;
  } finally {
    await receiver?.close();
    await service.close();
  }
}

/** @throws UsageError where it cannot listen, or the database cannot be used */
async function started(settings: SandboxSettings, say: (line: string) => void): Promise<RunningService> {
  const { token, database, backoff, fault, host, port, speed, timeout, allowRemote } = settings;
  const reach = allowRemote ? 'routable' : 'loopback';
  const { startService } = await import('../../../reference/service/service.ts');
  const options: ServiceOptions = {
    ...(fault !== undefined && (await faultyService(fault))),
    host,
    port,
    speed,
    timeout,
    ...(token !== undefined && { token }),
    ...(database !== undefined && { database }),
    ...(backoff.length > 0 && { backoff: backoff.flat() }),
    connect: poolConnector({ reach, onRefused: ({ message }) => say(`not sent: ${message}`) }, { timeout: 0 }),
    onAttempt: (attempt) => say(attemptLine(attempt, Date.now())),
  };
  try {
    return await startService(options);
  } catch (cause) {
    throw notStarted(settings, cause);
  }
}

function notStarted({ host, port, database }: SandboxSettings, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  if ('syscall' in cause) {
    const received = `${host} port ${port} cannot be listened on (${failureCode(cause)})`;
    const valid = 'a free port of an address of this machine; port 0 takes any free one';
    const next = 'choose another with --port or --host, or end what listens there';
    return new UsageError('SW_LISTEN_FAILED', { received, valid, next }, { cause });
  }
  const isDatabase = cause.message.startsWith('The database ') || failureCode(cause) === 'ERR_SQLITE_ERROR';
  if (database === undefined || !isDatabase) return cause;
  const received = `--database ${database}: ${cause.message.replace(/^.*cannot be used: |\. .*$/gs, '')}`;
  const valid = 'the path of a new file, or of one that a sandbox wrote and none uses now';
  return new UsageError('SW_DATABASE_UNUSABLE', { received, valid, next: 'name another with --database' }, { cause });
}

function greeting(
  contract: Contract,
  service: RunningService,
  program: string,
  settings: SandboxSettings,
  receiver: RegisteredReceiver | undefined,
): string {
  const { url, token, emit, trackable, untrackable } = service;
  const trials = sandboxTrials(contract, service).map(({ does, line }, index) => `${index + 1}. ${does}\n   ${line}\n`);
  return [
    `${contract.title} ${contract.version}, running on this machine.`,
    '',
    `  address  ${url}`,
    `  key      ${token}`,
    `  events   ${emit}  (POST {"event": "<name>"} raises one)`,
    `  tracks   ${trackable}, but does not find ${untrackable}`,
    '',
    ...(receiver === undefined ? [] : receiverLines(receiver, program)),
    ...(settings.fault === undefined ? [] : faultLines(settings.fault, service, program)),
    'Try it, in another terminal:',
    '',
    ...trials,
    pace(settings.speed),
    'Each attempt to deliver a notification is shown below. Ctrl-C ends it.',
    '',
    '',
  ].join('\n');
}

function pace(speed: number): string {
  const real = 'A tracking request raises the events of a whole voyage, which takes 40 days';
  return speed === 1
    ? `${real}: with --speed 20000, three minutes.`
    : `${real}: at this speed ${duration(voyage / speed)}.`;
}

function receiverLines({ url, probe, secret }: RegisteredReceiver, program: string): readonly string[] {
  return [
    'The reference receiver is registered for every event:',
    '',
    `  receiver  ${url}`,
    `  probe     ${probe}  (how often a notification took effect)`,
    `  secret    ${secret}`,
    `  test it   ${program} receiver ${url} --secret ${secret} --probe '${probe}'`,
    '',
  ];
}

function faultLines(fault: string, service: RunningService, program: string): readonly string[] {
  const { url, token, emit, trackable, untrackable } = service;
  const options = `--token ${shellWord(token)} --emit ${emit} --trackable ${trackable} --untrackable ${untrackable}`;
  return [`It makes one mistake: ${fault}. To find it:`, '', `  ${program} service ${url} ${options}`, ''];
}

/**
 * What the reference service is started with so that it makes one mistake.
 *
 * @throws UsageError for a name that no fault has
 */
async function faultyService(name: string): Promise<ServiceOptions> {
  const { serviceFaults } = await import('../../../reference/faults/service/index.ts');
  const { conformingPolicies } = await import('../../../reference/service/conformingPolicies.ts');
  const fault = serviceFaults[name];
  if (fault !== undefined) return { policies: fault.change(conformingPolicies) };
  const names = Object.keys(serviceFaults);
  throw new UsageError('SW_OPTION_VALUE', {
    received: `--fault cannot be "${name}"`,
    valid: `the name of one of the ${names.length} faults of a service, such as ${names[0]}`,
    next: [didYouMean(nearest(name, names)) ?? '', 'seaworthy requirements lists them with what each breaks']
      .join(' ')
      .trim(),
  });
}

/**
 * An attempt of the sandbox in a line.
 *
 * @param now - milliseconds since 1970
 * @example
 * '14:03:12  order.created  attempt 1  500 Internal Server Error, again in 1.0 s  http://localhost:3000/hooks'
 */
function attemptLine({ event, url, number, outcome, retryAt }: MadeAttempt, now: number): string {
  const again = retryAt === undefined ? '' : `, again in ${duration(Math.max(0, retryAt - now))}`;
  return [timeOf(now), event, `attempt ${number}`, `${outcomeText(outcome)}${again}`, url].join('  ');
}

function outcomeText(outcome: MadeAttempt['outcome']): string {
  switch (outcome.kind) {
    case 'answered':
      return `${outcome.status} ${STATUS_CODES[outcome.status] ?? ''}`.trim();
    case 'timed-out':
      return 'no answer in time';
    case 'broken':
      return `no answer (${outcome.code})`;
  }
}

/** What the command lines to try are made of. */
interface Tried {
  /** The base address of the API. */
  readonly url: string;
  readonly token: string;
  /** Where events are raised by hand. */
  readonly emit: string;
}

/** A command line to try, and what it does. */
interface Trial {
  readonly does: string;
  readonly line: string;
}

/** Three command lines that show what the service is for: register a webhook, let something happen, see what was sent. */
function sandboxTrials(contract: Contract, { url, token, emit }: Tried): readonly Trial[] {
  const creation = contract.operation('create');
  const list = contract.operation('notifications');
  const key = keyOf(contract, token);
  const [mediaType = 'application/json'] = Object.keys(creation.request);
  const event = contract.events[0]!.name;
  return [
    {
      does: 'Register a receiver. The answer holds the secret that signs what it gets.',
      line: curl(url + creation.path, key, [mediaType, webhookBody(contract)]),
    },
    {
      does: 'Raise an event: any event of the catalogue, on a made-up voyage.',
      line: curl(emit, [], ['application/json', { event }]),
    },
    {
      does: 'See what was sent, and how it went.',
      line: curl(url + list.path, key),
    },
  ];
}

type Body = readonly [mediaType: string, value: Json];

function curl(url: string, key: readonly string[], body?: Body): string {
  const authorization = key.length === 0 ? [] : ['-H', key.join(': ')];
  const data = body === undefined ? [] : ['-H', `Content-Type: ${body[0]}`, '-d', JSON.stringify(body[1])];
  return ['curl', url, ...authorization, ...data].map(shellWord).join(' ');
}
