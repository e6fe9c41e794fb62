import { createHmac, randomBytes } from 'node:crypto';

/** Every decision that the print shop makes; a fault replaces one or two. */
export interface PressPolicies {
  /** @param key - of the call; nothing where it has none */
  readonly isLetIn: (key: string | undefined, right: string) => boolean;
  /** What is wrong with a hook that a client sends; nothing where it is right. @param isWhole - it replaces another */
  readonly problem: (body: unknown, isWhole: boolean) => string | undefined;
  readonly newSecret: () => string;
  /** @param sequence - of the hook or the delivery */
  readonly newId: (of: 'hook' | 'delivery', sequence: number) => string;
  /** An id as answers show it. */
  readonly shownId: (id: string) => string | number;
  /** The hook after an update. */
  readonly replaced: (hook: Hook, input: HookInput) => Hook;
  readonly isTold: (hook: Hook, topic: string) => boolean;
  /** The id that an attempt carries. */
  readonly idOf: (attempt: PressAttempt) => string;
  /** Whether an attempt is signed at all. */
  readonly isSigned: (attempt: PressAttempt) => boolean;
  /** The bytes that the signature covers. */
  readonly signed: (sent: SentBody) => Buffer;
  /** @param status - nothing where no answer came */
  readonly isAccepted: (status: number | undefined) => boolean;
  readonly isRetried: (status: number | undefined) => boolean;
  readonly retries: number;
  /** The state that the list shows. */
  readonly shownState: (delivery: Delivery) => Delivery['state'];
  /** Which rows a page holds. @param after - the sequence of the row before it */
  readonly page: <Row extends { readonly sequence: number }>(
    rows: readonly Row[],
    after: number,
    limit: number,
  ) => readonly Row[];
  /** How often a sample is sent. */
  readonly samples: number;
}

/** The topics of the contract. */
export const topics: readonly string[] = [
  'received',
  'proofed',
  'approved',
  'queued',
  'printed',
  'bound',
  'packed',
  'shipped',
  'cancelled',
].map((name) => `job.${name}`);

/** What the contract asks for. */
export const conformingPress: PressPolicies = {
  isLetIn: (key, right) => key === right,
  problem,
  newSecret: () => `whsec_${randomBytes(24).toString('base64')}`,
  newId: (of) => (of === 'hook' ? `hook_${randomBytes(6).toString('hex')}` : `dlv_${randomBytes(8).toString('hex')}`),
  shownId: (id) => id,
  replaced: (hook, input) => ({ ...hook, ...input }),
  isTold: ({ status, topics: own }, topic) => status === 'running' && own.includes(topic),
  idOf: ({ delivery }) => delivery.id,
  isSigned: () => true,
  signed: ({ id, timestamp, body }) => Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]),
  isAccepted: (status) => status === 200 || status === 204,
  isRetried: () => true,
  retries: 5,
  shownState: ({ state }) => state,
  page: (rows, after, limit) => rows.filter(({ sequence }) => sequence > after).slice(0, limit),
  samples: 1,
};

/** What an attempt sends, with the id and the time that its headers carry. */
interface SentBody {
  readonly id: string;
  readonly timestamp: number;
  readonly body: Buffer;
}

/** The header that signs (Standard Webhooks 1.0). */
export function signatureOf(secret: string, signed: Buffer): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

function problem(body: unknown, isWhole: boolean): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'a hook is an object';
  const { target, topics: own, status } = body as Readonly<Record<string, unknown>>;
  if (!isTarget(target)) return 'target is no http or https URL';
  if (!Array.isArray(own) || own.length === 0) return 'topics is no list of topics';
  if (new Set(own).size < own.length) return 'a topic stands there twice';
  if (!own.every((topic) => topics.includes(topic as string))) return 'one of the topics does not exist';
  if (status === undefined && !isWhole) return undefined;
  return status === 'running' || status === 'paused' ? undefined : 'status is neither running nor paused';
}

/** Whether something can be sent there. */
export function isTarget(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s<>]+$/.test(value) && URL.canParse(value);
}

/** What a client sets of a hook. */
export interface HookInput {
  readonly target: string;
  readonly topics: readonly string[];
  readonly status: 'running' | 'paused';
}

/** A registered endpoint. */
export interface Hook extends HookInput {
  readonly id: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
}

/** Something that is sent to one hook. */
export interface Delivery {
  /** Counted up from 1, over all deliveries. */
  readonly sequence: number;
  readonly id: string;
  /** The id of its hook. */
  readonly hook: string;
  readonly topic: string;
  readonly body: Buffer;
  state: 'queued' | 'delivered' | 'given_up';
  /** Attempts that were made. */
  tries: number;
}

/** An attempt that is about to be made. */
export interface PressAttempt {
  readonly delivery: Delivery;
  readonly hook: Hook;
  /** From 1. */
  readonly number: number;
}
