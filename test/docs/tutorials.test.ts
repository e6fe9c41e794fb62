import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { program } from '../programs.ts';
import { blocks } from './documents.ts';
import { Reader } from './reader.ts';

const timeout = 240_000;

/** What the tutorial shows of a run is the same in a shorter one. */
const quick = (commands: string): string => commands.replace(/ receiver http\S+/, '$& --intensity quick');

test.concurrent(
  '"Ten minutes" leads from an empty folder to a receiver that conforms',
  { timeout },
  async (context) => {
    const reader = await Reader.arrive(context);
    await reader.bundle();
    const steps = await reader.follow('docs/sandbox.md', quick);
    expect(new Set(steps.map(({ language }) => language))).toEqual(new Set(['sh', 'text', 'js', 'stop']));
    expect(steps.filter(({ content }) => content.startsWith('Conforms: '))).toHaveLength(1);
  },
);

test.concurrent('"Test a service" finds the mistakes that it shows', { timeout }, async (context) => {
  const reader = await Reader.arrive(context);
  await reader.bundle();
  const document = 'docs/service.md';
  const steps = await reader.follow(document, (commands) =>
    commands
      .replace('--seed 1', '--seed 1 --intensity quick --only service/signature/every-attempt')
      .replace('--learn', '--intensity quick --learn')
      .replace('reference/service/main.ts', program('service')),
  );
  expect(steps.filter(({ exit }) => exit === 1)).toHaveLength(2);
  const learned: unknown = parse(await readFile(join(reader.clone, 'learned.yaml'), 'utf8'));
  expect(learned).toMatchObject(parse(blocks(document, 'yaml')[0]!) as object);
});

test.concurrent(
  '"Your own webhooks in ten minutes" leads from nothing to a report, and to a receiver that conforms',
  { timeout },
  async (context) => {
    const reader = await Reader.arrive(context);
    await reader.bundle();
    // Of the mistake only one failure is shown. All checks are tried by the first tutorial.
    const steps = await reader.follow('docs/contracts.md', (commands, exit) =>
      commands.replace(
        / receiver http\S+/,
        `$& --only ${exit === 1 ? 'receiver/signature/every-spelling' : "'receiver/signature/*' --only IDM-2"}`,
      ),
    );
    expect(new Set(steps.map(({ language }) => language))).toEqual(new Set(['sh', 'text', 'js', 'yaml', 'stop']));
    expect(steps.filter(({ exit }) => exit === 1)).toHaveLength(1);
  },
);
