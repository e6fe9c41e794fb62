import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { renderDocument } from '../../../reports/formats/index.ts';
import { readJournal } from '../../../reports/model/journal.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import { DeliveryStore } from '../../../runner/listener/deliveryStore.ts';
import { sampleDeliveries } from '../../../runner/cli/contract/sampleDeliveries.ts';
import { Forwarder } from '../../../runner/listener/forwarder.ts';
import { Recorder } from '../../../runner/listener/recorder.ts';
import { openJournal } from '../../../runner/output/journal.ts';
import { Secrets } from '../../../runner/secrets/secrets.ts';
import { secretStandIns } from '../../../runner/secrets/standIns.ts';
import { resolveAssumptions } from '../../../spec/assumptions.ts';
import type { Caught } from '../../../suites/exchange.ts';
import { post } from '../catchers.ts';
import { secret, type TestListener, useListeners } from './listening.ts';

const start = useListeners();

/** What was found in a delivery: each check with what it says. */
async function found({ until }: TestListener, number = 1): Promise<readonly string[]> {
  const { judgement } = await until('answered', number);
  return judgement.findings.map(({ check, level, actual }) => `${level}: ${check}: ${actual}`);
}

/** The body with other bytes, and a signature of them. */
function resigned(text: string | Buffer): {
  readonly body: Buffer;
  readonly headers: readonly (readonly [string, string])[];
} {
  const body = Buffer.from(text as string);
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return {
    body,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-SVC-Webhook-Signature', digest],
    ],
  };
}

describe('a delivery', () => {
  it.each(['tracking', 'github', 'stripe', 'standard-webhooks', 'shopify', 'slack'])(
    'that is as %s describes it passes every check',
    async (name) => {
      const listening = await start(name);
      expect(await listening.send()).toMatchObject({ status: listening.contract.delivery.acceptedStatuses[0] });
      expect(await found(listening)).toEqual([]);
      const { judgement } = await listening.until('arrived');
      expect(judgement.asked).toContain('caught/signature/right');
    },
  );

  it('is right as any of the webhooks that one name calls, and wrong as none of them', async () => {
    const listening = await start('github');
    const { contract, send } = listening;
    const [{ name: first, value: called }] = contract.events;
    const other = contract.events.find(({ name, value }) => value === called && name !== first)!;
    const [delivery] = sampleDeliveries(contract, other, { count: 1, seed: 1, secret, now: Date.now() });
    await send(delivery!);
    expect(await found(listening)).toEqual([]);
    await send({ ...delivery!, body: Buffer.from(delivery!.body.toString().replace('"action"', '"act"')) });
    const again = await found(listening, 2);
    expect(again).toContainEqual(expect.stringMatching(/caught\/notification\/shape: .*'action'/));
    // A user may have asked for it: this contract promises nothing else.
    expect(again).toContainEqual(expect.stringMatching(/^noted: caught\/redelivery\/after-acceptance/));
  });

  it.each([
    ['the method', 'caught/delivery/method', () => ({ method: 'PUT' })],
    ['a body that is no JSON', 'caught/delivery/json', () => resigned('hello')],
    [
      'the charset',
      'caught/delivery/json',
      (text: string) => resigned(Buffer.from(text.replace('{', '{"place":"Orléans",'), 'latin1')),
    ],
    ['no signature', 'caught/signature/right', () => ({ headers: [['Content-Type', 'application/json']] as const })],
    ['a flat body', 'caught/notification/shape', (text: string) => resigned(JSON.stringify(JSON.parse(text).data))],
    ['the id', 'caught/notification/id', (text: string) => resigned(text.replace(/"id":"[^"]+"/, '"id":"7"'))],
    ['the type', 'caught/notification/type', (text: string) => resigned(text.replace('webhook_notification', 'other'))],
    [
      'the event',
      'caught/notification/event',
      (text: string) => resigned(text.replace(/"event":"[^"]+"/, '"event":"x.y"')),
    ],
    [
      'the status',
      'caught/notification/status',
      (text: string) => resigned(text.replace(/"delivery_status":"\w+"/, '"delivery_status":"queued"')),
    ],
    [
      'the time',
      'caught/notification/created-at',
      (text: string) => resigned(text.replace(/"created_at":"[^"]+"/, '"created_at":"yesterday"')),
    ],
    [
      'related resources',
      'caught/notification/included',
      (text: string) => resigned(text.replace(/"included":\[.*\]/s, '"included":{}')),
    ],
  ])('with another one of %s fails', async (_, check, change) => {
    const listening = await start();
    await listening.send(change(listening.sample().body.toString()));
    expect((await found(listening)).filter((line) => line.startsWith(`broken: ${check}:`))).toHaveLength(1);
  });

  it.each([
    ['Content-Type', 'application/x-www-form-urlencoded', 'but application/x-www-form-urlencoded'],
    ['Content-Encoding', 'gzip', 'but Content-Encoding gzip'],
  ] as const)('that is no JSON is called what its %s says', async (name, value, words) => {
    const listening = await start();
    const { body, headers } = resigned('payload=%7B%7D');
    const others = headers.filter(([each]) => each !== name);
    await listening.send({ body, headers: [...others, [name, value]] });
    expect(await found(listening)).toContainEqual(
      expect.stringContaining(`the 14 bytes that came are no JSON, ${words}`),
    );
  });

  it.each([
    ['too old', () => Math.floor(Date.now() / 1000) - 3600, /it is 36\d\d s old/],
    ['in milliseconds', () => Date.now(), /it is in milliseconds, not in seconds/],
  ])('whose timestamp is %s is wrong', async (_, time, words) => {
    const listening = await start('stripe');
    const { body } = listening.sample();
    const at = time();
    const digest = createHmac('sha256', secret).update(`${at}.${body.toString()}`).digest('hex');
    await listening.send({
      headers: [
        ['Content-Type', 'application/json'],
        ['Stripe-Signature', `t=${at},v1=${digest}`],
      ],
    });
    const lines = await found(listening);
    expect(lines).toEqual([expect.stringContaining('caught/signature/timestamp: ')]);
    expect(lines[0]).toMatch(words);
  });

  it('whose signature stands elsewhere, or is written otherwise, says so', async () => {
    const listening = await start();
    const { body, headers } = listening.sample();
    await listening.send({
      headers: headers.map(([name, value]) => [name.replace('X-SVC-', 'X-Other-'), value] as const),
    });
    expect(await found(listening)).toEqual([expect.stringContaining('stands in X-Other-Webhook-Signature')]);
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    await listening.send({
      headers: [
        ['Content-Type', 'application/json'],
        ['X-SVC-Webhook-Signature', signature],
      ],
    });
    expect(await found(listening, 2)).not.toEqual([]);
  });

  it('that is nested too deeply to be judged does no harm', async () => {
    const listening = await start();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(await listening.send(resigned(deep))).toMatchObject({ status: 200 });
    expect(await listening.send()).toMatchObject({ status: 200 });
  });
});

describe('a redelivery', () => {
  it('of what was refused is right, and its pause is measured', async () => {
    const listening = await start();
    listening.listener.next.choose('refuse', false);
    expect(await listening.send()).toMatchObject({ status: 503 });
    expect(await listening.send()).toMatchObject({ status: 200 });
    expect(await found(listening, 2)).toEqual([]);
    const { pause, caught } = await listening.until('arrived', 2);
    expect({ pause, number: caught.number }).toEqual({ pause: expect.any(Number), number: 2 });
  });

  it('of what was accepted is wrong', async () => {
    const listening = await start();
    await listening.send();
    await listening.send();
    expect(await found(listening, 2)).toEqual([expect.stringMatching(/^broken: caught\/redelivery\/after-acceptance/)]);
  });

  it('with other bytes, another event or another time is found', async () => {
    const listening = await start();
    listening.listener.next.choose('refuse', true);
    const text = listening.sample().body.toString();
    await listening.send();
    await listening.send(resigned(JSON.stringify(JSON.parse(text), null, 1)));
    expect(await found(listening, 2)).toEqual([
      expect.stringMatching(/^noted: caught\/redelivery\/bytes: it differs from byte 1 on/),
    ]);
    await listening.send(resigned(text.replace(/"created_at":"[^"]+"/, '"created_at":"2001-01-01T00:00:00Z"')));
    expect(await found(listening, 3)).toContainEqual(
      expect.stringMatching(/^broken: caught\/redelivery\/same: this one says 2001/),
    );
    await listening.send(resigned(text.replace(/"event":"[^"]+"/, '"event":"container.updated"')));
    expect(await found(listening, 4)).toContainEqual(
      expect.stringMatching(/^broken: caught\/redelivery\/same: it is about container.updated/),
    );
  });

  it('under another id is noted', async () => {
    const listening = await start();
    listening.listener.next.choose('refuse', false);
    const text = listening.sample().body.toString();
    await listening.send();
    const other = '11111111-2222-4333-8444-555555555555';
    await listening.send(resigned(text.replace(/"id":"[^"]+"/, `"id":"${other}"`)));
    expect(await found(listening, 2)).toEqual([expect.stringMatching(/^noted: caught\/redelivery\/id/)]);
  });

  it('that comes too often is wrong', async () => {
    const listening = await start('slack');
    listening.listener.next.choose('refuse', true);
    for (let number = 1; number <= 5; number += 1) await listening.send();
    expect(await found(listening, 4)).toEqual([]);
    expect(await found(listening, 5)).toEqual([
      expect.stringMatching(/^broken: caught\/redelivery\/count: this is attempt 5/),
    ]);
  });

  it('that does not wait as it was asked to, or as its schedule says, is noted', async () => {
    const listening = await start('tracking', { assume: { 'retries.schedule': '1h' } });
    listening.listener.next.choose('busy', false);
    expect(await listening.send()).toMatchObject({
      status: 429,
      headers: expect.arrayContaining(['Retry-After', '5']),
    });
    listening.listener.next.choose('refuse', true);
    await listening.send();
    expect(await found(listening, 2)).toEqual([expect.stringMatching(/^noted: caught\/redelivery\/retry-after/)]);
    await listening.send();
    expect(await found(listening, 3)).toEqual([expect.stringMatching(/^noted: caught\/redelivery\/spacing/)]);
  });
});

describe('an answer', () => {
  it('is chosen for the next delivery, or for all that follow', async () => {
    const { listener, send } = await start();
    listener.next.choose('refuse', true);
    listener.next.choose('close', false);
    expect((await send()).error).toBe('ECONNRESET');
    expect(await send()).toMatchObject({ status: 503 });
    expect(await send()).toMatchObject({ status: 503 });
    expect(listener.next.choose('nonsense', true)).toBeUndefined();
  });
});

/** A receiver that keeps what it gets. */
async function receiver(status: number, body = '') {
  const got: { readonly request: IncomingMessage; readonly body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ request, body: await buffer(request) });
    response.writeHead(status, { 'Retry-After': '7', 'X-Own': 'yes' }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return { got, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/in?a=1`) };
}

describe('forwarding', () => {
  it('passes a delivery on byte for byte, and the answer back', async () => {
    const { got, url } = await receiver(418, 'no');
    const plain = await start();
    const forwarder = new Forwarder(plain.contract, { url, timeout: 10_000, headers: [] });
    const { send, until } = await start('tracking', { forwarder });
    const body = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x7b]);
    const headers = [
      ['Content-Type', 'a/b'],
      ['X-ODD-Case', 'é'.normalize('NFC')],
    ] as const;
    const answer = await send({ body, headers: headers.slice(0, 1), method: 'PUT' });
    expect(answer).toMatchObject({
      status: 418,
      body: 'no',
      headers: expect.arrayContaining(['Retry-After', '7', 'X-Own', 'yes']),
    });
    expect(got[0]!.body.equals(body)).toBe(true);
    expect(got[0]!.request).toMatchObject({
      method: 'PUT',
      url: '/in?a=1',
      headers: { 'content-type': 'a/b', host: url.host },
    });
    expect((await until('answered')).forwarded).toMatchObject({ kind: 'answered', status: 418 });
  });

  it('says as a gateway that there is no receiver, and leaves a chosen answer alone', async () => {
    const { contract } = await start();
    const url = new URL('http://127.0.0.1:1/');
    const forwarder = new Forwarder(contract, { url, timeout: 10_000, headers: [] });
    const { listener, send, until } = await start('tracking', { forwarder });
    expect(await send()).toMatchObject({ status: 502, body: expect.stringContaining('127.0.0.1:1') });
    listener.next.choose('accept', false);
    expect(await send()).toMatchObject({ status: 200 });
    expect((await until('forwarded', 2)).forwarded).toMatchObject({ kind: 'broken' });
  });
});

describe('a command for each delivery', () => {
  it('gets the body and what is known of it', async () => {
    const command = 'cat; printf " %s %s" "$SEAWORTHY_NUMBER" "$SEAWORTHY_EVENT"; exit 3';
    const { contract, send, sample, until } = await start('tracking', { exec: { command, cwd: tmpdir() } });
    await send();
    const { executed } = await until('executed');
    const output = `${sample().body.toString()} 1 ${contract.events[0].name}`;
    expect(executed).toEqual({ code: 3, output: output.slice(-2000) });
  });
});

describe('recording', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seaworthy-listener-'));
    return () => rm(folder, { recursive: true });
  });

  // Stripe's contract requires nothing of a service: what is wrong with a delivery counts all the same.
  it.each(['tracking', 'stripe'])('writes a journal that reports are made of, without the secret: %s', async (name) => {
    const { listener, contract, send, until } = await start(name);
    const path = join(folder, `${name}.ndjson`);
    const recorder = new Recorder(listener, {
      journal: openJournal(path),
      assumptions: resolveAssumptions(contract.assumptions),
      leftOut: [],
      command: 'seaworthy listen',
      secrets: new Secrets(secretStandIns([secret])),
      onFailure: (error) => expect.unreachable(String(error)),
    });
    await send();
    await send({ method: 'PUT', headers: [['X-Leak', secret]] });
    await until('answered', 2);
    recorder.close();
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(secret);
    const summary = summarise(readJournal(text));
    expect(summary).toMatchObject({ verdict: 'does-not-conform', run: { complete: true } });
    expect(verdictSentence(summary)).toMatch(/broken: SVC-2, DLV-1|failed: caught\/delivery\/method/);
    expect(exitCode(summary)).toBe(1);
    for (const shown of await Promise.all(
      (['terminal', 'markdown', 'junit'] as const).map((name) => renderDocument(name, { kind: 'run', summary })),
    ))
      expect(shown).not.toMatch(/\b(?:seed|calls|intensity)\b/i);
    const outcome = (id: string) => summary.checks.find((check) => check.id === id)?.outcome;
    expect(outcome('caught/delivery/method')).toBe('failed');
    expect(outcome('caught/notification/id')).toBe('passed');
    expect(outcome('caught/redelivery/count')).toBe('passed');
    expect(outcome('caught/redelivery/retry-after')).toBe('not-observable');
  });
});

describe('the store', () => {
  const right = { findings: [], asked: [] };
  const given = { at: 0, event: '' };
  const caught = (key: string, bytes: number): Caught => {
    return {
      key,
      number: 1,
      body: Buffer.alloc(bytes, key),
      at: 0,
      step: { do: 'hang' },
      end: undefined,
    } as unknown as Caught;
  };

  it('keeps the newest, up to a number and up to an amount of bytes', () => {
    const store = new DeliveryStore({ deliveries: 3, bytes: 100 });
    for (let number = 0; number < 5; number += 1) store.add(caught(`k${number}`, 10), given, () => right);
    expect(store.since(-1).map(({ number }) => number)).toEqual([3, 4, 5]);
    store.add(caught('large', 90), given, () => right);
    expect(store.since(-1).map(({ number }) => number)).toEqual([5, 6]);
    store.add(caught('larger', 900), given, () => right);
    expect(store.since(-1).map(({ number }) => number)).toEqual([7]);
    expect(store.totals).toEqual({ deliveries: 7, notifications: 7, wrong: 0, forgotten: 6 });
    expect({ oldest: store.oldest, forgotten: store.countOf('k0') }).toEqual({ oldest: 7, forgotten: 0 });
  });
});

it('catches whatever path, and counts what is no HTTP', async () => {
  const { listener } = await start();
  expect(await post(`${listener.url}any/path?x=1`, '{}')).toMatchObject({ status: 200 });
  expect(listener.store.get(1)?.caught.path).toBe('/any/path?x=1');
});
