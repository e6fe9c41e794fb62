import { describe, expect, it } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import type { Reporter } from '../../../reports/formats/format.ts';
import { UsageError } from '../../../runner/errors.ts';
import { reportRun } from '../../../runner/output/reporting.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

const started: RunEvent = {
  type: 'run.started',
  format: 1,
  at: '2026-11-20T12:00:00.000Z',
  kit: { name: 'seaworthy', version: '0.0.0' },
  contract: { title: 'a contract', version: '1' },
  target: { kind: 'receiver', address: 'http://127.0.0.1:1/' },
  run: { id: 'r', seed: 1, intensity: 'quick', strict: false },
  command: 'seaworthy receiver http://127.0.0.1:1/ --seed 1',
  checks: [{ id: 'receiver/a/b', title: 'does', requirements: ['A-1'], level: 'must' }],
  requirements: [{ id: 'A-1', section: '1', level: 'must', statement: 'It does.' }],
  assumptions: [],
};
const finished: readonly RunEvent[] = [
  { type: 'check.started', ms: 1, check: 'receiver/a/b' },
  { type: 'check.finished', ms: 2, check: 'receiver/a/b', outcome: 'passed', cases: 1, durationMs: 1 },
  { type: 'run.finished', ms: 3, at: '2026-11-20T12:00:01.000Z', durationMs: 3, complete: true, interrupted: false },
];

async function* run(events: readonly RunEvent[], failure?: Error): AsyncGenerator<RunEvent> {
  yield* events;
  if (failure !== undefined) throw failure;
}

function recorder(): Reporter & { readonly heard: string[]; summary?: RunSummary } {
  const heard: string[] = [];
  return {
    heard,
    onEvent: ({ type }) => void heard.push(type),
    end(summary) {
      heard.push('end');
      this.summary = summary;
    },
  };
}

const all = ['run.started', 'check.started', 'check.finished', 'run.finished'];

describe('reportRun', () => {
  it('passes every reporter everything in order, and the first one its end last', async () => {
    const ends: string[] = [];
    const [first, second] = [recorder(), recorder()];
    const summary = await reportRun(run([started, ...finished]), [
      { name: 'first', reporter: { ...first, end: () => void ends.push('first') } },
      { name: 'second', reporter: { ...second, end: () => void ends.push('second') } },
    ]);
    expect(first.heard).toEqual(all);
    expect(second.heard).toEqual(all);
    expect(ends).toEqual(['second', 'first']);
    expect(exitCode(summary)).toBe(0);
  });

  it('leaves out a reporter that throws, and reports it to the others', async () => {
    const journal = recorder();
    let calls = 0;
    const broken: Reporter = {
      onEvent() {
        calls += 1;
        throw new Error('no room');
      },
    };
    const summary = await reportRun(run([started, ...finished]), [
      { name: 'journal', reporter: journal },
      { name: 'junit=out.xml', reporter: broken },
    ]);
    expect(calls).toBe(1);
    expect(journal.heard).toEqual(['run.started', 'kit.errored', ...all.slice(1), 'end']);
    expect(summary.errors).toMatchObject([{ where: 'reporter junit=out.xml', message: 'no room' }]);
    expect(exitCode(summary)).toBe(70);
  });

  it('lets no end of a reporter stop the others', async () => {
    const journal = recorder();
    const broken: Reporter = { onEvent() {}, end: () => Promise.reject(new Error('too late')) };
    const summary = await reportRun(run([started, ...finished]), [
      { name: 'journal', reporter: journal },
      { name: 'json', reporter: broken },
    ]);
    expect(journal.heard).toEqual([...all, 'kit.errored', 'end']);
    expect(journal.summary?.errors).toEqual(summary.errors);
    expect(summary.errors).toMatchObject([{ where: 'reporter json', message: 'too late' }]);
  });

  it('reports what was seen where the engine itself throws', async () => {
    const journal = recorder();
    const summary = await reportRun(run([started, ...finished.slice(0, 2)], new Error('a bug')), [
      { name: 'journal', reporter: journal },
    ]);
    expect(journal.heard.at(-2)).toBe('kit.errored');
    expect(summary.ended).toBe(false);
    expect(exitCode(summary)).toBe(70);
  });

  it('lets reporters leave where there will be no report', async () => {
    const left: string[] = [];
    const reporter: Reporter = { ...recorder(), leave: () => void left.push('left') };
    const misused = new UsageError('SW_OPTION_VALUE', { received: 'nothing', next: 'give something' });
    await expect(reportRun(run([started], misused), [{ name: 'first', reporter }])).rejects.toBe(misused);
    expect(left).toEqual(['left']);
  });

  it('throws what is thrown before there is anything to report', async () => {
    await expect(reportRun(run([], new Error('a bug')), [])).rejects.toThrow('a bug');
  });
});
