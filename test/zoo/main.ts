import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import bundlePrograms from '../bundlePrograms.ts';
import { receivers } from './receivers.ts';
import { services } from './services.ts';
import { visit } from './visit.ts';
import { mostMemory } from './zooTarget.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'zoo.md');

const preamble = `# The zoo

Strange targets, and what a run against each came to: \`npm run zoo\` visits all of them and writes this page. The targets are
rows of \`test/zoo/receivers.ts\` and \`test/zoo/services.ts\`; a row says which exit codes are right, what has to be said or
found broken, and how long the program may take. No run may take more than ${mostMemory} MB. Times depend on the machine.

| target | exit code | verdict | seconds | MB | as it should be |
| --- | --- | --- | --- | --- | --- |
`;

/** Visits every target whose kind and name hold these words: `npm run zoo -- service list`. All of them make the page anew. */
async function main([kind = '', ...words]: readonly string[]): Promise<void> {
  await bundlePrograms();
  const rows: string[] = [];
  for (const [name, targets] of Object.entries({ receiver: receivers, service: services })) {
    if (!name.startsWith(kind)) continue;
    for (const target of targets.filter((each) => each.name.includes(words.join(' ')))) {
      const { code, verdict = 'none', seconds, megabytes, complaints, text } = await visit(target);
      const figures = [String(code), verdict, seconds.toFixed(1), megabytes.toFixed(0)];
      rows.push(`| a ${name} that ${target.name} | ${figures.join(' | ')} | ${complaints.join('; ') || 'yes'} |\n`);
      process.stdout.write(rows.at(-1) ?? '');
      if (words.length > 0) process.stdout.write(text);
    }
  }
  if (kind === '') await writeFile(page, preamble + rows.join(''));
}

await main(process.argv.slice(2));
