import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readJournal } from '../../../reports/model/journal.ts';
import { isProof } from '../../proof/testReceiver.ts';

const projects = join(import.meta.dirname, 'projects');
const vitest = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'vitest', 'vitest.mjs');

/** What the reporter of the project prints of a test or of a group. */
interface Line {
  readonly test?: string;
  readonly group?: string;
  readonly state: string;
  readonly note?: string;
  readonly errors: readonly {
    readonly name: string;
    readonly message: string;
    readonly expected?: string;
    readonly actual?: string;
    readonly stack: string;
  }[];
  readonly annotations: readonly { readonly type: string; readonly message: string; readonly attachment?: object }[];
  readonly timeout?: number;
  readonly retry?: number;
  readonly tags?: readonly string[];
}

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-tests-'));
});

afterAll(() => rm(directory, { recursive: true }));

/** What a program prints, in an empty folder of its own. */
async function run(...words: readonly string[]): Promise<{ readonly output: string; readonly folder: string }> {
  const folder = await mkdtemp(join(directory, 'run-'));
  // Those of this run are not for another one.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_TEST|SEAWORTHY|TEST$)/.test(name));
  const env = { ...Object.fromEntries(own), ATTACHMENTS: join(folder, 'attachments'), NO_COLOR: '1' };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, { cwd: folder, env, maxBuffer: 2 ** 25 }, (_, out, err) => resolve(out + err));
  });
  return { output, folder };
}

async function runVitest(
  ...words: readonly string[]
): Promise<{ readonly lines: readonly Line[]; readonly folder: string }> {
  const { output, folder } = await run(vitest, 'run', '--config', join(projects, 'vitest.config.ts'), ...words);
  const lines = [...output.matchAll(/^@@(.*)$/gm)].map(([, line = '']) => JSON.parse(line) as Line);
  if (lines.length === 0) throw new Error(output);
  return { lines, folder };
}

/** The ids of the checks of each run. */
async function checksOf(folder: string): Promise<readonly (readonly string[])[]> {
  const runs = join(folder, '.seaworthy', 'runs');
  const journals = (await readdir(runs)).filter((name) => name.endsWith('.ndjson')).toSorted();
  const texts = await Promise.all(journals.map((name) => readFile(join(runs, name), 'utf8')));
  return texts.map((text) => {
    const [first] = readJournal(text);
    return first?.type === 'run.started' ? first.checks.map(({ id }) => id) : [];
  });
}

const caller = (line: number): unknown =>
  expect.stringMatching(new RegExp(`^ +at \\S*receivers\\.fixture\\.ts:${line}:1$`, 'm'));

describe('in Vitest', () => {
  let lines: readonly Line[];

  beforeAll(async () => {
    ({ lines } = await runVitest());
  });

  function line(group: string, id: string): Line | undefined {
    return lines.find(({ test = '' }) => test.startsWith(`${group} > `) && test.includes(` > ${id}: `));
  }

  it('a check that fails is a test that fails, once, at the line of the caller', () => {
    const failed = line('forgetful', 'receiver/idempotency/takes-effect-once');
    expect(failed).toMatchObject({
      state: 'failed',
      test: expect.stringContaining('forgetful > IDM-2: A notification takes effect once'),
      errors: [{ name: 'NonConformance', expected: 'exactly one effect', actual: '2 effects', stack: caller(10) }],
      line: 10,
    });
    const [error] = failed?.errors ?? [];
    expect(error?.message).toMatch(/^one redelivery: 2 effects[^]*\n\nKeep the ids of what you have accepted/);
    expect(error?.stack.match(/^ +at /gm)).toHaveLength(1);
  });

  it('says how to see it again, and attaches the case', () => {
    const annotations = line('forgetful', 'receiver/idempotency/takes-effect-once')?.annotations ?? [];
    expect(annotations.map(({ type }) => type)).toEqual(['curl', 'again', 'case', 'more']);
    expect(annotations[0]?.message).toContain('curl -sS');
    expect(annotations[1]?.message).toContain('seed: 1,');
    expect(annotations[2]?.attachment).toMatchObject({ contentType: 'application/json' });
    expect(annotations[3]?.message).toBe('npx seaworthy explain IDM-2');
  });

  it('is neither tried again nor bound by the time-out of other tests, and has no tags', () => {
    const of = lines.filter(({ test = '' }) => test.includes('receiver/'));
    expect(of.length).toBeGreaterThan(8);
    for (const each of of) expect(each).toMatchObject({ timeout: 0, retry: 0, tags: [] });
  });

  it('a check that passes is a test that passes, and one that cannot be observed is skipped with the reason', () => {
    expect(line('forgetful', 'receiver/signature/refusal')).toMatchObject({ state: 'passed', annotations: [] });
    expect(line('forgetful', 'receiver/source/other-address')).toMatchObject({
      state: 'skipped',
      note: 'needs to know which sender addresses the receiver lets in: give published',
    });
  });

  it('what is known to fail passes as long as it fails', () => {
    expect(line('known', 'receiver/idempotency/takes-effect-once')).toMatchObject({
      state: 'passed',
      test: expect.stringMatching(/\(known to fail: the ids come next\)$/),
    });
    expect(line('known', 'receiver/idempotency/concurrent-copies')).toMatchObject({
      state: 'passed',
      annotations: expect.arrayContaining([{ type: 'known', message: 'known to fail: so does the index' }]),
    });
    expect(line('known', 'receiver/signature/refusal')).toMatchObject({ state: 'failed' });
  });

  it('a command that says where it listens is started', () => {
    expect(line('started', 'receiver/signature/refusal')).toMatchObject({ state: 'passed' });
  });

  it('a receiver that is not there is one error, and no test passes', () => {
    const absent = lines.find(({ group }) => group === 'absent');
    expect(absent?.errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('nothing takes connections'), stack: caller(43) }),
    ]);
    expect(line('absent', 'receiver/signature/refusal')).toMatchObject({ state: 'skipped' });
  });

  it('what is required and was not observed fails the group', () => {
    const required = lines.find(({ group }) => group === 'required');
    expect(required?.errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^SRC-1 is required, and was not observed/) }),
    ]);
  });

  it('one assertion says what fails, and what to do', () => {
    expect(lines.find(({ test }) => test === 'in one assertion > conforms')).toMatchObject({ state: 'passed' });
    const failed = lines.find(({ test }) => test === 'in one assertion > does not conform');
    expect(failed?.errors[0]?.message).toMatch(/A check fails:\n\nIDM-2 receiver[^]*2 effects[^]*Keep the ids/);
  });
});

it.runIf(isProof)('with -t, Vitest runs the chosen checks and no others', async () => {
  const { lines, folder } = await runVitest('-t', 'known .*(takes-effect-once|refusal)');
  const ran = lines.filter(({ test, state }) => test !== undefined && state !== 'skipped');
  expect(ran).toHaveLength(2);
  expect(await checksOf(folder)).toEqual([['receiver/idempotency/takes-effect-once', 'receiver/signature/refusal']]);
});

describe('in node:test', () => {
  it('runs the chosen checks and no others, and says the same of them', async () => {
    const file = join(projects, 'receivers.node.ts');
    const { output, folder } = await run('--test', '--test-name-pattern', 'idempotency|source|absent', file);
    expect(output).toMatch(/✖ receiver\/idempotency\/takes-effect-once: /);
    expect(output).toMatch(/NonConformance: one redelivery: 2 effects[^]*?\n +at \S*receivers\.node\.ts:8:1 /);
    expect(output).toMatch(/^test at \S*receivers\.node\.ts:8:1\n✖ receiver\/idempotency\/takes-effect-once: /m);
    expect(output).toMatch(/ℹ curl: [^]*?ℹ again: [^]*?seed: 1,/);
    expect(output).toMatch(/﹣ receiver\/source\/other-address: .* # needs to know which sender addresses/);
    expect(output).toMatch(
      /receiver\/idempotency\/concurrent-copies: .*\(known to fail: the index comes next\).*# EXPECTED FAILURE/,
    );
    expect(output).toMatch(/✖ absent[^]*nothing takes connections/);
    expect(await checksOf(folder)).toContainEqual([
      'receiver/idempotency/takes-effect-once',
      'receiver/idempotency/concurrent-copies',
      'receiver/source/other-address',
    ]);
  });
});
