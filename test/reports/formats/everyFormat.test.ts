import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { renderDocument } from '../../../reports/formats/index.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { arbitraryRun } from '../arbitraryRun.ts';
import { readBadge } from '../readers/badge.ts';
import { readGithub } from '../readers/github.ts';
import { readJson } from '../readers/json.ts';
import { readJunit } from '../readers/junit.ts';
import { readMarkdown } from '../readers/markdown.ts';
import { readSarif } from '../readers/sarif.ts';
import { readTerminal } from '../readers/terminal.ts';
import { factsOf, type Facts } from '../readers/facts.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/**
 * One model: whatever the run, every format is read back with a parser, and says the same. A format leaves out what has
 * no place in it; what it says must be what the summary says.
 */

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-formats-'));
});
afterAll(() => rm(directory, { recursive: true }));

const options = { journal: '.seaworthy/runs/run-1.ndjson', config: 'seaworthy.config.ts' };

type Reader = (text: string, summary: RunSummary) => Partial<Facts> | Promise<Partial<Facts>>;

const readers = {
  json: readJson,
  junit: async (text) => {
    const file = join(directory, 'junit.xml');
    await writeFile(file, text);
    return readJunit(text, file);
  },
  markdown: readMarkdown,
  sarif: readSarif,
  github: readGithub,
  terminal: readTerminal,
} as const satisfies Record<string, Reader>;

/** How many facts each format tells at least, so that a reader which finds nothing fails. */
const reported = { json: 8, junit: 5, markdown: 7, sarif: 7, github: 5, terminal: 2 } as const;

test.each(Object.keys(readers) as (keyof typeof readers)[])('%s says what the summary says', async (name) => {
  const reader: Reader = readers[name];
  await fc.assert(
    fc.asyncProperty(arbitraryRun, async (run) => {
      const summary = summarise(run);
      const facts = factsOf(summary);
      const read = await reader(await renderDocument(name, { kind: 'run', summary }, options), summary);
      expect(Object.keys(read).length).toBeGreaterThanOrEqual(reported[name]);
      expect(read).toEqual(Object.fromEntries(Object.keys(read).map((key) => [key, facts[key as keyof Facts]])));
    }),
    { numRuns: 120 },
  );
});

test('a badge says what the summary says, as SVG and as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRun, async (run) => {
      const summary = summarise(run);
      const document = { kind: 'run', summary } as const;
      const json = readBadge(await renderDocument('badge', document, { path: 'badge.json' }));
      expect(readBadge(await renderDocument('badge', document, { path: 'badge.svg' }))).toEqual(json);
      const { message } = json;
      expect(message.startsWith('does not conform')).toBe(summary.verdict === 'does-not-conform');
      expect(message === 'conforms').toBe(summary.verdict === 'conforms' && exitCode(summary) < 2);
      expect(message.includes('incomplete')).toBe(!summary.run.complete || exitCode(summary) > 1);
    }),
    { numRuns: 60 },
  );
});
