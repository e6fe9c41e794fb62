import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ShippedContract } from '../../../spec/shippedContracts.ts';
import { listens, seenInSources } from './sources.ts';
import { defined } from '../../../spec/defined.ts';

/** What can be seen of a project; what cannot is not there. */
export interface Project {
  /** `Express`, `Flask` and the like. */
  readonly framework?: string;
  /** A shell command that runs it. */
  readonly start?: string;
  readonly port?: number;
  /** The path that takes webhooks. */
  readonly path?: string;
  /** The environment variable that its secret comes from. */
  readonly secretEnv?: string;
  /** Whose webhooks it takes, by the packages that it uses, or by the header that it looks for. */
  readonly contract?: ShippedContract;
  /** The test runner that its package.json names. */
  readonly tests?: 'Vitest' | 'node:test';
  readonly ci?: 'github' | 'gitlab';
  /** The command that installs its packages. */
  readonly install?: string;
  /** Whether the kit is one of these packages. */
  readonly dependsOnKit: boolean;
}

/** A package, or a part of the name of one, and the framework that it means, with the port that this one listens on. */
const frameworks: readonly (readonly [mark: RegExp, name: string, port?: number])[] = [
  [/"next"/, 'Next.js', 3000],
  [/"@nestjs\/core"/, 'NestJS', 3000],
  [/"fastify"/, 'Fastify'],
  [/"hono"/, 'Hono'],
  [/"koa"/, 'Koa'],
  [/"express"/, 'Express'],
  [/\bfastapi\b/i, 'FastAPI', 8000],
  [/\bflask\b/i, 'Flask', 5000],
  [/\bdjango\b/i, 'Django', 8000],
  [/spring-boot/, 'Spring Boot', 8080],
  [/\brails\b/, 'Rails', 3000],
  [/laravel\/framework/, 'Laravel', 8000],
  [/gin-gonic\/gin/, 'Gin', 8080],
];

const contracts: readonly (readonly [mark: RegExp, name: ShippedContract])[] = [
  [/"@octokit\/webhooks(?:-methods)?"|\bgithub-webhooks\b/, 'github'],
  [/"stripe"|^stripe\b|stripe-java/m, 'stripe'],
  [/"@slack\/bolt"|slack[-_]bolt/, 'slack'],
  [/"@shopify\/shopify-(?:api|app-\w+)"|shopify_api/i, 'shopify'],
  [/"standardwebhooks"|"svix"|^(?:standardwebhooks|svix)\b/m, 'standard-webhooks'],
];

/** Files that say what a project is made of. */
const manifests = [
  'package.json',
  'requirements.txt',
  'pyproject.toml',
  'Pipfile',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'go.mod',
  'Gemfile',
  'composer.json',
];

/** Looks at the project in a folder; runs nothing of it. */
export function seenProject(folder: string): Project {
  const named = manifests.map((name) => textOf(folder, name)).join('\n');
  const seen = seenInSources(folder);
  const [, framework, usualPort] = frameworks.find(([mark]) => mark.test(named)) ?? [];
  const contract = contracts.find(([mark]) => mark.test(named))?.[1] ?? seen.contract;
  const start = startOf(folder, framework, seen.listens);
  const { start: script, dev } = scriptsOf(folder);
  const port = portIn(`${start} ${script ?? dev}`, textOf(folder, '.env')) ?? seen.port ?? usualPort;
  const ci = ciOf(folder);
  const install = installOf(folder);
  const own = textOf(folder, 'package.json');
  const tests = testsIn(own);
  return {
    dependsOnKit: /"seaworthy"\s*:/.test(own),
    ...defined({ framework, start, port, path: seen.path, secretEnv: seen.secretEnv, contract, tests, ci, install }),
  };
}

function testsIn(manifest: string): Project['tests'] {
  if (manifest.includes('"vitest"')) return 'Vitest';
  return /"node\b[^"]* --test\b/.test(manifest) ? 'node:test' : undefined;
}

function portIn(start: string, environment: string): number | undefined {
  const [, word] = /(?:--port[= ]|-p |\bPORT=)(\d{2,5})\b/.exec(start) ?? [];
  const [, line] = /^\s*PORT\s*=\s*["']?(\d{2,5})\b/m.exec(environment) ?? [];
  const found = word ?? line;
  return found === undefined ? undefined : Number(found);
}

function ciOf(folder: string): Project['ci'] {
  if (existsSync(join(folder, '.gitlab-ci.yml'))) return 'gitlab';
  const remote = textOf(folder, join('.git', 'config'));
  if (existsSync(join(folder, '.github')) || remote.includes('github.com')) return 'github';
  return remote.includes('gitlab') ? 'gitlab' : undefined;
}

const installs: readonly (readonly [file: string, command: string])[] = [
  ['pnpm-lock.yaml', 'corepack enable && pnpm install --frozen-lockfile'],
  ['yarn.lock', 'corepack enable && yarn install --immutable'],
  ['package-lock.json', 'npm ci'],
  ['package.json', 'npm install'],
  ['requirements.txt', 'pip install -r requirements.txt'],
  ['Gemfile', 'bundle install'],
  ['composer.json', 'composer install'],
];

function installOf(folder: string): string | undefined {
  return installs.find(([file]) => existsSync(join(folder, file)))?.[1];
}

/**
 * A shell command that runs the project, as far as it can be seen: its start script, a file that such projects begin with, or
 * the way of its framework.
 */
function startOf(folder: string, framework: string | undefined, anyListens: boolean): string | undefined {
  return script(folder) ?? byFramework(folder, framework) ?? mainFile(folder, anyListens);
}

/** A script that does nothing but start Node is taken as it is: nothing then stands between the kit and the process. */
function script(folder: string): string | undefined {
  const { start, dev } = scriptsOf(folder);
  if (start !== undefined) return /^node [^&|;]+$/.test(start) ? start : 'npm start';
  return dev === undefined ? undefined : 'npm run dev';
}

/** The scripts of the package in a folder; none where it has none. */
function scriptsOf(folder: string): Readonly<Record<string, string | undefined>> {
  try {
    return (JSON.parse(textOf(folder, 'package.json')) as { readonly scripts?: Record<string, string> }).scripts ?? {};
  } catch {
    return {};
  }
}

function byFramework(folder: string, framework: string | undefined): string | undefined {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const module = ['app', 'main', 'wsgi', 'server'].find((name) => has(`${name}.py`));
  switch (framework) {
    case 'Flask':
      return module && flaskStart(folder, module);
    case 'FastAPI':
      return module && `uvicorn ${module}:app --port 8000`;
    case 'Django':
      return 'python3 manage.py runserver 8000 --noreload';
    case 'Spring Boot':
      if (has('pom.xml')) return `${has('mvnw') ? './mvnw' : 'mvn'} spring-boot:run`;
      return `${has('gradlew') ? './gradlew' : 'gradle'} bootRun`;
    case 'Rails':
      return 'bin/rails server';
    case 'Laravel':
      return 'php artisan serve --port 8000';
    default:
      return has('go.mod') ? 'go run .' : undefined;
  }
}

function flaskStart(folder: string, module: string): string {
  return /\bapp\.run\(/.test(textOf(folder, `${module}.py`))
    ? `python3 ${module}.py`
    : `flask --app ${module} run --port 5000`;
}

/** @param anyListens - whether a file of the project does: else there is none to start */
function mainFile(folder: string, anyListens: boolean): string | undefined {
  const names = ['server', 'index', 'app', 'main'].flatMap((name) => [`${name}.js`, `${name}.mjs`, `${name}.ts`]);
  const there = [...names, ...names.map((name) => `src/${name}`)].filter((name) => existsSync(join(folder, name)));
  const node = there.find((name) => listens(textOf(folder, name))) ?? (anyListens ? there[0] : undefined);
  if (node !== undefined) return `node ${node}`;
  const python = ['server.py', 'app.py', 'main.py'].find((name) => existsSync(join(folder, name)));
  return python && `python3 ${python}`;
}

/** The text of a file; empty where there is none that can be read. */
function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}
