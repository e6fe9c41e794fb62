import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import { startService, type RunningService } from '../../../reference/service/service.ts';
import { conformingPolicies } from '../../../reference/service/conformingPolicies.ts';
import { serviceFaults } from '../../../reference/faults/service/index.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { program, room } from '../../programs.ts';
import { runHere } from '../runHere.ts';

const killer = new URL('killedWhileWriting.ts', import.meta.url).href;
const secret = 'a secret of this test';
let folder: string;
let receiver: RunningReceiver;
let service: RunningService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-resumed-'));
  receiver = await startReceiver({ secrets: [secret] });
  // Minutes, scaled down: twelve retries take two seconds.
  const policies = serviceFaults['answers-200-to-a-creation']!.change(conformingPolicies);
  service = await startService({ backoff: [150], timeout: 500, policies });
});

afterAll(async () => {
  await Promise.all([receiver.close(), service.close()]);
  await rm(folder, { recursive: true });
});

const toReceiver = (): readonly string[] => {
  const signature = ['beyond-ascii', 'header-case', 'every-secret', 'nothing-added'];
  const idempotency = ['redelivery-accepted', 'takes-effect-once', 'late-redelivery', 'concurrent-copies'];
  const names = [...signature.map((name) => `signature/${name}`), ...idempotency.map((name) => `idempotency/${name}`)];
  const only = names.flatMap((name) => ['--only', `receiver/${name}`]);
  return ['receiver', receiver.url, '--probe', receiver.probe, '--secret', secret, '--intensity', 'quick', ...only];
};

const toService = (): readonly string[] => {
  // Those of registration end before that of authentication does, also on a busy machine: each has few cases.
  const registration = ['resource-object', 'url', 'active', 'created-at', 'headers', 'created', 'without-events'];
  const names = [...registration.map((name) => `registration/${name}`), 'authentication/no-key'];
  const only = [...names, 'retries/exhaustion', 'activation/after-failures'].flatMap((name) => {
    return ['--only', `service/${name}`];
  });
  const { url, token, emit } = service;
  return ['service', url, '--token', token, '--emit', emit, '--intensity', 'quick', '--retry-window', '20s', ...only];
};

/** Runs the program until so many of its checks have ended, and ends it with `kill -9`. @returns the journal */
async function killed(words: readonly string[], name: string, ended: number): Promise<string> {
  const journal = join(folder, `${name}.ndjson`);
  const env = { ...process.env, KILLED_JOURNAL: journal, KILLED_ENDED: String(ended) };
  const all = [...room, '--import', killer, program('seaworthy'), ...words, '--report', `journal=${journal}`];
  const child = spawn(process.execPath, all, { cwd: folder, env, stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  return journal;
}

async function reported(name: string): Promise<JsonReport> {
  return JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as JsonReport;
}

/** Another sitting. @returns what it left, and how many checks it found settled and left */
async function resumed(words: readonly string[], journal: string, name: string) {
  const reports = ['--report', `json=${join(folder, `${name}.json`)}`];
  const own = ['--report', `journal=${join(folder, `${name}.ndjson`)}`];
  const { code, stderr } = await runHere([...words, '--resume', journal, ...reports, ...own], folder);
  const [, settled, left] = /: (\d+) checks are settled, (\d+) are left/.exec(stderr) ?? [];
  return { code, stderr, settled: Number(settled), left: Number(left), report: await reported(name) };
}

/** A call of the service's webhooks. */
function webhooks(init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Token ${service.token}`, 'content-type': 'application/vnd.api+json' };
  return fetch(`${service.url}/webhooks`, { ...init, headers });
}

async function listedIds(): Promise<readonly string[]> {
  const { data } = (await (await webhooks()).json()) as { readonly data: readonly { readonly id: string }[] };
  return data.map(({ id }) => id);
}

/** A webhook of somebody else. @returns its id */
async function registered(url: string): Promise<string> {
  const body = JSON.stringify({ data: { type: 'webhook', attributes: { url, active: false } } });
  const { data } = (await (await webhooks({ method: 'POST', body })).json()) as {
    readonly data: { readonly id: string };
  };
  return data.id;
}

/** Lets a journal say that an address is an endpoint of the kit. */
async function claim(journal: string, url: string): Promise<void> {
  const [started = '', ...others] = (await readFile(journal, 'utf8')).split('\n');
  const event = { type: 'endpoint.opened', ms: 1, check: 'control', case: 0, url };
  await writeFile(journal, [started, JSON.stringify(event), ...others].join('\n'));
}

/** The checks that a journal says have begun more than once, or ended more than once. */
async function triedTwice(name: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, `${name}.ndjson`), 'utf8');
  const said = [...text.matchAll(/"type":"check\.(?:started|finished)","check":"[^"]+"/g)].map(([event]) => event);
  expect(said.length).toBeGreaterThan(10);
  return said.filter((event, at) => said.indexOf(event) !== at);
}

/** The checks that a journal says have begun, and not ended. */
async function underWay(journal: string): Promise<readonly string[]> {
  const text = await readFile(journal, 'utf8');
  const said = (what: string) =>
    [...text.matchAll(new RegExp(`"type":"check.${what}","check":"([^"]+)"`, 'g'))].map(([, id]) => id!);
  const finished = said('finished');
  return said('started').filter((id) => !finished.includes(id));
}

/** A report without what differs from one run to another: times, ids, how much was sent (less to a target that answers slowly). */
function shape({ run, checks, requirements, verdict, summary, exitCode, assumptions }: JsonReport) {
  const { seed, intensity, complete, strict } = run;
  const { deliveries: _, calls: __, ...counts } = summary;
  const rows = checks.map(({ durationMs: ___, cases: ____, counterexample, ...check }) => ({
    ...check,
    failure: counterexample && [counterexample.requirements, counterexample.path, counterexample.expected],
  }));
  return { seed, intensity, complete, strict, rows, requirements, verdict, counts, exitCode, assumptions };
}

let ofService: Promise<JsonReport> | undefined;
let ofReceiver: Promise<string> | undefined;

/** The journal of a run against the receiver that was killed once a few of its checks had ended. */
function killedRun(): Promise<string> {
  ofReceiver ??= killed([...toReceiver(), '--seed', '7'], 'receiver-1', 3);
  return ofReceiver;
}

/** The report of a run in a service that nothing disturbed. */
function undisturbedRun(): Promise<JsonReport> {
  const words = [...toService(), '--seed', '3', '--report', `json=${join(folder, 'service.json')}`];
  ofService ??= runHere(words, folder).then(() => reported('service'));
  return ofService;
}

describe('a run that is killed and resumed gives the same report as an undisturbed one', () => {
  test('of a service, in the middle of its retries, and leaves it as it was found', async () => {
    const before = await listedIds();
    const [journal, undisturbed] = await Promise.all([
      killed([...toService(), '--seed', '3'], 'service-killed', 4),
      undisturbedRun(),
    ]);
    const left = await underWay(journal);
    expect(left).toContain('service/retries/exhaustion');
    const foreign = await registered('http://127.0.0.1:9/hooks');
    await claim(journal, 'http://127.0.0.1:9/hooks');
    const later = await resumed(toService(), journal, 'service-resumed');
    expect(later.settled).toBeGreaterThan(3);
    expect(later.left).toBeGreaterThan(0);
    expect(undisturbed.checks.find(({ id }) => id === 'service/retries/exhaustion')).toMatchObject({
      outcome: 'passed',
    });
    expect(shape(later.report)).toEqual(shape(undisturbed));
    expect(await triedTwice('service-resumed')).toEqual([]);
    const refused = later.report.observations.filter(({ evidence }: { evidence: string }) =>
      / refusals\b/.test(evidence),
    );
    // The one check of these that is refused anything; on a busy machine it may have ended by then.
    expect(refused.length > 0).toBe(left.includes('service/authentication/no-key'));
    for (const { evidence } of refused) expect(evidence).toMatch(/ refusals since the run was resumed$/);
    const refusals = ({ observations }: JsonReport) =>
      observations.flatMap(({ value }) => (value.startsWith('refusal.') ? value : [])).toSorted();
    expect(refusals(undisturbed)).toContain('refusal.unauthorized = 401');
    expect(refusals(later.report)).toEqual(refusals(undisturbed));
    expect([later.code, later.report.verdict]).toEqual([1, 'does-not-conform']);
    expect(later.report.command).toMatch(/--only service\/activation\/after-failures --intensity quick .*--seed 3$/);
    const { id } = later.report.run.resumes ?? {};
    expect(await readFile(journal, 'utf8')).toContain(`"id":"${id}"`);
    expect((await listedIds()).filter((one) => !before.includes(one))).toEqual([foreign]);
    await runHere(['report', 'service-resumed.ndjson', '--report', 'json=again.json'], folder);
    expect(shape(await reported('again'))).toEqual(shape(later.report));
  }, 300_000);

  test('of a service, where the first sitting ended before its retries: the next one has the time for them', async () => {
    const undisturbed = await undisturbedRun();
    const short = [...toService(), '--seed', '3'].map((word) => (word === '20s' ? '600ms' : word));
    const own = ['--report', 'journal=short.ndjson', '--report', 'json=short.json'];
    await runHere([...short, ...own], folder);
    const open = (await reported('short')).checks.filter(({ outcome }) => outcome === 'inconclusive');
    expect(open.map(({ id }) => id)).toContain('service/retries/exhaustion');
    const later = await resumed(toService(), 'short.ndjson', 'patient-resumed');
    expect(later.left).toBe(open.length);
    expect(shape(later.report)).toEqual(shape(undisturbed));
  }, 300_000);

  test('of a receiver, also where the second sitting is killed as well', async () => {
    const whole = ['--seed', '7', '--report', `json=${join(folder, 'receiver.json')}`];
    const [first] = await Promise.all([killedRun(), runHere([...toReceiver(), ...whole], folder)]);
    const second = await killed([...toReceiver(), '--resume', first], 'receiver-2', 6);
    const third = await resumed(toReceiver(), second, 'receiver-3');
    expect(third.settled).toBeGreaterThan(0);
    expect(third.left).toBeGreaterThan(0);
    expect(shape(third.report)).toEqual(shape(await reported('receiver')));
    expect(await triedTwice('receiver-3')).toEqual([]);
  }, 300_000);
});

describe('--resume', () => {
  let journal: string;
  let text: string;

  beforeAll(async () => {
    journal = await killedRun();
    text = await readFile(journal, 'utf8');
  });

  /** What comes of a journal with another text. */
  async function refusedAs(changed: string, more: readonly string[] = []): Promise<string> {
    await writeFile(join(folder, 'changed.ndjson'), changed);
    const { code, stderr } = await runHere([...toReceiver(), '--resume', 'changed.ndjson', ...more], folder);
    expect(code).toBe(2);
    return stderr;
  }

  const changes: readonly (readonly [what: string, from: string | RegExp, to: string, says: string])[] = [
    ['another target', /"address":"[^"]*"/, '"address":"http://127.0.0.1:9/"', 'the target differs'],
    ['another version of the kit', /"version":"[^"]*"/, '"version":"0.0.1"', 'the version of the kit differs'],
    ['another text of the contract', /"digest":"[^"]*"/, '"digest":"0"', 'the text of the contract differs'],
    ['other checks', '"id":"receiver/', '"id":"other/', 'SW_RESUME_DIFFERS'],
    [
      'a check that it did not announce',
      '"check.finished","check":"',
      '"check.finished","check":"x',
      'not announce it',
    ],
    ['a search', '"command":', '"search":{"untilFailure":false,"feedback":true},"command":', 'the journal of a search'],
    ['deep nesting', '"type":"check.started"', `"type":"check.started","a":${'['.repeat(100_000)}`, 'Line '],
    ['no text at all', /^[^]*$/, '', 'The journal is empty'],
  ];

  test.each(changes)('refuses a journal with %s', async (_, from, to, says) => {
    const said = await refusedAs(text.replace(from, to));
    expect(said).toContain(says);
    expect(said).toMatch(/SW_(RESUME_DIFFERS|JOURNAL_UNREADABLE)/);
  });

  test('refuses other options than those of the journal', async () => {
    expect(await refusedAs(text, ['--seed', '8'])).toContain('the seed differs: 7, and 8');
    expect(await refusedAs(text, ['--skip', 'VRF-1'])).toContain('the selection of checks differs');
  });

  test('says of another contract that alone, not all that differs with it', async () => {
    const said = await refusedAs(text, ['--contract', 'slack']);
    expect(said).toMatch(/the contract differs: [^;\n]* \(first the journal, then this run\)\n/);
  });

  test('refuses to write a report in the place of the journal', async () => {
    const said = await refusedAs(text, ['--report', 'journal=changed.ndjson']);
    expect(said).toContain('SW_REPORT_WRITE');
    expect(await readFile(join(folder, 'changed.ndjson'), 'utf8')).toBe(text);
  });

  test('shows with --list what is left', async () => {
    const { stdout } = await runHere([...toReceiver(), '--resume', journal, '--list'], folder);
    const settled = [...text.matchAll(/"check.finished","check":"([^"]+)","outcome":"passed"/g)].map(([, id]) => id!);
    expect(settled.length).toBeGreaterThan(0);
    const listed = stdout.split(/\s+/);
    expect(settled.filter((id) => listed.includes(id))).toEqual([]);
    expect(stdout).toContain('receiver/');
  });

  test('reports a run again that is at its end, and needs no target', async () => {
    const other = await startReceiver({ secrets: [secret] });
    const words = ['receiver', other.url, '--secret', secret, '--intensity', 'quick', '--only', 'VRF-1'];
    const first = await runHere([...words, '--report', 'json=ended.json', '--report', 'journal=ended.ndjson'], folder);
    await other.close();
    await copyFile(join(folder, 'ended.ndjson'), join(folder, 'copied.ndjson'));
    const { code, stderr, report } = await resumed(words, 'copied.ndjson', 'ended-again');
    expect(stderr).toContain('Nothing is left to do');
    expect([code, report]).toEqual([first.code, await reported('ended')]);
  });
});
