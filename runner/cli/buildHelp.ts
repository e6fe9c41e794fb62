import { writeFile } from 'node:fs/promises';

import { commandGroups, commands } from './commands.ts';
import { runProgram } from './program.ts';
import { helpWidths, type WrittenHelp } from './writtenHelp.ts';

/** Writes all help to where {@link writtenHelp} finds it. */
async function buildHelp(file: string): Promise<void> {
  const names = ['', ...commandGroups.map(({ name }) => name), ...commands.map(({ name }) => name)];
  const asking = ['--version', ...names.map((name) => `${name} --help`.trim())];
  const help: Record<string, WrittenHelp[string]> = {};
  for (const columns of helpWidths) {
    const texts = asking.map(async (words) => [words, await textOf(words.split(' '), columns)] as const);
    help[columns] = Object.fromEntries(await Promise.all(texts));
  }
  await writeFile(file, JSON.stringify(help));
}

async function textOf(words: readonly string[], columns: number): Promise<string> {
  let text = '';
  const stdout = { write: (more: string) => void (text += more), columns, colors: false, tty: false };
  const { signal } = new AbortController();
  const streams = { stdout, documents: stdout, stderr: stdout };
  await runProgram(words, { ...streams, environment: {}, workingDirectory: '.', signal });
  return text;
}

await buildHelp('dist/runner/cli/help.json');
