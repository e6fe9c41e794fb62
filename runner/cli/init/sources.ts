import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import type { ShippedContract } from '../../../spec/shippedContracts.ts';
import { shippedSignatures } from '../../../spec/contractFiles.ts';

/** What the sources of a project say. */
export interface SeenInSources {
  readonly port?: number;
  readonly path?: string;
  readonly secretEnv?: string;
  /** Whose signature header is named in them. */
  readonly contract?: ShippedContract;
  /** Whether one of them listens. */
  readonly listens: boolean;
}

const endings = /\.(?:[cm]?[jt]sx?|py|java|kt|go|rb|php)$/;
const passedOver =
  /^(?:\..*|node_modules|vendor|dist|build|out|target|coverage|venv|__pycache__|tests?|__tests__|spec|docs)$/;
const ofTests = /\.(?:test|spec|d)\.|^seaworthy\.|\.config\.|_test\.|^test_/;

/** Most files that are read, and most bytes of one. */
const mostFiles = 500;
const mostBytes = 200_000;

/** Looks for the port, the path that takes webhooks, the variable of the secret and the signature's header in the sources below a folder. */
export function seenInSources(folder: string): SeenInSources {
  const files = sourcesIn(folder).slice(0, mostFiles);
  const texts = files.filter((file) => statSync(file).size <= mostBytes).map((file) => readFileSync(file, 'utf8'));
  const path = best(texts.flatMap(routesIn)) ?? fileRoute(files.map((file) => relative(folder, file)));
  const port = texts.map(portIn).find((found) => found !== undefined);
  const secretEnv = best(texts.flatMap(secretsIn));
  const contract = contractIn(texts.join('\n'));
  return {
    listens: texts.some(listens),
    ...(port !== undefined && { port }),
    ...(path !== undefined && { path }),
    ...(secretEnv !== undefined && { secretEnv }),
    ...(contract !== undefined && { contract }),
  };
}

/** Whether a source begins to listen itself: what only exports an app does not. */
export function listens(text: string): boolean {
  return /\b(?:listen|serve)\(/.test(text);
}

function sourcesIn(folder: string): readonly string[] {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined && found.length < mostFiles; next = folders.shift()) {
    for (const entry of entriesOf(next)) {
      if (entry.isDirectory() && !passedOver.test(entry.name)) folders.push(join(next, entry.name));
      if (entry.isFile() && endings.test(entry.name) && !ofTests.test(entry.name)) found.push(join(next, entry.name));
    }
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Something found, and how sure it is: the higher the surer. */
type Guess = readonly [text: string, weight: number];

function best(guesses: readonly Guess[]): string | undefined {
  return guesses.toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

const isAboutWebhooks = /hook|callback|notification|event/i;

/** Paths that take a POST, and other paths that are named like one that takes webhooks. */
function routesIn(text: string): readonly Guess[] {
  const post =
    /(?:\.(?:post|all|HandleFunc|Handle|POST)\(\s*|@app\.route\(\s*|PostMapping\(\s*(?:(?:value|path)\s*=\s*)?|^\s*post\s+)["'`](\/[\w/.-]*)["'`]/gm;
  const posts = [...text.matchAll(post)].map(([, path = '']): Guess => [path, isAboutWebhooks.test(path) ? 3 : 1]);
  const literals = [...text.matchAll(/["'`](\/[\w/.-]*hooks?[\w/.-]*)["'`]/gi)].map(([, path = '']): Guess => [
    path,
    2,
  ]);
  return [...nestRoutes(text), ...posts, ...literals].filter(([path]) => path !== '/' || posts.length === 1);
}

/** `@Controller('hooks')` with `@Post('orders')`. */
function nestRoutes(text: string): readonly Guess[] {
  const [, base] = /@Controller\(\s*(?:["'`]([^"'`]*)["'`])?\s*\)/.exec(text) ?? [];
  const [found, rest = ''] = /@Post\(\s*(?:["'`]([^"'`]*)["'`])?\s*\)/.exec(text) ?? [];
  if (found === undefined || base === undefined) return [];
  const path = `/${[base, rest]
    .map((part) => part.replaceAll(/^\/|\/$/g, ''))
    .filter(Boolean)
    .join('/')}`;
  return [[path, isAboutWebhooks.test(path) ? 3 : 1]];
}

/** The path of a route that a file is, as Next.js has it. */
function fileRoute(files: readonly string[]): string | undefined {
  const paths = files.map((file) => file.split(sep).join('/')).filter((file) => isAboutWebhooks.test(file));
  for (const path of paths) {
    const [, app] = /(?:^|\/)app\/(.*)\/route\.[jt]s$/.exec(path) ?? [];
    const [, page] = /(?:^|\/)pages\/(api\/.*?)(?:\/index)?\.[jt]s$/.exec(path) ?? [];
    const found = app?.replaceAll(/\([^)]*\)\//g, '') ?? page;
    if (found !== undefined && !found.includes('[')) return `/${found}`;
  }
  return undefined;
}

function portIn(text: string): number | undefined {
  const patterns = [
    /\blisten\(\s*(?:\{[^}]*?\bport:\s*)?(\d{2,5})\b/,
    /\bPORT\b["'\])]*\s*(?:\?\?|\|\||,)\s*["']?(\d{2,5})\b/,
    /\bport\s*[=:]\s*(\d{2,5})\b/,
    /\bListenAndServe\("[^":]*:(\d{2,5})"/,
    /\bInetSocketAddress\((?:[^,()]*,\s*)?(\d{2,5})\)/,
  ];
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((port) => port !== undefined);
  return found === undefined ? undefined : Number(found);
}

/** Environment variables that hold a secret, those of webhooks first. */
function secretsIn(text: string): readonly Guess[] {
  const names =
    /(?:\benv(?:\.|\[["'])|\benviron(?:\.get\(|\[)["']|\b[Gg]et_?[Ee]nv\(["']|\bENV\[["'])([A-Z][A-Z0-9_]*(?:SECRET|SIGNING)[A-Z0-9_]*)/g;
  return [...text.matchAll(names)].map(([, name = '']): Guess => [name, /HOOK|SIGN/.test(name) ? 2 : 1]);
}

/** The contract whose signature header is named, in any case, or as the variable that CGI makes of a header. */
function contractIn(text: string): ShippedContract | undefined {
  const isNamed = (header: string): boolean => {
    const words = header.replaceAll('-', '[-_]');
    return new RegExp(`(?<![\\w-])(?:http_)?${words}(?![\\w-])`, 'i').test(text);
  };
  return shippedSignatures().find(([, headers]) => headers.some(isNamed))?.[0];
}
