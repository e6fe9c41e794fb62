import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { pressFaults } from '../../reference/faults/press/index.ts';
import { conformingPress, type PressPolicies } from '../../reference/press/policies.ts';
import { startPress } from '../../reference/press/press.ts';
import { createSummary } from '../../reports/model/summary.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { openContract } from '../../runner/options/openContract.ts';
import { runFuzz } from '../../runner/fuzz/runFuzz.ts';
import { serviceFuzzPlan } from '../../runner/fuzz/fuzzPlan.ts';
import { runService } from '../../runner/service/runService.ts';
import { type ServicePlanOptions, servicePlan } from '../../runner/service/servicePlan.ts';
import { applicable } from '../../suites/applicable.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { conclusively } from './conclusively.ts';
import { expectFound } from './expectFound.ts';
import { further, isProof } from './testReceiver.ts';

const file = fileURLToPath(new URL('../../reference/press/contract.yaml', import.meta.url));
const openapi = fileURLToPath(new URL('../../reference/press/openapi.yaml', import.meta.url));
/** Milliseconds: so that retries are still to come when the kit has opened a port. */
const pace = { pauses: [25, 50, 100, 150, 200], timeout: 1500 } as const;

async function held(policies: Partial<PressPolicies>, options: ServicePlanOptions = {}): Promise<RunSummary> {
  const press = await startPress({ ...pace, policies });
  try {
    const plan = await servicePlan(press.url, {
      contract: file,
      token: press.key,
      emit: press.emit,
      intensity: 'quick',
      seed: 42,
      retryWindow: 20_000,
      directory: join(tmpdir(), 'seaworthy-press'),
      assume: { 'delivery.timeout': `${pace.timeout}ms` },
      secondOpinion: false,
      shrinkTime: 0,
      ...options,
    });
    const summary = createSummary();
    for await (const event of runService(plan)) summary.add(event);
    return summary.summary();
  } finally {
    await press.close();
  }
}

function idsWith({ requirements }: RunSummary, outcome: string): readonly string[] {
  return requirements.filter((each) => each.outcome === outcome).map(({ id }) => id);
}

/** What a conforming print shop is held to: in further runs what a busy machine left undecided. No run may find anything. */
async function heldTo(
  options: ServicePlanOptions,
  policies: Partial<PressPolicies> = {},
): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  await conclusively(async (only) => {
    const summary = await held(policies, { ...options, ...only });
    expect(summary.errors).toEqual([]);
    expect(summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')).toEqual([]);
    runs.push(summary);
    return summary;
  });
  return runs;
}

/** By requirement, those that a further run left out aside. */
function outcomesOf({ requirements }: RunSummary, run: number): Readonly<Record<string, string>> {
  const looked = requirements.filter(({ outcome }) => run === 0 || outcome !== 'not-observed');
  return Object.fromEntries(looked.map(({ id, outcome }) => [id, outcome]));
}

describe('a service of another contract', () => {
  it(
    'holds where it conforms, and every requirement but that of crashes is observed',
    { timeout: 300_000 },
    async () => {
      const runs = await heldTo({ secondOpinion: true });
      const outcomes = Object.assign({}, ...runs.map(outcomesOf)) as Record<string, string>;
      const notHeld = Object.entries(outcomes).filter(([, outcome]) => outcome !== 'holds');
      expect(notHeld).toEqual([['DLV-7', 'not-observed']]);
      expect(runs[0]!.contract.title).toBe('Inkwell Print');
    },
  );

  it.concurrent.each(Object.keys(pressFaults))('is caught that %s', { timeout: 120_000 }, async (name) => {
    const { breaks, check, policies } = pressFaults[name]!;
    const summary = await expectFound({ breaks, proven: [check] }, () => held(policies(), { only: [check] }));
    const failed = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    expect(failed.map(({ id }) => id)).toEqual([check]);
  });
});

describe('a contract that names no more than how a webhook is created', () => {
  it(
    'is held with what is left, without a list, updates, removals, secrets or retries',
    { timeout: 120_000 },
    async () => {
      const bare = join(mkdtempSync(join(tmpdir(), 'seaworthy-press-')), 'contract.yaml');
      writeFileSync(bare, bareContract());
      const summary = await held({}, { contract: bare });
      expect(summary.errors).toEqual([]);
      expect(summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')).toEqual([]);
      expect(summary.requirements.map(({ id }) => id)).not.toContain('LST-1');
      expect(idsWith(summary, 'holds')).toEqual(
        expect.arrayContaining(['WHK-2', 'CRW-4', 'CRW-5', 'DLV-2', 'DLV-5', 'API-2']),
      );
      expect(summary.contract.leftOut).toContain('a list of webhooks');
    },
  );
});

/** The same print shop, which counts its hooks and deliveries, and shows whole numbers. */
const counted: Partial<PressPolicies> = { newId: (_, sequence) => String(sequence), shownId: Number };

describe('a service whose ids are whole numbers', () => {
  // Those that look a webhook or a delivery up by its id, or send it in a path or a body.
  const only = [
    'identity/uuid',
    'lists/webhooks',
    'lists/notification-pages',
    'updates/named',
    'retries/same-notification',
    'statuses/succeeded',
    'authentication/no-key',
  ].map((name) => `service/${name}`);

  it('holds where it conforms', { timeout: 120_000 }, async () => {
    const { summary } = (await heldTo({ contract: countedContract(), only }, counted)).at(-1)!;
    expect(summary.inconclusive).toBe(0);
  });

  it.concurrent.each<readonly [string, string, Partial<PressPolicies>]>([
    ['shows a hook no number', 'identity/uuid', { shownId: (id) => `hook ${id}` }],
    [
      'gives each attempt a number of its own',
      'retries/same-notification',
      { idOf: ({ delivery, number }) => `${delivery.id}${number}` },
    ],
  ])('is caught that it %s', { timeout: 120_000 }, async (_, name, fault) => {
    const check = `service/${name}`;
    const options = { contract: countedContract(), only: [check] };
    const { checks, errors } = await held({ ...counted, ...fault }, options);
    expect(checks).toMatchObject([{ id: check, outcome: 'failed' }]);
    expect(errors).toEqual([]);
  });
});

/**
 * The same print shop, where a hook has a name, is running when it is added, signs with a secret that the client gives, and
 * may hold nothing that the document does not describe.
 */
const strict = (): Partial<PressPolicies> => {
  let given = '';
  return {
    problem: (body, isWhole) => {
      const { name, signing, ...others } = Object(body) as Readonly<Record<string, unknown>>;
      const known = ['target', 'topics', ...(isWhole ? ['status'] : [])];
      const unknown = Object.keys(others).find((each) => !known.includes(each));
      if (unknown !== undefined) return `${unknown} does not belong here`;
      if (typeof name !== 'string' || name === '') return 'name is no text';
      const { secret } = Object(signing) as { readonly secret?: unknown };
      if (isWhole) return conformingPress.problem(body, isWhole);
      if (typeof secret !== 'string' || !/^whsec_[\w+/=]{32,}$/.test(secret)) return 'signing.secret is no secret';
      given = secret;
      return conformingPress.problem(body, isWhole);
    },
    newSecret: () => given,
  };
};

describe('a service that asks for a name and a secret, takes nothing unknown, and switches webhooks off by updates alone', () => {
  const only = [
    'activation/*',
    'registration/*',
    'creation/*',
    'subscriptions/each-event',
    'updates/*',
    'signature/*',
    'identity/*',
  ].map((name) => `service/${name}`);

  it('holds where it conforms', { timeout: 120_000 }, async () => {
    const { checks } = (await heldTo({ contract: strictContract(), only }, strict())).at(-1)!;
    const open = checks.filter(({ outcome }) => outcome === 'inconclusive');
    expect(open.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    // What a creation does not take cannot be seen there; the two others need an update that names a part, or a secret.
    const unseen = checks.filter(({ outcome }) => outcome === 'not-observable').map(({ id }) => id);
    expect(unseen).toEqual(
      ['registration/active', 'identity/secret', 'updates/at-once', 'updates/replaced-secret'].map(
        (name) => `service/${name}`,
      ),
    );
  });

  it.concurrent('is caught that it notifies what is off', { timeout: 120_000 }, async () => {
    const fault = pressFaults['tells-what-is-paused']!.policies();
    const options = { contract: strictContract(), only: ['service/activation/inactive'] };
    const { checks, errors } = await held({ ...strict(), ...fault }, options);
    expect(checks).toMatchObject([{ id: 'service/activation/inactive', outcome: 'failed' }]);
    expect(errors).toEqual([]);
  });

  it.runIf(isProof)('is searched without a false alarm', { timeout: 180_000 }, async () => {
    const summary = await searched(strict(), 40, strictContract());
    expect(summary.errors).toEqual([]);
    expect(idsWith(summary, 'broken')).toEqual([]);
  });
});

/** What a contract leaves out: in words, its lines, and their count. In CI the first of each kind of run. */
type LeftOut = readonly [string, RegExp, number];
const inCi = (parts: readonly LeftOut[]): readonly LeftOut[] => parts.slice(0, isProof ? undefined : 1);

describe('a contract that leaves a part out', () => {
  it.concurrent.each(
    inCi([
      [
        'the ids of deliveries, secrets, and how a webhook is read',
        /^id:.*\n|, secret: \/signing\/secret| {4}read: hook\n/gm,
        3,
      ],
      ['how webhooks are listed and read, and the list of deliveries', / {4}(list|read|notifications): .*\n/g, 3],
    ]),
  )('brings no false alarm: %s', { timeout: 120_000 }, async (_, parts, count) => {
    const terms = readFileSync(file, 'utf8').replace('./openapi.yaml', openapi);
    expect(terms.match(parts)).toHaveLength(count);
    const runs = await heldTo({ contract: saved(terms.replace(parts, '')) });
    expect(idsWith(runs.at(-1)!, 'inconclusive')).toEqual([]);
  });
});

/** A search of so many sequences at most; it ends with the first failure. */
async function searched(policies: Partial<PressPolicies>, runs: number, contract = file): Promise<RunSummary> {
  const press = await startPress({ ...pace, policies });
  const directory = mkdtempSync(join(tmpdir(), 'seaworthy-press-'));
  try {
    const plan = await serviceFuzzPlan(press.url, {
      contract,
      token: press.key,
      emit: press.emit,
      // One that shows each of the mistakes below after a few dozen sequences.
      seed: 3,
      runs,
      untilFailure: true,
      settle: 400,
      retryWindow: 20_000,
      directory,
      corpus: join(directory, 'corpus'),
      assume: { 'delivery.timeout': `${pace.timeout}ms` },
    });
    const summary = createSummary();
    for await (const event of runFuzz(plan)) summary.add(event);
    return summary.summary();
  } finally {
    await press.close();
  }
}

/** Each is about what this contract words in its own way: a signature; in `npm run proof` also a member of a webhook, and a page. */
const searchedFor = ['signs-no-retry', ...further('ignores-topics-of-an-update', 'repeats-the-row-before-the-cursor')];

describe('a search for sequences', () => {
  it.concurrent('finds nothing where the service conforms', { timeout: 180_000 }, async () => {
    const summary = await searched({}, 40);
    expect(summary.errors).toEqual([]);
    expect(idsWith(summary, 'broken')).toEqual([]);
    expect(idsWith(summary, 'holds')).toEqual(
      expect.arrayContaining(['ACT-2', 'ACT-3', 'DLV-2', 'DLV-3', 'DLV-6', 'SIG-2', 'STA-5', 'TRG-1', 'WHK-6']),
    );
  });

  it.concurrent.each(searchedFor)('finds that it %s', { timeout: 180_000 }, async (name) => {
    const { breaks, policies } = pressFaults[name]!;
    const summary = await searched(policies(), 400);
    expect(summary.errors).toEqual([]);
    const broken = idsWith(summary, 'broken');
    expect(broken).not.toEqual([]);
    expect(broken.filter((id) => !breaks.some((each) => each === id))).toEqual([]);
  });

  it.concurrent.each(
    further<LeftOut>(
      [
        'updates, samples, the list of deliveries, and secrets',
        / {4}(update|sample|notifications): .*\n|, secret: \/signing\/secret/g,
        4,
      ],
      ['how webhooks are listed, read and removed', / {4}list: hooks\n {4}read: hook\n|^ {4}delete: dropHook\n/gm, 2],
    ),
  )('raises no false alarm where the contract leaves out %s', { timeout: 180_000 }, async (_, parts, count) => {
    const terms = readFileSync(file, 'utf8').replace('./openapi.yaml', openapi);
    expect(terms.match(parts)).toHaveLength(count);
    const summary = await searched({}, 20, saved(terms.replace(parts, '')));
    expect(summary.errors).toEqual([]);
    expect(idsWith(summary, 'broken')).toEqual([]);
    expect(idsWith(summary, 'holds')).toEqual(expect.arrayContaining(['DLV-2', 'DLV-6']));
  });
});

function saved(contract: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'seaworthy-press-')), 'contract.yaml');
  writeFileSync(path, contract);
  return path;
}

/** Its document and its contract, with whole numbers where the print shop has texts. */
function countedContract(): string {
  const pattern = /type: string, pattern: '\^(hook|dlv)_[^']*'/g;
  const document = readFileSync(openapi, 'utf8')
    .replace(pattern, 'type: integer')
    .replace(/hook: { type: string }/, 'hook: { type: integer }');
  const terms = readFileSync(file, 'utf8').replace(/form: '(hook|dlv)_[^']*'/g, 'form: integer');
  return saved(terms.replace('./openapi.yaml', saved(document)));
}

/** Its document, now OpenAPI 3.0, with a name in place of `status` in a creation, and its contract. */
function strictContract(): string {
  const document = readFileSync(openapi, 'utf8')
    .replace(
      /^ {8}status: .*\n/m,
      '        name: { type: string, nullable: true, maxLength: 30 }\n        signing: { type: object, required: [secret], properties: { secret: { type: string } } }\n',
    )
    .replace(/^openapi: .*/m, 'openapi: 3.0.3')
    .replace('required: [target, topics]\n', 'required: [target, topics, name, signing]\n')
    .replace(
      '{ type: object, required: [status] }',
      '{ required: [status], properties: { status: { type: string, enum: [running, paused] } } }',
    );
  return saved(readFileSync(file, 'utf8').replace('./openapi.yaml', saved(document)));
}

/** The same print shop, as somebody might describe it who knows little of it. */
function bareContract(): string {
  const [terms = ''] = readFileSync(file, 'utf8').split('\nservice:');
  const known = terms
    .replace('./openapi.yaml', openapi)
    .replace('retries: 5\n', '')
    .replace(/^createdAt.*\n/m, '')
    .replace(/^id:.*\n/m, '')
    .replace(/^signature:\n( {2}.*\n)+/m, '');
  return `${known}
service:
  authorization: { header: X-Press-Key }
  operations: { create: addHook }
  webhook: { members: { id: /id, url: /target, events: /topics } }
`;
}

describe('the checks of a contract', () => {
  it('are all of them for the tracking service', () => {
    expect(applicable(openContract(), serviceChecks)).toEqual(serviceChecks);
  });

  it('leave out what another service has not, and what is of tracking alone', () => {
    const ids = applicable(openContract({ contract: file }), serviceChecks).map(({ id }) => id);
    expect(ids).toContain('service/updates/named');
    for (const topic of ['tracking', 'inference', 'custom-headers', 'sender', 'sender-addresses', 'versioning'])
      expect(ids.filter((id) => id.startsWith(`service/${topic}/`))).toEqual([]);
  });

  it.each([
    ['updates', / {4}update: .*\n/, ['unasked', 'same-url']],
    ['retries', /^retries: .*\n/m, ['inactive', 'unasked']],
  ] as const)('of activation leave out what needs %s, where there are none', (_, parts, left) => {
    const terms = readFileSync(file, 'utf8').replace('./openapi.yaml', openapi).replace(parts, '');
    const ids = applicable(openContract({ contract: saved(terms) }), serviceChecks).map(({ id }) => id);
    expect(ids.filter((id) => id.startsWith('service/activation/'))).toEqual(
      left.map((name) => `service/activation/${name}`),
    );
  });
});
