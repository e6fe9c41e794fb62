import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { loadContract } from '../../../spec/contract.ts';
import { shippedTexts } from '../../../spec/contractFiles.ts';
import { verifySignature } from '../../../spec/signature.ts';
import { runHere } from '../runHere.ts';

const secret = 'whsec_c2VjcmV0';
const environment = { SEAWORTHY_SECRET: secret };

async function receiver() {
  const started = await startReceiver({ secrets: [secret] });
  onTestFinished(() => started.close());
  return started;
}

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver that answers anything with one status, and keeps it. Default: it accepts it. */
async function credulous(status = 200): Promise<{ url: string; got: readonly Got[] }> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end();
  });
  const port = await freePort('127.0.0.1', new Set());
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}/hooks`, got };
}

describe('seaworthy trigger', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seaworthy-trigger-'));
    return () => rm(folder, { recursive: true });
  });
  const cli = (words: readonly string[], given: Readonly<Record<string, string>> = environment) =>
    runHere(['trigger', ...words], folder, given);

  it('sends a signed notification, and redeliveries of it', async () => {
    const { url, probe } = await receiver();
    const { code, stdout } = await cli([url, 'container.updated', '--repeat', '2', '--copies', '2']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/container\.updated: id .*signed/),
    });
    expect(stdout.match(/ after /g)).toHaveLength(6);
    expect(stdout).toContain('redelivery 2');
    const [, id = ''] = /id ([-0-9a-f]+)/.exec(stdout) ?? [];
    await expect.poll(async () => (await fetch(probe.replace('{id}', id))).json()).toMatchObject({ count: 1 });
  });

  it('sends one of every event that a pattern names', async () => {
    const { url, got } = await credulous();
    const { code } = await cli([url, 'tracking_request.*']);
    const names = got.map(({ body }) => JSON.parse(body.toString()).data.attributes.event as string);
    expect({ code, names }).toEqual({ code: 0, names: expect.arrayContaining(['tracking_request.failed']) });
    expect(names.every((name) => name.startsWith('tracking_request.'))).toBe(true);
  });

  it('signs a redelivery anew where the contract signs a time, and what a file holds', async () => {
    const { url, got } = await credulous();
    await writeFile(join(folder, 'body.json'), '{ "type": "mine" }');
    const { code } = await cli([url, '--contract', 'stripe', '--data', 'body.json', '--repeat', '1']);
    const { delivery } = loadContract(shippedTexts('stripe'), { name: 'stripe' });
    const verified = got.map(({ headers, body }) =>
      verifySignature(delivery.signature!, '', (name) => String(headers[name.toLowerCase()]), { secret, body }),
    );
    expect({ code, verified }).toEqual({ code: 0, verified: [true, true] });
    expect(got.map(({ body }) => body.toString())).toEqual(['{ "type": "mine" }', '{ "type": "mine" }']);
  });

  it('is content where what was changed after it was signed is refused, and not where it is accepted', async () => {
    const { url } = await receiver();
    const { url: other } = await credulous();
    const { url: busy } = await credulous(503);
    expect(await cli([url, '--tamper'])).toMatchObject({ code: 0, stdout: expect.stringContaining('401') });
    expect(await cli([other, '--tamper'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('accepted a body that was changed after it was signed'),
    });
    expect(await cli([busy, '--tamper'])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('503 Service Unavailable does not show that the receiver saw the change'),
    });
    expect(await cli([url, '--tamper'], {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SW_OPTION_CONFLICT'),
    });
  });

  it('says why a delivery may have been refused', async () => {
    const { url } = await receiver();
    const wrong = await cli([url, '--secret', 'another']);
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('See whether --secret is the secret') });
    const noKey = await cli([url, '--contract', 'standard-webhooks', '--secret', 'whsec_not base64']);
    expect(noKey).toMatchObject({ code: 1, stdout: expect.stringContaining('so its text was the key. See whether') });
    const unsigned = await cli([url], {});
    expect(unsigned).toMatchObject({ code: 1, stdout: expect.stringContaining('It was not signed: give --secret.') });
  });

  it('ends with 3 where nobody answers, and with 2 where it is called wrongly', async () => {
    const port = await freePort('127.0.0.1', new Set());
    const url = `http://127.0.0.1:${port}/`;
    expect(await cli([url])).toMatchObject({ code: 3, stdout: expect.stringContaining('ECONNREFUSED') });
    expect(await cli([url, 'no.event'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SW_EVENT_UNKNOWN'),
    });
    expect(await cli([url, '--data', 'absent'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SW_FILE_UNREADABLE'),
    });
    expect(await cli([])).toMatchObject({ code: 2, stderr: expect.stringContaining('SW_ARGUMENT_MISSING') });
  });
});
