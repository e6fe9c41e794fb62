import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';

import { webhookBody, type Json } from '../generators/index.ts';
import type { DocumentWarning } from '../spec/contractError.ts';
import { readYaml } from '../spec/parseYaml.ts';
import { type WebhookBody, webhookBodies } from '../spec/webhookBodies.ts';

/**
 * Reads OpenAPI documents of others, draws bodies of each of their webhooks, and validates them: against the schema as it
 * was read, and with Ajv alone against the document as it stands. `npm run bench:documents -- <folder or file> ...` makes
 * one row for each folder or file, and leaves out documents without webhooks. `--warnings` lists what was said.
 */
const drawn = 100;
const seed = 1;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Row {
  name: string;
  documents: number;
  webhooks: number;
  understood: number;
  values: number;
  valid: number;
  asItStands: number;
  warnings: Map<DocumentWarning['effect'], number>;
  /** Milliseconds to read, parse and list. */
  load: number;
  /** Milliseconds to read, compile and draw the first body of an event, at the median. */
  firstDraws: number[];
  /** Bytes that the loaded documents hold, and those with every event compiled. */
  loaded: number;
  compiled: number;
}

const args = process.argv.slice(2);
const showsWarnings = args.includes('--warnings');
const places = args.filter((each) => each !== '--warnings');
if (places.length === 0)
  throw new Error('No document is named. Name files or folders: npm run bench:documents -- docs/');
if (places.length === 1 && process.send !== undefined) process.send(measure(places[0]!));
else console.log(tableOf(await inTurn(places)));

/** Each in a process of its own, so that the memory of one is not taken for that of another. */
async function inTurn(all: readonly string[]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const place of all) {
    const flags = showsWarnings ? ['--warnings'] : [];
    const child = fork(import.meta.filename, [place, ...flags], { serialization: 'advanced' });
    const [row] = (await once(child, 'message')) as [Row];
    found.push(row);
  }
  return found;
}

function measure(place: string): Row {
  const files = statSync(place).isDirectory() ? readdirSync(place).map((name) => join(place, name)) : [place];
  const row: Row = {
    name: basename(place),
    documents: 0,
    webhooks: 0,
    understood: 0,
    values: 0,
    valid: 0,
    asItStands: 0,
    warnings: new Map(),
    load: 0,
    firstDraws: [],
    loaded: 0,
    compiled: 0,
  };
  for (const file of files.filter((each) => /\.(json|ya?ml)$/.test(each))) measureDocument(file, row);
  return row;
}

function measureDocument(file: string, row: Row): void {
  const before = heap();
  const start = performance.now();
  const document = readYaml(file, readFileSync(file, 'utf8'));
  const warn = ({ effect, pointer, message }: DocumentWarning): void => {
    row.warnings.set(effect, (row.warnings.get(effect) ?? 0) + 1);
    if (showsWarnings) console.log(`${basename(file)} ${effect} ${pointer}: ${message}`);
  };
  const bodies = webhookBodies(document, { warn });
  const load = performance.now() - start;
  if (bodies.length === 0) return;
  const loaded = heap();
  row.documents += 1;
  row.webhooks += bodies.length;
  row.load += load;
  row.loaded += loaded - before;
  const judge = createJudge(document);
  for (const body of bodies) drawBodies(body, judge, row);
  row.compiled += heap() - before;
  // Keeps them all until they were counted.
  if (bodies.some(({ method }) => method === '')) throw new Error('a webhook without a method');
}

function drawBodies(body: WebhookBody, judge: (pointer: string) => ValidateFunction | undefined, row: Row): void {
  const start = performance.now();
  const arbitrary = webhookBody(body);
  if (arbitrary === undefined) return;
  fc.sample(arbitrary, { numRuns: 1, seed });
  row.firstDraws.push(performance.now() - start);
  row.understood += 1;
  const values = fc.sample(arbitrary, { numRuns: drawn, seed });
  const untouched = judge(body.pointer);
  const isValid = (value: Json): boolean => body.validate(value);
  row.values += values.length;
  row.valid += values.filter(isValid).length;
  row.asItStands += values.filter((value) => untouched?.(value) === true).length;
}

/** Ajv alone, with the document as it stands: what it does not compile counts as not valid. */
function createJudge(document: Readonly<Record<string, unknown>>): (pointer: string) => ValidateFunction | undefined {
  const options = { strict: false, logger: false, validateSchema: false, code: { optimize: false } } as const;
  return (pointer) => {
    const ajv = new Ajv2020(options);
    formats.default(ajv);
    try {
      ajv.addSchema(document, 'document:');
      return ajv.compile({ $ref: `document:${encodeURI(pointer)}` });
    } catch (error) {
      if (showsWarnings) console.log(`${pointer}: Ajv alone says: ${String(error)}`);
      return undefined;
    }
  };
}

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function tableOf(all: readonly Row[]): string {
  const head = [
    'document',
    'webhooks',
    'understood',
    'values drawn',
    'valid',
    'valid as it stands',
    'warnings',
    'load',
    'first body',
    'memory loaded',
    'all compiled',
  ];
  const lines = all.map((row) => [
    row.documents > 1 ? `${row.name} (${row.documents} documents)` : row.name,
    row.webhooks,
    row.understood,
    row.values,
    row.valid,
    row.asItStands,
    [...row.warnings].map(([effect, count]) => `${count} ${effect}`).join(', ') || 'none',
    `${Math.round(row.load)} ms`,
    `${Math.round(median(row.firstDraws))} ms`,
    megabytes(row.loaded),
    megabytes(row.compiled),
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function megabytes(bytes: number): string {
  return `${Math.max(0, Math.round(bytes / 1e6))} MB`;
}
