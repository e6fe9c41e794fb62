import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startReceiver, type RunningReceiver } from '../../reference/receiver/receiver.ts';
import { header, isAccepting, notification, signatureOf, Target } from './target.ts';

const secrets = ['whsec-leaving', 'whsec-coming'];
let receiver: RunningReceiver;
let target: Target;

beforeAll(async () => {
  receiver = await startReceiver({ secrets });
  target = new Target(receiver, secrets);
});

afterAll(() => receiver.close());

async function statusOf(...sending: Parameters<Target['send']>): Promise<number> {
  return (await target.send(...sending)).status;
}

describe('what it accepts', () => {
  test('a notification, which takes effect once however often it comes', async () => {
    const id = randomUUID();
    expect(await statusOf({ body: notification(id) })).toBe(202);
    expect(await statusOf({ body: notification(id) })).toBe(200);
    expect(await statusOf({ body: `${notification(id)}\n` })).toBe(200);
    expect(await target.settledEffects(id)).toBe(1);
  });

  test('copies that arrive together, as one', async () => {
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => target.send({ body: notification(id) })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(await target.settledEffects(id)).toBe(1);
  });

  test('a redelivery after a body that broke off, and after an answer that nobody read', async () => {
    const id = randomUUID();
    await target.breakOff(notification(id), 0.5);
    expect(await target.settledEffects(id)).toBe(0);
    await target.breakOff(notification(id), 1);
    expect(isAccepting(await target.send({ body: notification(id) }))).toBe(true);
    expect(await target.settledEffects(id)).toBe(1);
  });

  test.each(['application/json; charset=utf-8', 'application/vnd.api+json', 'text/plain', null])(
    'the content type %s',
    async (contentType) => expect(await statusOf({ contentType })).toBe(202),
  );

  test.each([header.toLowerCase(), header.toUpperCase()])('the signature in %s', async (signatureName) => {
    expect(await statusOf({ signatureName })).toBe(202);
  });

  test.each(secrets)('a signature made with %s', async (secret) => {
    const body = notification();
    expect(await statusOf({ body, signature: signatureOf(body, secret) })).toBe(202);
  });

  test.each([
    ['an unknown event', notification(undefined, { attributes: { event: 'container.sunk' } })],
    ['no event', notification(undefined, { attributes: { event: undefined } })],
    ['unknown members', notification(undefined, { later: {}, data: { later: 1 }, attributes: { later: null } })],
    ['no included', notification(undefined, { included: undefined })],
    ['two MiB of included', notification(undefined, { included: [{ note: 'x'.repeat(2 * 1024 * 1024) }] })],
    ['text beyond ASCII', notification(undefined, { note: 'Coruña \u{1f6a2} \u2028' })],
    ['a __proto__ member', notification().replace('{', '{"__proto__":{"data":{"id":"x"}},')],
    ['deep nesting', notification().replace(/\}$/, `,"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)],
  ])('%s', async (_, body) => expect(await statusOf({ body })).toBe(202));
});

describe('what it refuses', () => {
  test.each([
    ['no signature', null],
    ['an empty one', ''],
    ['one of another body', signatureOf('{}', secrets[0]!)],
    ['one with an empty secret', signatureOf(notification(), '')],
    ['a short one', 'abc'],
    ['a non-ASCII one', '\u00e9'.repeat(64)],
  ])('a delivery with %s, which takes no effect', async (_, signature) => {
    const id = randomUUID();
    expect(await target.send({ body: notification(id), signature })).toMatchObject({ status: 401, body: 'refused' });
    expect(await target.settledEffects(id)).toBe(0);
    expect(await statusOf({ body: notification(id) })).toBe(202);
    await target.effective(id);
  });

  test('a right signature with something added to it', async () => {
    const body = notification();
    const right = target.sign(body);
    expect(await statusOf({ body, signature: `${right}00` })).toBe(401);
    expect(await statusOf({ body, signature: [right, right] })).toBe(401);
    expect(await statusOf({ body: `${body} `, signature: right })).toBe(401);
  });

  test.each([
    ['an empty body', ''],
    ['text', 'not JSON'],
    ['half of the JSON', notification().slice(0, 40)],
    ['bytes that are not UTF-8', Buffer.from(notification(undefined, { note: '\u00ff' }), 'latin1')],
    ['an array', '[]'],
    ['no id', '{"data":{}}'],
    ['an id that is no text', '{"data":{"id":7}}'],
    ['an empty id', '{"data":{"id":""}}'],
    ['an id on the prototype', '{"data":{"__proto__":{"id":"x"}}}'],
    ['a hundred thousand brackets', '['.repeat(1e5)],
  ])('%s', async (_, body) => {
    expect(await target.send({ body })).toMatchObject({ status: 400, body: 'not a notification' });
  });

  test('a body of more than 16 MiB', async () => {
    const body = notification(undefined, { note: 'x'.repeat(16 * 1024 * 1024) });
    expect(await statusOf({ body })).toBe(413);
  });

  test('other methods and paths', async () => {
    expect(await target.send({ method: 'PUT' })).toMatchObject({
      status: 405,
      headers: expect.stringContaining('POST') as string,
    });
    expect(await statusOf({ method: 'GET', body: '' })).toBe(405);
    const elsewhere = new Target({ ...receiver, url: `${receiver.url}/elsewhere` }, secrets);
    expect((await elsewhere.send()).status).toBe(404);
  });

  test.each([[], [''], [' '], ['right', '']])('to start with the secrets %j', async (...given: string[]) => {
    await expect(startReceiver({ secrets: given })).rejects.toThrow(/Pass the one that the service returned/);
  });
});

test('the probe knows nothing of an unknown id', async () => {
  expect(await target.effects('unknown')).toBe(0);
  expect(await target.effects('%2F%00')).toBe(0);
});

test('it takes another path, header and database, and closes twice without harm', async () => {
  const other = await startReceiver({ secrets, path: '/deep/hooks', signatureHeader: 'X-Other' });
  const seen = new Target(other, secrets);
  expect((await seen.send({ signatureName: 'X-Other' })).status).toBe(202);
  expect((await seen.send()).status).toBe(401);
  await Promise.all([other.close(), other.close()]);
  expect((await seen.send()).status).toBe(0);
});

test('it answers others while a body arrives slowly and connections are idle', async () => {
  const slow = await Promise.all(Array.from({ length: 50 }, (_, at) => target.begin(notification(), at / 50)));
  expect(await statusOf({ timeout: 1000 })).toBe(202);
  for (const socket of slow) socket.destroy();
});
