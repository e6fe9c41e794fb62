import { createHmac, randomBytes, randomUUID } from 'node:crypto';

import type { LibraryName } from './index.ts';

/** A delivery as its provider documents it, made without the kit. */
export interface Delivery {
  readonly id: string;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** What differs from a plain delivery. It is signed as it is. */
export interface Change {
  readonly body?: string;
  readonly event?: string;
  /** Seconds since 1970. Default: now. */
  readonly time?: number;
}

type Make = (secret: string, change: Change) => Delivery;

/** Bytes that are no UTF-8 are decoded to this character, so that other bytes may stand in its place. */
const lost = '\uFFFD';

const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count);
const now = (): number => Math.floor(Date.now() / 1000);

/** The HMAC-SHA256 of a text. */
function hmac(key: string | Buffer, encoding: 'hex' | 'base64', text: string): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}

/** Of Standard Webhooks; Svix has other names for its headers. */
function standard(prefix: string): Make {
  return (secret, { event = 'invoice.paid', time = now(), ...change }) => {
    const id = `msg_${letters(27)}`;
    const body = change.body ?? JSON.stringify({ type: event, timestamp: new Date().toISOString(), data: { lost } });
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signature = `v1,${hmac(key, 'base64', `${id}.${time}.${body}`)}`;
    const values = { id, timestamp: String(time), signature };
    return {
      id,
      body,
      headers: Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}-${name}`, value])),
    };
  };
}

const slack: Make = (secret, { event = 'app_home_opened', time = now(), ...change }) => {
  const id = `Ev${letters(10).toUpperCase()}`;
  const authorizations = [{ team_id: 'T12345678', user_id: 'U12345678', is_bot: true }];
  const ids = { team_id: 'T12345678', api_app_id: 'A12345678', event_id: id, event_time: now() };
  const body =
    change.body ??
    JSON.stringify({ type: 'event_callback', ...ids, event: { type: event, text: lost }, authorizations });
  const signature = `v0=${hmac(secret, 'hex', `v0:${time}:${body}`)}`;
  return { id, body, headers: { 'X-Slack-Signature': signature, 'X-Slack-Request-Timestamp': String(time) } };
};

const github: Make = (secret, { body = `{"zen":"${lost}"}`, event = 'ping' }) => {
  const id = randomUUID();
  const signature = `sha256=${hmac(secret, 'hex', body)}`;
  return { id, body, headers: { 'X-GitHub-Event': event, 'X-GitHub-Delivery': id, 'X-Hub-Signature-256': signature } };
};

const stripe: Make = (secret, { event = 'invoice.paid', time = now(), ...change }) => {
  const id = `evt_${letters(24)}`;
  const body = change.body ?? JSON.stringify({ id, object: 'event', type: event, created: now(), data: { lost } });
  return { id, body, headers: { 'Stripe-Signature': `t=${time},v1=${hmac(secret, 'hex', `${time}.${body}`)}` } };
};

const shopify: Make = (secret, { body = '{"id":123456789012}', event = 'orders/paid' }) => {
  const id = randomUUID();
  const names = { 'X-Shopify-Topic': event, 'X-Shopify-Event-Id': id };
  return { id, body, headers: { ...names, 'X-Shopify-Hmac-SHA256': hmac(secret, 'base64', body) } };
};

/** How each provider makes a delivery and signs it. */
export const deliveries: Readonly<Record<LibraryName, Make>> = {
  '@octokit/webhooks': github,
  stripe,
  standardwebhooks: standard('webhook'),
  svix: standard('svix'),
  '@slack/bolt': slack,
  shopify,
};

/** The delivery with something behind its signature. */
export function withBehind(delivery: Delivery, added: string): Delivery {
  const signed = (name: string): boolean => /signature|hmac/i.test(name);
  const entries = Object.entries(delivery.headers).map(([name, value]) => [name, signed(name) ? value + added : value]);
  return { ...delivery, headers: Object.fromEntries(entries) as Delivery['headers'] };
}

/** The delivery with a byte that is no UTF-8 in place of U+FFFD. */
export function withLostByte(delivery: Delivery): Delivery {
  const [before = '', behind = ''] = String(delivery.body).split(lost);
  return { ...delivery, body: Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(behind)]) };
}
