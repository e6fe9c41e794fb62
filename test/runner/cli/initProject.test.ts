import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { askedAnswers } from '../../../runner/cli/init/answers.ts';
import { configText } from '../../../runner/cli/init/projectTexts.ts';
import { seenProject } from '../../../runner/cli/init/project.ts';
import { loadConfig } from '../../../runner/options/loadConfig.ts';
import { runHere } from '../runHere.ts';

let root: string;

beforeAll(async () => (root = await mkdtemp(join(tmpdir(), 'seaworthy-init-'))));
afterAll(() => rm(root, { recursive: true }));

/** A project with these files. */
async function project(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(folder, { recursive: true });
  return folder;
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

const express = {
  'package.json':
    '{"scripts":{"start":"node src/server.js"},"dependencies":{"express":"5"},"devDependencies":{"vitest":"5"}}',
  'src/server.js': `const secret = process.env.WEBHOOK_SECRET;
app.post('/login', (q, r) => r.end());
app.post('/orders/webhook', (q, r) => r.end());
app.listen(process.env.PORT ?? 3456);`,
  'node_modules/other/index.js': "app.post('/their/webhook'); listen(1)",
};

describe('what is seen of a project', () => {
  test.each([
    [
      'express',
      express,
      {
        framework: 'Express',
        start: 'node src/server.js',
        port: 3456,
        path: '/orders/webhook',
        secretEnv: 'WEBHOOK_SECRET',
        tests: 'Vitest',
        dependsOnKit: false,
        install: 'npm install',
      },
    ],
    [
      'flask',
      {
        'requirements.txt': 'flask\nstripe\n',
        'app.py': '@app.route("/hook", methods=["POST"])\ns = os.environ["HOOK_SECRET"]\napp.run(port=5005)\n',
        '.github/x': '',
      },
      {
        framework: 'Flask',
        start: 'python3 app.py',
        port: 5005,
        path: '/hook',
        secretEnv: 'HOOK_SECRET',
        contract: 'stripe',
        ci: 'github',
      },
    ],
    [
      'nest',
      {
        'package.json': '{"dependencies":{"@nestjs/core":"1"},"scripts":{"start":"nest start --port 4001"}}',
        'src/a.ts': "@Controller('webhooks')\nclass A { @Post('github') take() {} }",
      },
      { framework: 'NestJS', start: 'npm start', port: 4001, path: '/webhooks/github' },
    ],
    [
      'next',
      {
        'package.json': '{"dependencies":{"next":"1"},"scripts":{"dev":"next dev"}}',
        'app/(shop)/api/hooks/route.ts': 'export function POST() {}',
      },
      { framework: 'Next.js', start: 'npm run dev', port: 3000, path: '/api/hooks' },
    ],
    [
      'spring',
      {
        'pom.xml': '<artifactId>spring-boot-starter</artifactId>',
        'src/main/java/A.java': '@PostMapping("/webhook") void a() { System.getenv("SIGNING_SECRET"); }',
        '.gitlab-ci.yml': '',
      },
      {
        framework: 'Spring Boot',
        start: 'mvn spring-boot:run',
        port: 8080,
        path: '/webhook',
        secretEnv: 'SIGNING_SECRET',
        ci: 'gitlab',
      },
    ],
    [
      'go',
      { 'go.mod': 'module a', 'main.go': 'http.HandleFunc("/hooks", take)\nhttp.ListenAndServe(":9090", nil)' },
      { start: 'go run .', port: 9090, path: '/hooks' },
    ],
    [
      'header',
      { 'go.mod': 'module a', 'main.go': 'signature := r.Header.Get("X-Hub-Signature-256")' },
      { contract: 'github' },
    ],
    ['cgi', { Gemfile: 'gem "rails"', 'app.rb': "env['HTTP_STRIPE_SIGNATURE']" }, { contract: 'stripe' }],
    ['nothing', {}, { dependsOnKit: false }],
    [
      'node-test',
      { 'package.json': '{"scripts":{"test":"node --import x --test"},"devDependencies":{"seaworthy":"file:s.tgz"}}' },
      { tests: 'node:test', dependsOnKit: true },
    ],
  ] as const)('%s', async (name, files, seen) => {
    expect(seenProject(await project(`seen-${name}`, files))).toMatchObject(seen);
  });

  test('starts no file of an app that listens nowhere', async () => {
    const app = "import express from 'express';\nexport const app = express().post('/hooks', take);\n";
    const exported = await project('seen-app', { 'app.js': app });
    expect(seenProject(exported).start).toBeUndefined();
    const served = await project('seen-server', { 'app.js': app, 'src/server.js': 'app.listen(3000);' });
    expect(seenProject(served).start).toBe('node src/server.js');
  });

  test('takes no header for one whose name it ends with', async () => {
    const files = { 'app.py': "request.headers['X-Shop-Webhook-Signature']" };
    expect(seenProject(await project('seen-own', files)).contract).toBeUndefined();
  });
});

describe('seaworthy init', () => {
  test('writes a config that loads, and a Vitest file; run twice, it changes nothing', async () => {
    const folder = await project('twice', express);
    const { code, stdout } = await runHere(['init', '--yes'], folder);
    expect(code).toBe(0);
    expect(stdout).toContain('wrote  seaworthy.config.ts\nwrote  seaworthy.test.ts\n');
    const { config } = await loadConfig(folder, { config: ['seaworthy.config.ts'] });
    expect(config).toMatchObject({
      contract: 'tracking',
      receiver: {
        url: 'http://localhost:3456/orders/webhook',
        start: 'node src/server.js',
        secretEnv: 'WEBHOOK_SECRET',
      },
    });
    const before = filesIn(folder);
    expect((await runHere(['init'], folder)).stdout).toContain('left as it is  seaworthy.config.ts');
    expect(filesIn(folder)).toEqual(before);
  });

  test('writes a file for node:test where the scripts run it', async () => {
    const folder = await project('node-test', {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'seaworthy.config.js': 'export default {};',
    });
    const { stdout } = await runHere(['init', '--yes'], folder);
    expect(stdout).toContain('wrote  seaworthy.test.mjs\n');
    expect(stdout).toContain('Or as tests: node --test seaworthy.test.mjs\n');
    const text = readFileSync(join(folder, 'seaworthy.test.mjs'), 'utf8');
    expect(text).toContain("from 'seaworthy/node-test';\n\nimport config from './seaworthy.config.js';");
  });

  test('writes a workflow that calls the kit of the project, or says where it comes from', async () => {
    const job = async (name: string, dependencies: string): Promise<string> => {
      const folder = await project(name, { 'package.json': `{"dependencies":${dependencies}}`, '.github/x': '' });
      await runHere(['init', '--yes'], folder);
      return readFileSync(join(folder, '.github/workflows/seaworthy.yml'), 'utf8');
    };
    const own = await job('depends', '{"seaworthy":"file:s.tgz"}');
    expect(own).toContain('- run: npx seaworthy receiver --report');
    expect(own).not.toContain('not published');
    expect(await job('fetches', '{}')).toMatch(/^# seaworthy is not published yet[^]*- run: npx --yes seaworthy@\d/m);
  });

  test('says which tests it looks for, where a project has others', async () => {
    const folder = await project('jest', { 'package.json': '{"devDependencies":{"jest":"30.0.0"}}' });
    const { stdout } = await runHere(['init', '-y'], folder);
    expect(stdout).toMatch(/^ {2}tests +\(Vitest or node:test: not seen\)$/m);
  });

  test('leaves a config file of another form as it is, and writes a workflow where no test can import it', async () => {
    const folder = await project('other', {
      ...express,
      'seaworthy.config.yaml': 'intensity: quick\n',
      '.github/x': '',
    });
    const { stdout } = await runHere(['init', '-y'], folder);
    expect(stdout).not.toContain('Or as tests');
    expect(stdout).toContain('left as it is  seaworthy.config.yaml\nwrote  .github/workflows/seaworthy.yml\n');
    expect(Object.keys(filesIn(folder))).not.toContain(join(folder, 'seaworthy.config.ts'));
  });
});

test('it asks only what it cannot see, and again where an answer cannot be', async () => {
  const asked: string[] = [];
  const answers = ['http//', 'http://localhost:9/in', "start 'it'", '', 'count {id}'];
  const ask = async (question: string): Promise<string> => (asked.push(question), answers.shift()!);
  const found = await askedAnswers({ dependsOnKit: false, contract: 'github', path: '/in' }, ask);
  expect(found).toEqual({
    contract: 'github',
    url: 'http://localhost:9/in',
    start: "start 'it'",
    secretEnv: undefined,
    probe: 'count {id}',
  });
  expect(asked).toHaveLength(5);
  const folder = await project('asked', { 'seaworthy.config.ts': configText(found) });
  const { config } = await loadConfig(folder, { config: ['seaworthy.config.ts'] });
  expect(config.receiver).toMatchObject({ start: "start 'it'", probe: 'count {id}' });
});
