import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createSummary } from '../../reports/model/summary.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { receiverPlan } from '../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../runner/receiver/runReceiver.ts';

/** What others wrote to verify webhooks, each as its own documentation shows it, and what is true of it. */
interface Library {
  /** A file in `libraries/`. */
  readonly server: string;
  readonly contract: string;
  readonly secret: string;
  /** The requirements that it breaks, MUSTs and SHOULDs, seen by hand too. */
  readonly breaks: readonly string[];
}

const here = (file: string): string => fileURLToPath(new URL(`libraries/${file}`, import.meta.url));
const base64Secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==';

/** None of these servers deduplicates: their documentation leaves that to the reader. */
const twice = ['IDM-2', 'IDM-3'];

const libraries: Readonly<Record<string, Library>> = {
  // Both decode the body before they hash it, and a decoder drops a byte order mark.
  stripe: {
    server: 'stripe.ts',
    contract: 'stripe',
    secret: 'whsec_test',
    breaks: ['RCV-5', 'VRF-3', 'VRF-5', ...twice],
  },
  '@octokit/webhooks': {
    server: 'octokit.ts',
    contract: 'github',
    secret: 'a secret',
    breaks: ['RCV-5', 'ROB-1', 'VRF-3', ...twice],
  },
};

/** Runs the checks of acceptance, signatures and idempotency, with the process in the hands of the kit: one of them dies. */
async function held({ server, contract, secret }: Library): Promise<RunSummary> {
  const port = await freePort('127.0.0.1', new Set());
  const origin = `http://127.0.0.1:${port}`;
  const plan = await receiverPlan(`${origin}/hook`, {
    contract,
    secret: [secret],
    start: `${process.execPath} ${here(server)} ${port}`,
    env: { SECRET: secret },
    probe: `${origin}/count/{id}`,
    intensity: 'quick',
    seed: 1,
    only: ['receiver/acceptance/*', 'receiver/signature/*', 'receiver/idempotency/*'],
    skip: ['receiver/idempotency/late-redelivery'],
  });
  const summary = createSummary();
  for await (const event of runReceiver(plan)) summary.add(event);
  return summary.summary();
}

describe.each(Object.entries(libraries))('%s, as its documentation shows it', (_, library) => {
  it('breaks just what it breaks when tried by hand', async () => {
    const { requirements } = await held(library);
    const broken = requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
    expect(broken.toSorted()).toEqual(library.breaks.toSorted());
  });
});

void base64Secret;
