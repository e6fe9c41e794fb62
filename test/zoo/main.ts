import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

import bundlePrograms from '../bundlePrograms.ts';
import { receivers } from './receivers.ts';
import { secondReceivers, secondSenders, secondServices } from './second.ts';
import { senders } from './senders.ts';
import { services } from './services.ts';
import { thirdReceivers, thirdSenders, thirdServices } from './third.ts';
import { visit } from './visit.ts';
import { mostMemory, type ZooTarget } from './zooTarget.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'zoo.md');

const preamble = (before: string): string => `# The zoo

Strange targets, and what a run against each came to: \`npm run zoo\` visits all of them and writes this page. A row of
\`test/zoo/receivers.ts\`, \`services.ts\`, \`answers.ts\`, \`floods.ts\` or \`senders.ts\` beside it says which exit codes are
right, what has to be said or found broken, and how long the program may take. No run may take more than ${mostMemory} MB. Times
depend on the machine: its load was ${before} at the beginning and ${load()} at the end, on ${availableParallelism()} processors.
`;

const head = `
| target | exit code | verdict | seconds | MB | as it should be |
| --- | --- | --- | --- | --- | --- |
`;

type Tables = Readonly<Record<string, readonly ZooTarget[]>>;

/** Each with what stands above it. */
const tables: readonly (readonly [above: string, targets: Tables])[] = [
  ['', { receiver: receivers, service: services, sender: senders }],
  [
    `
## A second table

These were thought out once the others were right (\`test/zoo/second.ts\`).
`,
    { receiver: secondReceivers, service: secondServices, sender: secondSenders },
  ],
  [
    `
## A third table

These were thought out by somebody who had not read the files of the others (\`test/zoo/third.ts\`).
`,
    { receiver: thirdReceivers, service: thirdServices, sender: thirdSenders },
  ],
];

/** How many wanted a processor, over the last minute. */
function load(): string {
  return (loadavg()[0] ?? 0).toFixed(0);
}

/** Visits every target whose kind and name hold these words: `npm run zoo -- service list`. All of them make the page anew. */
async function main([kind = '', ...words]: readonly string[]): Promise<void> {
  await bundlePrograms();
  const before = load();
  const isWanted = (name: string, target: ZooTarget): boolean =>
    name.startsWith(kind) && target.name.includes(words.join(' '));
  let shown = '';
  for (const [above, targets] of tables) shown += above + head + (await visited(targets, isWanted, words.length > 0));
  if (kind === '') await writeFile(page, preamble(before) + shown);
}

async function visited(
  targets: Tables,
  isWanted: (name: string, target: ZooTarget) => boolean,
  isTold: boolean,
): Promise<string> {
  let rows = '';
  for (const [name, all] of Object.entries(targets)) {
    for (const target of all.filter((each) => isWanted(name, each))) {
      const { code, verdict = 'none', seconds, megabytes, complaints, text } = await visit(target);
      const figures = [String(code), verdict, seconds.toFixed(1), megabytes.toFixed(0)];
      const row = `| a ${name} that ${target.name} | ${figures.join(' | ')} | ${complaints.join('; ') || 'yes'} |\n`;
      process.stdout.write(isTold ? row + text : row);
      rows += row;
    }
  }
  return rows;
}

await main(process.argv.slice(2));
