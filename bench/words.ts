import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { exchangeLines } from '../reports/formats/terminal/exchange.ts';
import { pageOf } from '../reports/formats/terminal/page.ts';
import { findings, type Finding } from '../reports/model/findings.ts';
import { amount } from '../reports/text/amount.ts';
import type { RunSummary } from '../reports/model/runSummary.ts';
import { Slots } from '../runner/http/slots.ts';
import bundlePrograms from '../test/bundlePrograms.ts';
import { faultsToRun, type FaultToRun } from './wordsRun.ts';

/**
 * Writes what the suite says about every seeded fault on one page, to be read from top to bottom: each finding's words,
 * and the place of the exchange that is marked. `npm run words -- retries` takes only faults whose names hold `retries`.
 */
const page = resolve('.seaworthy/words.md');
const wanted = process.argv.slice(2);
const faults = faultsToRun().filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const slots = new Slots({ concurrency: 3 });
const parts: (string | undefined)[] = faults.map(() => undefined);
await mkdir(dirname(page), { recursive: true });
await bundlePrograms();
await Promise.all(faults.map((fault, place) => inTurn(fault, place)));
console.log(`The words of ${faults.length} faults are in ${page}`);

/** Runs one, thoroughly where `quick` finds nothing, and writes all that is there so far: a page that was cut short can be read too. */
async function inTurn(fault: FaultToRun, place: number): Promise<void> {
  await slots.acquire();
  try {
    const quick = await fault.run();
    const summary = findings(quick).length > 0 ? quick : await fault.run('standard');
    console.log(`${fault.side} ${fault.name}: ${amount(findings(summary).length, 'finding')}`);
    parts[place] = partOf(fault, summary);
  } catch (error) {
    parts[place] = `## ${fault.side}: ${fault.name}\n\nIt could not be run: ${String(error)}\n`;
  } finally {
    slots.release();
  }
  const there = parts.filter((part) => part !== undefined);
  writeFileSync(page, `# The words of ${there.length} faults\n\n${there.join('\n')}`);
}

function partOf({ side, name, summary: fault }: FaultToRun, summary: RunSummary): string {
  const reasons = summary.checks.flatMap(({ id, outcome, reason }) =>
    reason === undefined || id === '' ? [] : [`- ${id}, ${outcome}: ${reason}`],
  );
  const undecided = summary.requirements.flatMap(({ id, outcome, checks, reason = '' }) =>
    checks.length > 0 && outcome === 'inconclusive' ? [`- ${id}, ${outcome}: ${reason}`] : [],
  );
  const seen = summary.observations.map(({ gap, value, evidence }) => `- ${gap}: ${value} (${evidence})`);
  return [
    `## ${side}: ${name}`,
    '',
    fault,
    '',
    ...findings(summary).flatMap((finding) => findingPart(finding, summary)),
    ...reasons,
    ...undecided,
    ...seen,
    '',
  ].join('\n');
}

function findingPart({ check, broken, counterexample }: Finding, { target }: RunSummary): readonly string[] {
  if (counterexample === undefined) return [`${check.id} without a counterexample`];
  const { summary, expected, actual, hint } = counterexample;
  return [
    `### ${check.id}: ${broken.map(({ id }) => id).join(', ')}`,
    '',
    `title: ${check.title}`,
    `found: ${summary}`,
    `expected: ${expected}`,
    ...(summary === actual ? [] : [`actual: ${actual}`]),
    `hint: ${hint}`,
    ...marked(exchangeLines(counterexample, target, pageOf({ columns: 100 }))),
    '',
  ];
}

/** The lines that say what differs, what was sent in order and what came back; without headers and bodies that are the same. */
function marked(lines: readonly string[]): readonly string[] {
  const isTelling =
    /^(?:differs|sent|answer|answered|accepted|the other|this one|effects|delivery)\b|\^|^ +\(|^ +\d+\. /;
  return lines.filter((line) => isTelling.test(line)).map((line) => `    ${line}`);
}
