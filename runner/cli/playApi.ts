import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import type { ServicePolicies } from '../../reference/service/policies.ts';
import type { Attempt, CustomHeader, MadeAttempt, Outcome } from '../../reference/service/records.ts';
import { type RunningService, type HeardCall as ServiceCall, startService } from '../../reference/service/service.ts';
import { assumptionValue, resolveAssumptions } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import type { OperationRole } from '../../spec/names.ts';
import { signatureHeaders } from '../../spec/signature.ts';
import { Unproven } from '../../suites/check.ts';
import type { HeardCall, PlayedApi, Raised } from '../../suites/kit.ts';
import { UsageError } from '../errors.ts';
import { failureCode } from '../http/connector.ts';
import { poolConnector } from '../http/dial.ts';
import { openContract } from '../options/openContract.ts';
import type { PlayApi, PlayApiOptions } from '../receiver/plan.ts';
import { registerWebhook } from './registeredReceiver.ts';

/** Milliseconds between the attempts: an outage is seen at once. */
const backoff = [2];
/** Milliseconds that a delivery may take: a receiver that is down refuses, one that is paused says nothing. */
const timeout = 1000;

/**
 * The reference service as the API that a receiver looks at: any key is good, notifications fail soon, lists have short
 * pages, and nothing is kept on a disk. Where no sender addresses are given it publishes those of this machine.
 */
export const playApi: PlayApi = async (options) => {
  const played = new PlayedService(options);
  try {
    await played.start();
    return played;
  } catch (error) {
    await played.close();
    throw error;
  }
};

class PlayedService implements PlayedApi {
  readonly calls: HeardCall[] = [];
  readonly #options: PlayApiOptions;
  readonly #failed = new FailedNotifications();
  readonly #contract = openContract();
  readonly #pages = new PageSizes(this.#contract);
  #published: readonly string[];
  #registered = false;
  #service: RunningService | undefined;

  constructor(options: PlayApiOptions) {
    this.#options = options;
    this.#published = options.addresses;
  }

  /** @throws UsageError where the address cannot be listened on */
  async start(): Promise<void> {
    this.#service = await listening(this.#options, {
      policies: { ...policiesOf(this.#options), senderAddresses: () => this.#addresses() },
      onAttempt: (attempt) => this.#failed.attempted(attempt),
      onCall: (call) => this.#hear(call),
    });
    await registerWebhook(this.#contract, this.#service, this.#options.receiver.href);
  }

  get longestPage(): number {
    return this.#pages.longest;
  }

  async raise(event: string): Promise<Raised> {
    const { notifications, shipments, containers } = await this.#service!.raise(event);
    const records = { notifications, records: shipments, units: containers };
    const ids = Object.entries(records) as readonly (readonly [OperationRole, readonly string[]])[];
    const listed = ids.map(([role, each]) => [this.#contract.operation(role).operationId, each] as const);
    return { notifications, records: Object.fromEntries(listed) };
  }

  untilFailed(ids: readonly string[]): Promise<void> {
    return this.#failed.until(ids);
  }

  publish(addresses: readonly string[]): void {
    this.#published = addresses;
  }

  async recover(): Promise<boolean> {
    const { recover } = this.#options;
    await recover?.();
    return recover !== undefined;
  }

  async close(): Promise<void> {
    await this.#service?.close();
  }

  #addresses(): readonly string[] {
    return this.#published.length > 0 ? this.#published : conformingPolicies.senderAddresses();
  }

  /** The first call of all is the kit's own: it registers the webhook. */
  #hear(call: Omit<HeardCall, 'at'>): void {
    if (!this.#registered) {
      this.#registered = call.operationId === this.#contract.operation('create').operationId;
      return;
    }
    this.calls.push({ ...call, at: this.#options.elapsed() });
    this.#pages.heard(call);
  }
}

type Hooks = Pick<NonNullable<Parameters<typeof startService>[0]>, 'policies' | 'onAttempt' | 'onCall'>;

/** @throws UsageError where the address cannot be listened on */
async function listening({ listen, access, addresses }: PlayApiOptions, hooks: Hooks): Promise<RunningService> {
  const { host, port } = listen;
  const deactivateAfter = Number.MAX_SAFE_INTEGER;
  try {
    return await startService({
      host,
      port,
      database: ':memory:',
      backoff,
      jitter: 0,
      timeout,
      deactivateAfter,
      connect: poolConnector(access, { timeout: 0, localAddress: addresses[0] }),
      ...hooks,
    });
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new UsageError(
      'SW_LISTEN_FAILED',
      {
        received: `--api-listen ${host}:${port} cannot be listened on (${failureCode(cause)})`,
        valid: 'a free port of an address of this machine',
        next: 'choose another with --api-listen, or end what listens there',
      },
      { cause },
    );
  }
}

function policiesOf(options: PlayApiOptions): Partial<ServicePolicies> {
  return {
    isAuthorized: () => true,
    urlProblems: () => [],
    pageSize: PageSizes.offered,
    laneWidth: ({ concurrency }) => concurrency,
    localAddress: options.addresses[0],
    secretFor: () => undefined,
    customHeaders: (attempt) => headersOf(attempt, options),
  };
}

/** The user's own headers, and the signature as this run assumes it to be made. */
function headersOf({ body, notification }: Attempt, options: PlayApiOptions): readonly CustomHeader[] {
  const { secret, scheme, signatureHeader, headers } = options;
  const timestamp = Math.floor(Date.now() / 1000);
  const signature =
    secret === undefined
      ? []
      : signatureHeaders(scheme, signatureHeader, { secret, body, id: notification.id, timestamp });
  return [...headers, ...signature].map(([name, value]) => ({ name, value }));
}

/** Which notifications have failed for good, or were accepted: known from the attempts to deliver them. */
class FailedNotifications {
  readonly #ends = new Map<string, 'failed' | 'accepted'>();
  #waiting: (() => void)[] = [];

  attempted({ id, outcome, retryAt }: MadeAttempt): void {
    if (retryAt !== undefined) return;
    this.#ends.set(id, isAccepted(outcome) ? 'accepted' : 'failed');
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  /** Resolves once all of them have failed for good. @throws Unproven where one was accepted */
  async until(ids: readonly string[]): Promise<void> {
    while (!ids.every((id) => this.#ends.has(id))) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (ids.some((id) => this.#ends.get(id) === 'accepted'))
      throw new Unproven('a notification that should have failed was accepted: the receiver was not down');
  }
}

function isAccepted(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && openContract().delivery.acceptedStatuses.includes(outcome.status);
}

/** How long the pages are that the receiver reads the notifications in. */
class PageSizes {
  /** Items of a page where the call names no number, and at most. */
  static readonly offered = { usual: 5, most: 1000 } as const;
  readonly #parameter: string;
  readonly #list: string;
  #longest: number = PageSizes.offered.usual;

  constructor(contract: Contract) {
    this.#list = contract.operation('notifications').operationId;
    this.#parameter = assumptionValue(resolveAssumptions(contract.assumptions), 'list.paging').split(',')[1]!;
  }

  /** Items of the longest page that was asked for. */
  get longest(): number {
    return this.#longest;
  }

  heard({ operationId, path }: ServiceCall): void {
    if (operationId !== this.#list) return;
    const asked = Number(new URL(path, 'http://localhost').searchParams.get(this.#parameter) ?? 0);
    if (asked > this.#longest) this.#longest = Math.min(asked, PageSizes.offered.most);
  }
}
