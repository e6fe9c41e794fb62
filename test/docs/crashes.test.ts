import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { freePort } from '../../runner/catcher/freePort.ts';
import { program } from '../programs.ts';
import { isProof } from '../proof/testReceiver.ts';
import { blocks } from './documents.ts';
import { Reader } from './reader.ts';
import { Terminal } from './terminal.ts';

const timeout = 240_000;

test
  .runIf(isProof)
  .concurrent('"What a crash does to your receiver" shows what a crash does', { timeout }, async (context) => {
    const reader = await Reader.arrive(context);
    await reader.bundle();
    const steps = await reader.follow('docs/crashes.md', (commands) =>
      commands.replace('reference/receiver/main.ts', program('receiver')),
    );
    expect(steps.filter(({ language }) => language === 'text').length).toBeGreaterThan(0);
  });

test.concurrent(
  'the workflow in "What a crash does to your receiver" starts the receiver and leaves its report',
  { timeout },
  async (context) => {
    const reader = await Reader.arrive(context);
    const { jobs } = parse(blocks('docs/crashes.md', 'yaml')[0]!) as Workflow;
    const held = jobs.contract.steps.find(({ run }) => run?.includes('seaworthy --'))!;
    await mkdir(join(reader.home, 'receiver'));
    const scripts = { start: `"${process.execPath}" ../seaworthy/examples/express/right.ts` };
    await writeFile(join(reader.home, 'receiver', 'package.json'), JSON.stringify({ scripts }));
    const terminal = await Terminal.open(reader.home, join(reader.home, held['working-directory']!));
    const port = await freePort('127.0.0.1', new Set());
    const command = `${held.run!.trim()} --only receiver/signature/forged --intensity quick`.replaceAll(
      '3000',
      String(port),
    );
    expect(await terminal.run(command)).toBe(0);
    expect(await readFile(join(reader.clone, 'junit.xml'), 'utf8')).toContain('receiver/signature/forged');
  },
);

interface Workflow {
  readonly jobs: { readonly contract: { readonly steps: readonly Step[] } };
}

interface Step {
  readonly run?: string;
  readonly 'working-directory'?: string;
}
