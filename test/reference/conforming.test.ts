import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { start as startClassicMistake } from '../proof/receivers/classicMistake.ts';
import { conformingReceivers } from '../proof/receivers/index.ts';
import type { StartedReceiver } from '../proof/receivers/start.ts';
import { isAccepting, notification, signatureOf, Target, type Seen, type Sending } from './target.ts';

const secrets = ['whsec-leaving', 'whsec-coming'];

/** A probe that is a command reads ids, one a line, and prints them with their counts. */
class ProbedTarget extends Target {
  override async effects(id: string): Promise<number> {
    if (this.probe.startsWith('http')) return super.effects(id);
    const output = await new Promise<string>((resolve, reject) => {
      const shell = execFile('sh', ['-c', this.probe], (error, text) =>
        error ? reject(error as Error) : resolve(text),
      );
      shell.stdin!.end(`${id}\n`);
    });
    return Number(output.trim().split(' ')[1]);
  }

  /** As the service does: again after a 503. */
  async sendWithRetries(sending: Sending): Promise<Seen> {
    const seen = await this.send(sending);
    return seen.status === 503 ? this.sendWithRetries(sending) : seen;
  }
}

describe.each(Object.entries(conformingReceivers))('%s', (_, start) => {
  let receiver: StartedReceiver;
  let target: ProbedTarget;

  beforeAll(async () => {
    receiver = await start({ secrets });
    target = new ProbedTarget(receiver, secrets);
  });

  afterAll(() => receiver.close());

  async function accepts(sending: Sending): Promise<boolean> {
    return isAccepting(await target.sendWithRetries(sending));
  }

  test('accepts a notification, which takes effect once however often it comes', async () => {
    const id = randomUUID();
    expect(await target.effects(id)).toBe(0);
    for (const body of [notification(id), notification(id), `${notification(id)}\n`]) {
      expect(await accepts({ body })).toBe(true);
    }
    expect(await target.settledEffects(id)).toBe(1);
  });

  test('lets copies that arrive together take effect once', async () => {
    const id = randomUUID();
    const copies = Array.from({ length: 12 }, () => accepts({ body: notification(id) }));
    expect(await Promise.all(copies)).not.toContain(false);
    expect(await target.settledEffects(id)).toBe(1);
  });

  test('takes the redelivery after connections that broke', async () => {
    const id = randomUUID();
    await target.breakOff(notification(id), 0.5);
    expect(await target.settledEffects(id)).toBe(0);
    await target.breakOff(notification(id), 1);
    expect(await accepts({ body: notification(id) })).toBe(true);
    expect(await target.settledEffects(id)).toBe(1);
  });

  test.each<[string, Sending]>([
    ['a charset', { contentType: 'application/json; charset=utf-8' }],
    ['JSON:API', { contentType: 'application/vnd.api+json' }],
    ['a header name in lower case', { signatureName: 'x-svc-webhook-signature' }],
    ['Expect: 100-continue', { headers: ['Expect', '100-continue'] }],
    ['text beyond ASCII', { body: notification(undefined, { note: 'Coruña \u{1f6a2} \u2028' }) }],
    [
      'unknown members and events',
      { body: notification(undefined, { attributes: { event: 'container.sunk', x: 1 } }) },
    ],
    ['a mebibyte', { body: notification(undefined, { note: 'x'.repeat(1024 * 1024 - 400) }) }],
    ['a __proto__ member', { body: notification().replace('{', '{"__proto__":{"data":{"id":"x"}},') }],
  ])('accepts %s', async (_name, sending) => expect(await accepts(sending)).toBe(true));

  test('accepts a signature made with the second secret', async () => {
    const body = notification();
    expect(await accepts({ body, signature: signatureOf(body, secrets[1]!) })).toBe(true);
  });

  test.each([
    ['no', () => null],
    ['an empty', () => ''],
    ['a truncated', (right: string) => right.slice(0, 40)],
    ['a lengthened', (right: string) => `${right}~zz`],
    ['a second', (right: string) => [right, right]],
    ['a non-ASCII', () => '\u00e9'.repeat(64)],
    ['another', () => '0'.repeat(64)],
  ])('refuses a delivery with %s signature with a 4xx, and takes the genuine one', async (_name, forge) => {
    const id = randomUUID();
    const body = notification(id);
    const { status } = await target.send({ body, signature: forge(target.sign(body)) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await target.settledEffects(id)).toBe(0);
    expect(await accepts({ body })).toBe(true);
    expect(await target.settledEffects(id)).toBe(1);
  });

  test.each([
    ['an empty body', ''],
    ['text', 'not JSON'],
    ['half of the JSON', notification().slice(0, 40)],
    ['a trailing comma', notification().replace(/\}$/, ',}')],
    ['NaN', notification().replace(/\}$/, ',"x":NaN}')],
    ['text behind the JSON', `${notification()} x`],
    ['bytes that are not UTF-8', Buffer.from(notification(undefined, { note: '\u00ff' }), 'latin1')],
    ['null', 'null'],
    ['no id', '{"data":{}}'],
    ['an id that is no text', '{"data":{"id":7}}'],
    ['brackets without an end', '['.repeat(1e5)],
  ])('refuses %s with a 4xx', async (_name, body) => {
    const { status } = await target.send({ body });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test.each([
    ['deep nesting', { body: notification().replace(/\}$/, `,"x":${'['.repeat(2e4)}${']'.repeat(2e4)}}`) }],
    ['17 MiB', { body: notification(undefined, { note: 'x'.repeat(17 * 1024 * 1024) }) }],
    ['another method', { method: 'PUT' }],
    ['a content encoding that it does not have', { headers: ['Content-Encoding', 'gzip'] }],
  ])('goes on serving after %s', async (_name, sending: Sending) => {
    expect((await target.send(sending)).status).not.toBe(-1);
    expect(await accepts({ body: notification(), timeout: 2000 })).toBe(true);
  });

  test('serves others while bodies arrive slowly and connections are idle', async () => {
    const slow = await Promise.all(Array.from({ length: 100 }, (_name, at) => target.begin(notification(), at / 200)));
    expect(await accepts({ body: notification(), timeout: 2000 })).toBe(true);
    for (const socket of slow) socket.destroy();
  });
});

test('the classic mistake takes what JSON.stringify writes, and refuses the same with a space', async () => {
  const receiver = await startClassicMistake({ secrets });
  const target = new Target(receiver, secrets);
  const id = randomUUID();
  expect((await target.send({ body: notification(id) })).status).toBe(200);
  expect(await target.effects(id)).toBe(1);
  expect((await target.send({ body: notification().replace('{', '{ ') })).status).toBe(401);
  await receiver.close();
});
