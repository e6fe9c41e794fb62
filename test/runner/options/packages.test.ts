import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { startService } from '../../../reference/service/service.ts';
import { kitIdentity } from '../../../runner/options/packages.ts';
import { everyCase } from '../export/everyCase.ts';
import { isProof } from '../../proof/testReceiver.ts';
import { vitestTest } from '../../../runner/export/vitestTest.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const secret = 'a secret of the packed kit';

interface Locked {
  readonly packages: Readonly<
    Record<string, Readonly<Partial<Record<'dev' | 'peer' | 'devOptional' | 'optional' | 'link', true>>>>
  >;
}

/** What `npm install seaworthy` brings beside it, as folders below the root. */
async function installed(): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Locked;
  return Object.entries(packages)
    .filter(
      ([path, { dev, peer, devOptional, optional, link }]) =>
        path.startsWith('node_modules/') && !link && !dev && !peer && !devOptional && !optional,
    )
    .map(([path]) => path);
}

/** A project that takes types as strictly as it can, those of packages included. */
const strict = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
};

/** What `attw` calls the profile `esm-only`: the package is not for `require`, nor for resolution before `exports`. */
function isOfModules(problem: Problem): boolean {
  const of =
    'resolutionKind' in problem
      ? problem.resolutionKind
      : 'resolutionOption' in problem
        ? problem.resolutionOption
        : undefined;
  return of !== 'node10' && of !== 'node16-cjs';
}

/** Uses every entry of the package. */
const consumer = `
import { receiverPlan, runReceiver, type ReceiverPlan } from 'seaworthy';
import { notification, signed } from 'seaworthy/generators';
import { ArtilleryEngine, countEffects, deliver, judge } from 'seaworthy/artillery';
import { describeReceiver as listReceiver } from 'seaworthy/node-test';
import { createSummary, type RunEvent } from 'seaworthy/reports';
import type { Contract } from 'seaworthy/spec';
import { receiverChecks } from 'seaworthy/suites';
import { describeReceiver, describeService, toConform } from 'seaworthy/vitest';
import type * as runner from 'seaworthy/runner';
import { expect } from 'vitest';

const secret = process.env['SECRET'];
describeReceiver('a', { app: (_request, response) => response.end(), url: '/hooks', secret, probe: () => 1 });
describeReceiver('b', { url: 'http://localhost:3000', start: { command: 'node b.js', wait: { stdout: /on/ } } });
describeService('c', { url: 'http://localhost:4010/v2', token: 'x', emit: async (event: string) => event.length });
listReceiver('d', { app: { fetch: async (request: Request) => new Response(request.body) }, probe: async () => 1 });
expect.extend({ toConform });
export const asserted: Promise<void> = expect('http://localhost:3000').toConform({ only: ['VRF-*'] });
export const deliveries = signed(notification('container.updated'), { secret: 'x' }).map(({ headers }) => headers);
export async function* run(contract: Contract): AsyncGenerator<RunEvent> {
  const plan: ReceiverPlan = await receiverPlan('http://localhost:3000', { contract: contract.name, checks: receiverChecks });
  yield* runReceiver(plan);
}
export const load: readonly object[] = [ArtilleryEngine, countEffects, deliver, judge];
export type Everything = typeof runner;
export const summary = createSummary().summary();
// @ts-expect-error -- no option has this name
describeReceiver('e', { url: 'http://localhost:3000', secrets: 'x' });
`;

/** A test of each kind of case, and one that does not compile, by the names of their files. */
function exportedTests(): Readonly<Record<string, string>> {
  const sources = Object.entries(everyCase).map(([name, saved]) => [`${name}.test.mts`, vitestTest(saved, name)]);
  const wrong = vitestTest(everyCase['check']!, 'x').replace('outcome, says', 'outcome, said');
  return { ...Object.fromEntries(sources), 'wrong.test.mts': wrong };
}

describe('the packed kit with the packages that come with it, and no other', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'seaworthy-packed-'));
    // A copy, since what is built stands beside the sources, where other tests look at the same time.
    const sources = join(project, 'sources');
    const left = new Set(['node_modules', 'dist', '.git', '.seaworthy'].map((name) => join(root, name)));
    await cp(root, sources, { recursive: true, filter: (path) => !left.has(path) });
    await symlink(join(root, 'node_modules'), join(sources, 'node_modules'));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', project], { cwd: sources, stdio: 'pipe' });
    const kit = join(project, 'node_modules', 'seaworthy');
    await mkdir(kit, { recursive: true });
    execFileSync('sh', ['-c', `tar -xzf ./*.tgz --strip-components 1 -C "${kit}"`], { cwd: project });
    for (const path of await installed()) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await symlink(join(root, path), join(project, path));
    }
  });

  afterAll(() => rm(project, { recursive: true }));

  function execute(...words: readonly string[]): Promise<{ code: number; stdout: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, words, { cwd: project, maxBuffer: 2 ** 24 }, (error, stdout) => {
        resolve({ code: Number(error?.code ?? 0), stdout });
      });
    });
  }

  /** Links are not followed, or each package would find the others of this repository. */
  function run(...words: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const program = join(project, 'node_modules', 'seaworthy', 'dist', 'runner', 'cli', 'seaworthy.cjs');
    const options = { cwd: project, env: { PATH: process.env['PATH'], NODE_OPTIONS: '--preserve-symlinks' } };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });
  }

  it('are 25 at most, itself included', async () => {
    expect((await installed()).length + 1).toBeLessThanOrEqual(25);
  });

  it('shows the help that the sources show', async () => {
    const fromSources = await execute(join(root, 'runner', 'cli', 'seaworthy.cjs'), 'receiver', '--help');
    expect(await run('receiver', '--help')).toEqual({ ...fromSources, stderr: '' });
    const written = join(project, 'node_modules', 'seaworthy', 'dist', 'runner', 'cli', 'help.json');
    const { 80: help } = JSON.parse(await readFile(written, 'utf8')) as Record<string, Record<string, string>>;
    expect(help).toMatchObject({ 'receiver --help': fromSources.stdout, '--version': `${kitIdentity().version}\n` });
  });

  it('tests a receiver, and writes the reports that need nothing else', async () => {
    const receiver = await startReceiver({ secrets: [secret] });
    onTestFinished(() => receiver.close());
    const reports = ['html=a.html', 'junit=a.xml', 'badge=a.json'].flatMap((report) => ['--report', report]);
    const given = ['--secret', secret, '--only', 'receiver/signature/forged', '--intensity', 'quick'];
    const { code, stderr } = await run('receiver', receiver.url, ...given, ...reports);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await readFile(join(project, 'a.html'), 'utf8')).toContain('VRF-2');
    expect(await readFile(join(project, 'a.xml'), 'utf8')).toContain('receiver/signature/forged');
    expect(JSON.parse(await readFile(join(project, 'a.json'), 'utf8'))).toMatchObject({ schemaVersion: 1 });
  });

  it('tests a service, and says in a line that there is no second opinion', async () => {
    const service = await startService({ backoff: [10] });
    onTestFinished(() => service.close());
    // The second check leaves out an endpoint with a certificate that nobody trusts: certificates need a package.
    const only = ['--only', 'service/registration/*', '--only', 'service/connections/refused'];
    const given = ['--token', service.token, '--emit', service.emit, ...only];
    const { code, stdout, stderr } = await run('service', service.url, ...given, '--intensity', 'quick');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Second opinion') });
    expect(stderr).toMatch(
      /^No second opinion: Prism is not installed\. To have one: npm install --save-dev @stoplight\/prism-cli@[\d.]+\n$/,
    );
  });

  it('is what publint takes for right', async () => {
    const pkgDir = join(project, 'node_modules', 'seaworthy');
    const pkg = JSON.parse(await readFile(join(pkgDir, 'package.json'), 'utf8')) as Record<string, unknown>;
    const { messages } = await publint({ pkgDir, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('is what Artillery finds as an engine, by the name of its package', async () => {
    const name = 'artillery-engine-seaworthy';
    await cp(join(root, name), join(project, 'node_modules', name), { recursive: true });
    const target = 'http://127.0.0.1:9';
    const program = `const { default: Engine } = await import('${name}');
      const engine = new Engine({ config: { target: '${target}' } });
      await engine.init();
      console.log(engine.init.constructor.name);`;
    const { code, stdout } = await execute('--preserve-symlinks', '--input-type=module', '--eval', program);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'AsyncFunction\n' });
  });

  it.runIf(isProof)('has types that are resolved as what is run, by every import of ES modules', async () => {
    // By its name its own development's sources are found here, which are TypeScript.
    const { checkPackage, createPackageFromTarballData } =
      await import('../../../node_modules/@arethetypeswrong/core/dist/index.js');
    const tarball = await readFile(join(project, `seaworthy-${kitIdentity().version}.tgz`));
    // TypeScript resolves modules and JSON. This one is read as a file.
    const excludeEntrypoints = ['./openapi.yaml'];
    const result = await checkPackage(createPackageFromTarballData(tarball), { excludeEntrypoints });
    expect(result.types && result.problems.filter(isOfModules)).toEqual([]);
  });

  it('has the types that a strict project needs, also for exported tests of any kind of case, and no others', async () => {
    for (const name of ['vitest', '@types/node', 'typescript']) {
      await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
      await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
    }
    await writeFile(join(project, 'consumer.mts'), consumer);
    for (const [name, source] of Object.entries(exportedTests())) await writeFile(join(project, name), source);
    const files = ['consumer.mts', ...Object.keys(exportedTests())];
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files }));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await execute(compiler, '-p', project, '--listFiles');
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
    expect(errors.filter((line) => !line.includes('wrong.test.mts'))).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
    const kit = join('node_modules', 'seaworthy', 'dist');
    const used = stdout.split('\n').filter((line) => line.includes(kit));
    const published = await readdir(join(project, kit), { recursive: true });
    const types = published.filter((path) => path.endsWith('.d.ts')).map((path) => join(kit, path));
    expect(types.filter((path) => !used.some((file) => file.endsWith(path)))).toEqual([]);
    expect(types.length).toBeGreaterThan(50);
  });

  const target = ['receiver', 'http://127.0.0.1:9', '--secret', secret];
  it.each([
    ['this command', '@stoplight/prism-cli', ['mock']],
    ['this command', '@stoplight/prism-cli', ['proxy', 'http://127.0.0.1:9']],
    ['sandbox', 'fastify', ['sandbox']],
    ['demo', 'fastify', ['demo']],
    ['--image', 'testcontainers', [...target, '--image', 'a/receiver', '--port', '80']],
    ['--report badge', 'badge-maker', [...target, '--report', 'badge=a.svg']],
    ['an endpoint of the kit that speaks https', '@peculiar/x509', ['service', 'https://127.0.0.1:9', '--token', 'a']],
  ])('says of %s that %s is not installed, and the command that installs it', async (use, name, words) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${use} needs the package ${name}, which is not installed`);
    expect(stderr).toMatch(/npm install --save-dev \S+@\d/);
    expect(stderr).toContain('SW_PACKAGE_MISSING');
  });

  it('says which version of a package is needed where the project has an older one for itself', async () => {
    const folder = join(project, 'node_modules', 'fastify');
    await mkdir(folder);
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'package.json'), '{"name":"fastify","version":"4.29.1"}');
    const { code, stderr } = await run('sandbox');
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr: 'seaworthy: sandbox needs the package fastify in version 5 or later, and 4.29.1 is installed',
    });
  });
});
