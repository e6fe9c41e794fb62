import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createSummary } from '../../reports/model/summary.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { receiverFuzzPlan } from '../../runner/fuzz/fuzzPlan.ts';
import { runFuzz } from '../../runner/fuzz/runFuzz.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../runner/receiver/runReceiver.ts';
import { libraries, type Library, type LibraryName } from './libraries/index.ts';
import { further, isProof } from './testReceiver.ts';
import { brokenIn } from '../brokenIn.ts';

/** What is true of a library: it was seen by hand too (`librariesByHand.test.ts`). */
interface Known {
  /** The requirements that it breaks. */
  readonly breaks: readonly string[];
  /** The checks that are tried. Default: those of signatures, and of bodies that are nonsense. */
  readonly only?: readonly string[];
  /** The events that are sent. Default: all. */
  readonly events?: readonly string[];
}

/** In CI the checks that find what some library breaks, and some that a careless check would let fail. */
const inCi = (...names: readonly string[]): readonly string[] =>
  (isProof ? ['*'] : names).map((name) => `receiver/signature/${name}`);
const untimed = inCi('forged', 'every-spelling', 'changed-after-signing', 'nothing-added');
const signatures = [...untimed, ...inCi('too-old', 'from-the-future', 'small-skew')];

/** None of these servers deduplicates or stores: their documentation leaves both to the reader. */
const bodies = 'receiver/acceptance/not-a-notification';
const skip = ['receiver/signature/without-secret'];

/** Both are given a text, as their documentation shows it: bytes that are no UTF-8 are lost before. Neither reads the JSON. */
const decodesText = ['RCV-5', 'VRF-3', 'VRF-5'];

const known: Readonly<Record<LibraryName, Known>> = {
  // Decodes the body before it hashes it: a decoder drops a byte order mark, and reads the time with parseInt.
  stripe: { breaks: ['RCV-5', 'VRF-3', 'VRF-5', 'VRF-8'] },
  // The same, and a signed body that is a number ends the process.
  '@octokit/webhooks': {
    breaks: ['ROB-1', 'VRF-3'],
    only: ['receiver/signature/changed-after-signing', 'receiver/acceptance/not-a-notification'],
    // To make a body of each of 261 events takes ten seconds, and neither the library nor these checks tell them apart.
    events: ['issues-*', 'push', 'star-*'],
  },
  standardwebhooks: { breaks: decodesText },
  svix: { breaks: decodesText },
  // It looks at the age of a timestamp alone, which is negative for one of the future.
  '@slack/bolt': { breaks: ['VRF-3', 'VRF-5', 'VRF-8'], only: signatures },
  // Its Base64 decoder passes over what is no Base64, and it reads no JSON.
  shopify: { breaks: ['RCV-5', 'VRF-5'], only: [...untimed, bodies] },
};

/** The kit starts the server: one request ends some of them. */
async function targetOf({
  server,
  contract,
  secret,
  env,
}: Library & { readonly env?: Readonly<Record<string, string>> }) {
  const port = await freePort('127.0.0.1', new Set());
  const origin = `http://127.0.0.1:${port}`;
  const start = `${process.execPath} ${server} ${port}`;
  const options = { contract, secret: [secret], start, env: { SECRET: secret, ...env }, probe: `${origin}/count/{id}` };
  return { url: `${origin}/hook`, options };
}

async function held(
  library: Parameters<typeof targetOf>[0],
  only: readonly string[] = [...signatures, bodies],
  more: Pick<ReceiverPlanOptions, 'events' | 'intensity'> = {},
): Promise<RunSummary> {
  const { url, options } = await targetOf(library);
  const plan = await receiverPlan(url, {
    ...options,
    intensity: 'quick',
    seed: 1,
    shrinkTime: 0,
    only,
    skip,
    ...more,
  });
  const summary = createSummary();
  for await (const event of runReceiver(plan)) summary.add(event);
  return summary.summary();
}

/** In CI none that verifies as another one does. */
const tried = Object.entries(known).filter(([name]) => isProof || name !== 'svix');

describe.concurrent.each(tried)('%s', (name, { breaks, only, events }) => {
  it('breaks what it breaks when it is tried by hand, and nothing else', { timeout: 300_000 }, async () => {
    const { requirements, checks, errors } = await held(libraries[name as LibraryName], only, events && { events });
    const broken = brokenIn({ requirements });
    const reported = checks
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ id, outcome, reason }) => ({ id, outcome, reason }));
    expect({ broken: broken.toSorted(), reported, errors }).toMatchObject({
      broken: breaks.toSorted(),
      errors: [],
    });
  });
});

/** As `docs/contracts/` says to use them. */
it.each<LibraryName>(['stripe', ...further<LibraryName>('standardwebhooks', '@octokit/webhooks', 'svix')])(
  '%s holds VRF-3 where what is no UTF-8 is refused first, and it is given a text',
  { timeout: 180_000 },
  async (name) => {
    const server = fileURLToPath(new URL('libraries/refusesOtherThanUtf8.ts', import.meta.url));
    const { contract, secret } = libraries[name];
    const only = ['receiver/signature/changed-after-signing', 'receiver/signature/every-spelling'];
    const { events } = known[name];
    const { checks } = await held({ server, contract, secret, env: { LIBRARY: name } }, only, events && { events });
    expect(Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]))).toEqual(
      Object.fromEntries(only.map((id) => [id, 'passed'])),
    );
  },
);

it('no name of an event is sent that a header cannot carry', async () => {
  const { checks } = await held(libraries.shopify, ['receiver/acceptance/unknown-event'], { intensity: 'standard' });
  expect(checks).toMatchObject([{ outcome: 'passed' }]);
});

/** They differ in what their contracts have: ids in the body, in a header or none that is a uuid, and no statuses. */
it.each<LibraryName>(['stripe', ...further<LibraryName>('standardwebhooks', 'shopify')])(
  'a search for sequences finds nothing else wrong with %s',
  { timeout: 180_000 },
  async (name) => {
    const { url, options } = await targetOf(libraries[name]);
    const directory = await mkdtemp(join(tmpdir(), 'seaworthy-libraries-'));
    // They count what came twice twice: their documentation leaves deduplication to the reader.
    const { probe: _, ...withoutProbe } = options;
    const files = { directory, corpus: join(directory, 'corpus') };
    const plan = await receiverFuzzPlan(url, { ...withoutProbe, ...files, runs: 30, seed: 2, skip: ['RCV-3'] });
    const summary = createSummary();
    for await (const event of runFuzz(plan)) summary.add(event);
    const { errors, requirements } = summary.summary();
    expect(errors).toEqual([]);
    const broken = brokenIn({ requirements });
    expect(broken.filter((id) => !known[name].breaks.includes(id))).toEqual([]);
    expect(requirements.find(({ id }) => id === 'VRF-2')?.outcome).toBe('holds');
  },
);
