import { readFile } from 'node:fs/promises';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse as junit2json, type TestSuites } from 'junit2json';
import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { journalLine, readJournal } from '../../../reports/model/journal.ts';
import { jsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { junitReport } from '../../../reports/formats/junit/index.ts';
import { sizeText } from '../../../reports/text/amount.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { createTerminalReporter } from '../../../reports/formats/terminal/index.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import { checkFinished, finished } from '../madeUpRun.ts';
import { failingSearch, found, progressed, quietSearch, searchStarted } from '../madeUpSearch.ts';
import { paper } from '../paper.ts';
import { shown } from '../shown.ts';

function judged(events: readonly RunEvent[]): string {
  const summary = summarise(events);
  return `${exitCode(summary)} ${summary.verdict}: ${verdictSentence(summary)}`;
}

describe('what a search says about its target', () => {
  test('is that it breaks a MUST, or nothing: never that it conforms', () => {
    expect(judged(failingSearch())).toBe('1 does-not-conform: 1 failure found in 6,020 sequences, broken: IDM-2');
    expect(judged(quietSearch())).toBe('0 inconclusive: no failure found in 6,020 sequences');
  });

  test('is a warning where only a SHOULD is broken, a failure under --strict', () => {
    const should = found({ check: 'receiver/fuzz/rcv-5', counterexample: counterexampleOf('RCV-5') });
    const end = [should, ...quietSearch().slice(1)].map((event) =>
      event.type === 'check.finished' && event.check === should.check
        ? checkFinished(should.check, 'warned', { counterexample: should.counterexample })
        : event,
    );
    expect(judged([searchStarted(), ...end])).toBe(
      '0 inconclusive: 1 failure found in 6,020 sequences, no MUST broken; 1 SHOULD broken: RCV-5',
    );
    const strict = searchStarted({ run: { id: 'run-1', seed: 42, intensity: 'standard', strict: true } });
    expect(judged([strict, ...end])).toBe('1 does-not-conform: 1 failure found in 6,020 sequences, broken: RCV-5');
  });

  test('is nothing where no sequence was tried, or none could be judged', () => {
    expect(judged(quietSearch({ cases: 0 }))).toMatch(/^3 inconclusive/);
    const blind = quietSearch().map((event) =>
      event.type === 'check.finished'
        ? { ...event, outcome: 'not-observable' as const, reason: 'needs --probe' }
        : event,
    );
    expect(judged(blind)).toMatch(/^3 inconclusive/);
  });

  test('stands also where the run was killed before its checks had ended, or was interrupted', () => {
    const killed = failingSearch().slice(0, -6);
    expect(summarise(killed).checks.map(({ outcome }) => outcome)).toContain('failed');
    expect(judged(killed)).toBe('1 does-not-conform: 1 failure found in 1,204 sequences, broken: IDM-2');
    const interrupted = [...failingSearch().slice(0, -1), finished({ complete: false, interrupted: true })];
    expect(judged(interrupted)).toMatch(/^130 does-not-conform/);
  });
});

/** A search whose time was up while it made its failure smaller. */
function cutSearch(): readonly RunEvent[] {
  return failingSearch().map((event) =>
    event.type === 'fuzz.failed' && event.outcome === 'failed' ? { ...event, cut: true } : event,
  );
}

function counterexampleOf(requirement: string) {
  return { ...found().counterexample, requirements: [requirement] };
}

describe('every format says the same of it', () => {
  test('JSON, which its schema describes', async () => {
    const schema = JSON.parse(
      await readFile(new URL('../../../reports/formats/json/report.schema.json', import.meta.url), 'utf8'),
    );
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const report = jsonReport(summarise(failingSearch()));
    ajv.validate(schema, report);
    expect(ajv.errors).toBeNull();
    expect(report.search).toMatchObject({ time: 60_000, figures: { cases: 6020, failures: 1, flaky: 1 } });
    expect(report.search?.failures.map(({ cause, outcome }) => `${cause} ${outcome}`)).toEqual([
      'twice failed',
      'lost flaky',
    ]);
    expect(report.summary).toMatchObject({
      failed: 1,
      passed: 1,
      notObservable: 1,
      inconclusive: 1,
      deliveries: 31_000,
    });
  });

  test('JSON of a failure that was not shrunk to its end', async () => {
    const schema = JSON.parse(
      await readFile(new URL('../../../reports/formats/json/report.schema.json', import.meta.url), 'utf8'),
    );
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const report = jsonReport(summarise(cutSearch()));
    ajv.validate(schema, report);
    expect(ajv.errors).toBeNull();
    expect(report.search?.failures.map(({ cut }) => cut)).toEqual([true, undefined]);
  });

  test('JUnit, with the steps in the failure', async () => {
    const { testsuite = [] } = (await junit2json(junitReport(summarise(failingSearch())))) as TestSuites;
    const [suite] = testsuite;
    expect(suite).toMatchObject({ tests: 4, failures: 1, skipped: 2 });
    expect(suite?.properties).toContainEqual({ name: 'sequences', value: 6020 });
    const [failure] = suite?.testcase?.[0]?.failure ?? [];
    expect(failure?.inner).toContain('1. deliver a new notification as a\n  2. deliver a again, 2 times');
    expect(suite?.testcase?.[1]?.['system-out']?.join('')).toContain('flaky: A notification took no effect.');
  });

  test('the journal, from which the same summary is made', () => {
    const lines = failingSearch().map(journalLine).join('');
    expect(summarise(readJournal(lines))).toEqual(summarise(failingSearch()));
  });
});

describe('in a terminal', () => {
  test('the smallest sequence is called so only where all smaller ones were tried', async () => {
    const text = (await shown(cutSearch())).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '3. deliver a again (a smaller one may fail as well: there was no time to try all; found in one of 14 steps)',
    );
    expect(sizeText({ steps: ['deliver a'], found: 1, cut: true })).toBe(
      'a smaller one may fail as well: there was no time to try all',
    );
    expect(sizeText({ steps: ['deliver a'], found: 1 })).toBeUndefined();
  });

  test('a search with failures, in a log', async () => {
    expect(await shown(failingSearch())).toMatchInlineSnapshot(`
      "seaworthy 0.1.0: receiver http://127.0.0.1:4711/hooks
      tested against Shipment Tracking Service 0.2.0
      a search for 1 min 0 s, seed 42: 4 requirements can be found broken

      ✓ a plain delivery: 200 after 3 ms
      ✗ receiver/fuzz/idm-2
        A notification that was delivered 4 times took effect twice.
          1. deliver a new notification as a
          2. deliver a again, 2 times
          3. deliver a again

      1,204 sequences (100/s), 1 failure, 48 s left, 31 distinct answers, corpus 44
      ? receiver/fuzz/rcv-1 (flaky: failed in 0 of 10 more tries)
        A notification took no effect.
          1. deliver a new notification as a

      6,020 sequences (100/s), 1 failure, 1 flaky, time is up, 31 distinct answers,
      corpus 44

      1 failure found in 6,020 sequences, broken: IDM-2 (exit code 1)

        ✗ IDM-2: A notification that was delivered 4 times took effect twice.

      Do first  Write the id and the effect in one transaction.

      ── failure 1 of 1 ──────────────────────────────────────────────────────────────

      ✗ receiver/fuzz/idm-2

        broken    IDM-2, a MUST of section 6.3: A redelivered notification takes
                  effect once.
        more      seaworthy explain IDM-2
        found     A notification that was delivered 4 times took effect twice.
        steps     1. deliver a new notification as a
                  2. deliver a again, 2 times
                  3. deliver a again
                  (the smallest that fails; found in one of 14 steps)
        expected  one effect
        actual    2 effects
        again     failed in 1 of 1 more try, alone and with fresh ids

        hint      Write the id and the effect in one transaction.

        sent      1. POST, 205 bytes: answered 200
                  2. the same as 1.: answered 200
        request   POST http://127.0.0.1:4711/hooks
                  Content-Type: application/json
                  X-SVC-Webhook-Signature:
                  4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c
        body      205 bytes
                  {"data":{"id":"5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0","type":"webhook
                  _notification","attributes":{"event":"container.created","delivery_s
                  tatus":"pending","created_at":"2026-11-20T19:00:00Z"}},"included":[]
                  }
        answer    200 after 3 ms
        effects   2 counted, 1 expected, of 5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0

        To see it again in a shell:

      curl -sS -i --http1.1 -X POST 'http://127.0.0.1:4711/hooks' \\
        -H 'Content-Type: application/json' \\
        --data-raw '{ "data":{}}' \\
        -w '\\n'

        To try this very case again:

      seaworthy replay .seaworthy/runs/run-1/receiver-fuzz-idm-2-1.json --url http://127.0.0.1:4711/hooks

      ── flaky 1 of 1 ────────────────────────────────────────────────────────────────

      ? receiver/fuzz/rcv-1

        found     A notification took no effect.
        steps     1. deliver a new notification as a
                  (the smallest that fails; found in one of 3 steps)
        expected  a refusal: any status but 200, 201, 202, 204
        actual    200
        again     failed in 0 of 10 more tries, alone and with fresh ids; it may have
                  been chance, and counts as nothing

        hint      Verify the bytes as they arrived, before a JSON parser touches them.
                  In Express: express.raw() on this route.

        differs   from a delivery that was answered 200 after 3 ms, only in this (and
                  the id): a space after the opening brace
        request   POST http://127.0.0.1:4711/hooks
                  Content-Type: application/json
                  X-SVC-Webhook-Signature:
                  6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b
        body      206 bytes
        accepted  {"data":{"id":"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9","type":"webhoo…
        this one  { "data":{"id":"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1","type":"webho…
                   ^
        answer    200 after 3 ms
                  {"ok":true}

        To see it again in a shell:

      curl -sS -i --http1.1 -X POST 'http://127.0.0.1:4711/hooks' \\
        -H 'Content-Type: application/json' \\
        --data-raw '{ "data":{}}' \\
        -w '\\n'

        To repeat the search:

      seaworthy fuzz http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42

      ── summary ─────────────────────────────────────────────────────────────────────

      Requirements

      ? RCV-1 MUST   inconclusive  ✗ IDM-2 MUST   broken
      ✓ RCV-5 SHOULD holds         - VRF-2 MUST   not-observed

      Never judged

      - needs --secret
          receiver/fuzz/vrf-2 (VRF-2)

      Inconclusive

      ? a failure did not come again
          receiver/fuzz/rcv-1 (RCV-1)

      Requirements  4: 1 holds, 1 broken, 1 inconclusive, 1 not observed
      Sequences     6,020 in 1 min 0 s (100/s), with 26,000 steps in all
      Answers       31 distinct answers of the receiver; 44 sequences in the corpus
      Failures      1, and 1 that did not come again
      Deliveries    31,000 in 1 min 0 s (515/s)
      Assumptions   signature.header=X-Signature
      Seed          42
      Journal       .seaworthy/run.ndjson

      1 failure found in 6,020 sequences, broken: IDM-2 (exit code 1)
      "
    `);
  });

  test('a search without, which is no proof', async () => {
    expect((await shown(quietSearch())).split('── summary')[1]).toMatchInlineSnapshot(`
      " ─────────────────────────────────────────────────────────────────────

      Requirements

      ✓ RCV-1 MUST   holds  ✓ IDM-2 MUST   holds
      ✓ RCV-5 SHOULD holds  ✓ VRF-2 MUST   holds

      Requirements  4: 4 hold
      Sequences     6,020 in 1 min 0 s (100/s), with 26,000 steps in all
      Answers       31 distinct answers of the receiver; 44 sequences in the corpus
      Failures      none
      Deliveries    0 in 1 min 0 s (0/s)
      Assumptions   signature.header=X-Signature
      Seed          42
      Journal       .seaworthy/run.ndjson

      No failure found in 6,020 sequences (exit code 0)

      That is no proof: none of these sequences showed the receiver break one of the 4
      requirements that were looked at. A longer search, or one with another seed, may
      find more; \`seaworthy receiver\` tries what the contract says one by one.
      "
    `);
  });

  test('a search that looked at one requirement, or at none, says so', async () => {
    const closing = async (judged: number): Promise<string> => {
      let seen = 0;
      const events = quietSearch().map((event) =>
        event.type === 'check.finished' && seen++ >= judged
          ? checkFinished(event.check, 'not-observable', { reason: 'needs --secret' })
          : event,
      );
      return (await shown(events)).split(/\(exit code \d\)/).at(-1) ?? '';
    };
    expect(await closing(0)).toContain('no requirement was judged');
    expect(await closing(1)).toContain('break the one\nrequirement that was looked at.');
    expect(await closing(2)).toContain('break one of the 2\nrequirements that were looked at.');
  });

  test('one sequence in the corpus is reported as one', async () => {
    expect(await shown(quietSearch({ corpus: 1 }))).toContain('; 1 sequence in the corpus');
  });

  test('the figures are one line that is written over, and failures stay above it', () => {
    const sink = paper({ tty: true, columns: 70 });
    const reporter = createTerminalReporter(sink);
    for (const event of failingSearch().slice(0, -5)) reporter.onEvent(event);
    const drawn = sink.text().split('\r\u001b[2K').slice(1);
    expect(drawn).toMatchInlineSnapshot(`
      [
        "100 sequences (100/s), 0 failures, 59 s left, 31 distinct answers, co",
        "✗ receiver/fuzz/idm-2
        A notification that was delivered 4 times took effect twice.
          1. deliver a new notification as a
          2. deliver a again, 2 times
          3. deliver a again

      ",
        "100 sequences (13/s), 0 failures, 52 s left, 31 distinct answers, cor",
        "1,204 sequences (100/s), 1 failure, 48 s left, 31 distinct answers, c",
        "? receiver/fuzz/rcv-1 (flaky: failed in 0 of 10 more tries)
        A notification took no effect.
          1. deliver a new notification as a

      ",
        "1,204 sequences (40/s), 1 failure, 30 s left, 31 distinct answers, co",
        "6,020 sequences (100/s), 1 failure, 1 flaky, time is up, 31 distinct ",
      ]
    `);
    expect(drawn.every((text) => (text.split('\n').at(-1) ?? '').length < 70)).toBe(true);
  });

  test('in a log they are a line every ten seconds', () => {
    const sink = paper();
    const reporter = createTerminalReporter(sink);
    reporter.onEvent(searchStarted({ search: { runs: 2000, untilFailure: true, feedback: false } }));
    for (let ms = 1000; ms <= 25_000; ms += 1000) reporter.onEvent(progressed({ ms, cases: ms / 50 }));
    expect(sink.text()).toMatchInlineSnapshot(`
      "seaworthy 0.1.0: receiver http://127.0.0.1:4711/hooks
      tested against Shipment Tracking Service 0.2.0
      a search for 2,000 sequences or until the first failure, seed 42: 4 requirements
      can be found broken

      200 sequences (20/s), 0 failures, 1,800 to go, 31 distinct answers, corpus 44
      400 sequences (20/s), 0 failures, 1,600 to go, 31 distinct answers, corpus 44
      "
    `);
  });
});
