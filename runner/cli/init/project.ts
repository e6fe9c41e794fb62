import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ShippedContract } from '../../../spec/shippedContracts.ts';
import { seenInSources } from './sources.ts';
import { scriptsOf, startOf } from './startOf.ts';
import { textOf } from './textOf.ts';

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
  /** Whose webhooks it takes, by the packages that it uses. */
  readonly contract?: ShippedContract;
  readonly vitest: boolean;
  readonly ci?: 'github' | 'gitlab';
  /** The files of its packages. */
  readonly install?: string;
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
  const contract = contracts.find(([mark]) => mark.test(named))?.[1];
  const start = startOf(folder, framework);
  const { start: script, dev } = scriptsOf(folder);
  const port = portIn(`${start} ${script ?? dev}`, textOf(folder, '.env')) ?? seen.port ?? usualPort;
  const ci = ciOf(folder);
  const install = installOf(folder);
  return {
    vitest: /"vitest"/.test(textOf(folder, 'package.json')),
    ...defined({ framework, start, port, path: seen.path, secretEnv: seen.secretEnv, contract, ci, install }),
  };
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

function defined<Given extends object>(given: Given): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Given]?: Exclude<Given[Name], undefined> };
}
