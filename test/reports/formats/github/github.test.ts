import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import { createReporter, renderDocument } from '../../../../reports/formats/index.ts';
import { plainLog, stopCommands, workflowCommand } from '../../../../reports/formats/github/workflowCommand.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { crowdedRun } from '../../arbitraryRun.ts';
import { checkFinished, counterexample, failingRun, finished, started } from '../../madeUpRun.ts';
import { paper } from '../../paper.ts';
import { commandOf, commandsOf } from '../../readers/github.ts';

const options = { journal: 'run.ndjson', config: 'seaworthy.config.ts' };

async function commands(run: readonly RunEvent[], more: object = {}) {
  return commandsOf(await renderDocument('github', { kind: 'run', summary: summarise(run) }, { ...options, ...more }));
}

test('escapes what the grammar needs, in messages and in properties', () => {
  const line = workflowCommand({
    kind: 'error',
    title: 'a: b, c\n100%',
    message: '1%\r\n::error::x, y',
    file: 'a,b:c.ts',
  });
  expect(line).toBe('::error file=a%2Cb%3Ac.ts,line=1,title=a%3A b%2C c 100%25::1%25<CR>%0A::error::x, y');
  expect(commandOf(line)).toEqual({
    name: 'error',
    properties: { file: 'a,b:c.ts', line: '1', title: 'a: b, c 100%' },
    data: '1%<CR>\n::error::x, y',
  });
});

test('the verdict comes first, then failures, warnings, and what would be observable', async () => {
  const reported = await commands(failingRun());
  expect(reported.map(({ name, properties }) => `${name} ${properties['title']} (${properties['file']})`)).toEqual([
    'error seaworthy: receiver http://127.0.0.1:4711/hooks (seaworthy.config.ts)',
    'error IDM-2 broken: receiver/idempotency/redelivered-once-more (seaworthy.config.ts)',
    'error VRF-3 broken: receiver/signature/changed-after-signing (seaworthy.config.ts)',
    'warning RCV-5 broken: receiver/acceptance/not-json (seaworthy.config.ts)',
    'notice 1 check not observed: no probe: --probe <url or command> makes it observable (seaworthy.config.ts)',
    'notice 1 check inconclusive: the effects were still changing when the wait was over; give --settle a longer time (seaworthy.config.ts)',
    'notice 1 requirement undecided: receiver/signature/changed-after-signing failed over VRF-3 before it could show this; fix that, and run again (seaworthy.config.ts)',
    'notice 1 requirement undecided: no check is about it (seaworthy.config.ts)',
  ]);
  const notices = reported.filter(({ name }) => name === 'notice').map(({ data }) => data.split('\n')[0]);
  expect(notices).toEqual([
    'not observed: no probe: --probe <url or command> makes it observable',
    'inconclusive: the effects were still changing when the wait was over; give --settle a longer time',
    'undecided: receiver/signature/changed-after-signing failed over VRF-3 before it could show this; fix that, and run again',
    'undecided: no check is about it',
  ]);
});

test('points to the saved case, from the root of the repository', async () => {
  const saved = counterexample({ file: '.seaworthy\\runs\\run-1\\case.json' });
  const run = [started(), checkFinished('receiver/signature/missing', 'failed', { counterexample: saved }), finished()];
  const [, failure] = await commands(run, { fromRoot: 'packages/hooks/' });
  expect(failure?.properties['file']).toBe('packages/hooks/.seaworthy/runs/run-1/case.json');
  const [, bare] = await commands(run.slice(0, 1), { config: undefined });
  expect(bare?.properties).not.toHaveProperty('file');
});

test('of more than ten of a kind the tenth says how many more there are, and the log has all', async () => {
  const reported = await commands(crowdedRun(30, 'a check'));
  const errors = reported.filter(({ name }) => name === 'error');
  expect(errors).toHaveLength(32);
  expect(errors[9]?.properties['title']).toBe('22 more errors');
  expect(errors.filter(({ properties }) => / broken: /.test(properties['title'] ?? ''))).toHaveLength(30);
});

test('what is expected to fail is a notice, an expectation that does not hold an error', async () => {
  const expectations = [
    { id: 'VRF-3', reason: 'the gateway' },
    { id: 'RCV-1', reason: 'never' },
  ];
  const run = failingRun().map((event) => (event.type === 'run.started' ? { ...event, expectations } : event));
  const reported = (await commands(run)).map(({ name, properties: { title } }) => `${name} ${title}`);
  expect(reported).toContain('notice VRF-3 broken: receiver/signature/changed-after-signing');
  expect(reported).toContain('error --expect-failures: RCV-1');
  expect(reported).toContain('error IDM-2 broken: receiver/idempotency/redelivered-once-more');
});

describe('while a run lasts', () => {
  test('nothing that others write to the log is a command', async () => {
    const sink = paper();
    const github = createReporter('github', sink, options);
    const run = failingRun();
    for (const event of run) github.onEvent(event);
    sink.write('::error::forged by an answer\n');
    await github.end?.(summarise(run));
    const lines = sink.text().split('\n');
    const token = lines[0]!.slice('::stop-commands::'.length);
    expect(lines[0]).toBe(stopCommands(token));
    expect(token).not.toContain('run-1');
    expect(lines.indexOf('::error::forged by an answer')).toBeLessThan(lines.indexOf(`::${token}::`));
    const rest = lines.slice(lines.indexOf(`::${token}::`) + 1).join('\n');
    expect(commandsOf(rest)).toEqual(await commands(run));
  });

  test('a run that fails without a report gives the commands back', () => {
    const sink = paper();
    const github = createReporter('github', sink, options);
    github.onEvent(failingRun()[0]!);
    github.leave?.();
    expect(sink.text()).toMatch(/^::stop-commands::([\w-]+)\n::\1::\n$/);
  });
});

describe('a log in which nothing is a command', () => {
  const written = (text: string): string => {
    const sink = paper();
    plainLog(sink, 'token').write(text);
    return sink.text();
  };

  test.each(['said:\n    ::error::forged\n', 'see ##[error]forged\n', '\u00a0::add-mask::a\n'])(
    'brackets %j',
    (text) => {
      expect(written(text)).toBe(`::stop-commands::token\n${text}::token::\n`);
    },
  );

  test('ends a line that was open, so that the commands are taken again', () => {
    expect(written('::error::forged')).toBe('::stop-commands::token\n::error::forged\n::token::\n');
  });

  test.each(['a::b\n', '# [x] ::\n', ''])('leaves %j as it is', (text) => {
    expect(written(text)).toBe(text);
  });
});
