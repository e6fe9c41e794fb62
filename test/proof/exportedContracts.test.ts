import { spawnSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterAll, beforeAll, test } from 'vitest';

import { replay } from '../../runner/replay/replay.ts';
import type { SavedCase } from '../../runner/engine/savedCase.ts';
import { scriptVerdict, vitestVerdict } from '../runner/export/exportVerdicts.ts';
import { caseFoundAt } from '../runner/export/foundCase.ts';
import { rawBody } from './libraries/served.ts';

/** How a provider's own library verifies a delivery, and where its id stands. */
interface Shape {
  readonly secret: string;
  /** Whether a signature is too old when a script is played: then the shell can make no other that is wrong in the same way. */
  readonly ages: boolean;
  readonly isGenuine: (body: string, headers: IncomingHttpHeaders) => boolean | Promise<boolean>;
  readonly idOf: (body: string, headers: IncomingHttpHeaders) => string;
}

const standard = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==' };
const stripe = new Stripe('sk_test_123');

/** Whether it does not throw. */
function passes(verified: () => unknown): boolean {
  try {
    verified();
    return true;
  } catch {
    return false;
  }
}

const shapes: Readonly<Record<string, Shape>> = {
  // The id stands in a header, and no signature covers it: the same is so of GitHub, whose document takes long to read.
  shopify: {
    secret: 'a secret',
    ages: false,
    isGenuine: (body, headers) => {
      const right = createHmac('sha256', 'a secret').update(body).digest();
      const given = Buffer.from(String(headers['x-shopify-hmac-sha256']), 'base64');
      return given.length === right.length && timingSafeEqual(given, right);
    },
    idOf: (_, headers) => String(headers['x-shopify-event-id']),
  },
  // The id stands in a header, and is signed with the time.
  'standard-webhooks': {
    ...standard,
    ages: true,
    isGenuine: (body, headers) =>
      passes(() => new Webhook(standard.secret).verify(body, headers as Record<string, string>)),
    idOf: (_, headers) => String(headers['webhook-id']),
  },
  // The id stands in the body, and is no uuid.
  stripe: {
    secret: 'whsec_test',
    ages: true,
    isGenuine: (body, headers) =>
      passes(() => stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), 'whsec_test')),
    idOf: (body) => String((JSON.parse(body) as { readonly id?: unknown }).id),
  },
};

/** What a receiver does wrong, and the steps that show it. */
const mistakes = {
  'takes a redelivery twice': [{ do: 'redeliver', slot: 'a', times: 2 }],
  'verifies nothing': [{ do: 'forge', slot: 'a', how: { kind: 'one character changed', at: -1 } }],
} as const;

type Mistake = keyof typeof mistakes;

const shells = [['dash'], ['bash', '--posix'], ['busybox', 'sh']].filter(
  // CI has all of them; elsewhere those do that are there.
  ([shell = '']) => process.env['SEAWORTHY_CI'] !== undefined || !spawnSync(shell, ['true']).error,
);

/** A receiver of this shape, with the mistake where one is given. */
async function start({ isGenuine, idOf }: Shape, mistake: Mistake | undefined) {
  const effects = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const [, asked] = /^\/count\/(.+)$/.exec(request.url ?? '') ?? [];
    if (asked !== undefined)
      return void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ count: effects.get(decodeURIComponent(asked)) ?? 0 }));
    const body = await rawBody(request).then(String, () => undefined);
    if (body === undefined) return;
    if (mistake !== 'verifies nothing' && !(await isGenuine(body, request.headers)))
      return void response.writeHead(400).end();
    const id = idOf(body, request.headers);
    if (mistake === 'takes a redelivery twice' || !effects.has(id)) effects.set(id, (effects.get(id) ?? 0) + 1);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/hook`,
    probe: `${origin}/count/{id}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => void server.close(closed));
    },
  };
}

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'seaworthy-exports-'))));
afterAll(() => rm(folder, { recursive: true }));

/** What replay and both exports say of a receiver; of the script twice, for ids are fresh each time. */
async function verdicts(
  saved: SavedCase,
  { secret }: Shape,
  { url, probe }: { url: string; probe: string },
  shell: readonly string[],
) {
  const env = { SEAWORTHY_URL: url, SEAWORTHY_PROBE: probe, SEAWORTHY_SECRET: secret };
  const { outcome, says } = await replay(saved, { url, probe, secret: [secret], environment: {} });
  const scripts = [1, 2].map(async () => scriptVerdict(saved, [secret], env, shell));
  return { replay: outcome, says, test: await vitestVerdict(saved, env), scripts: await Promise.all(scripts) };
}

const cases = Object.keys(shapes).flatMap((contract) =>
  (Object.keys(mistakes) as Mistake[]).map((mistake) => [contract, mistake] as const),
);
/** Each case in one shell, and each shell several cases. */
const tried = cases.map(([contract, mistake], at) => [contract, mistake, shells[at % shells.length]!] as const);

test.concurrent.for(tried)(
  'the exports of %s say of a receiver that %s what replay says',
  { timeout: 300_000 },
  async ([contract, mistake, shell], { expect }) => {
    const shape = shapes[contract]!;
    const wrong = await start(shape, mistake);
    const right = await start(shape, undefined);
    try {
      const sequence = mistakes[mistake].map((step) => ({ words: '', step, seed: 0, path: '' }));
      const directory = join(folder, contract, mistake);
      const saved = await caseFoundAt(wrong, sequence, { contract, secrets: [shape.secret], directory });
      for (const [receiver, verdict] of [
        [wrong, 'fails'],
        [right, 'fixed'],
      ] as const) {
        const seen = await verdicts(saved!, shape, receiver, shell);
        expect([seen.replay, seen.test], JSON.stringify(seen)).toEqual([verdict, verdict]);
        const scripted = shape.ages && mistake === 'verifies nothing' && receiver === right ? 'cannot-run' : verdict;
        for (const script of seen.scripts) expect(script?.verdict, script?.text).toBe(scripted);
      }
    } finally {
      await Promise.all([wrong.close(), right.close()]);
    }
  },
);
