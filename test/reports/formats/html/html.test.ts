import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import type { ReportedBody, RunEvent } from '../../../../reports/model/events.ts';
import { buildPage } from '../../../../reports/formats/html/build.ts';
import { renderHtml } from '../../../../reports/formats/html/renderHtml.ts';
import { generatedRun } from '../../generatedRun.ts';
import { answered, attempt, checkFinished, counterexample, delivered, failingRun, started } from '../../madeUpRun.ts';
import { runDocument } from './openReport.ts';

beforeAll(() => buildPage());

const million = 1_000_000;

test('its policy lets the one script and the one style of the page work, and nothing else', () => {
  const html = renderHtml(runDocument(failingRun()));
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
  expect(policy.split('; ')).toEqual([
    `default-src 'none'`,
    `script-src 'sha256-${hash(script)}'`,
    `style-src 'sha256-${hash(style)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ]);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toMatch(/\s(?:src|href|style)="/);
});

test('whatever the run, its data is in the file and cannot leave its element', () => {
  fc.assert(
    fc.property(generatedRun, (run) => {
      const document = runDocument(run);
      const html = renderHtml(document);
      const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
      expect(data).not.toContain('<');
      const { requirements, verdict } = document.summary;
      expect(JSON.parse(data)).toMatchObject({
        kind: 'run',
        summary: { verdict, requirements: JSON.parse(JSON.stringify(requirements)) },
      });
    }),
    { numRuns: 40 },
  );
});

test('ten thousand deliveries, and many events and checks, are well under a megabyte', () => {
  const events = Array.from({ length: 43 }, (_, index) => `container.event_${index}`);
  const ids = started().checks.map(({ id }) => id);
  const deliveries = Array.from({ length: 10_000 }, (_, index) =>
    delivered({
      check: ids[index % ids.length] ?? '',
      event: events[index % events.length] ?? '',
      id: `id-${index}`,
      answer: { kind: 'answered', status: 200, ms: index % 700 },
    }),
  );
  const [first, ...rest] = failingRun();
  const html = renderHtml(runDocument([first!, ...deliveries, ...rest]));
  expect(Buffer.byteLength(html)).toBeLessThan(million);
});

test('of many exchanges each keeps its line, and the last one all of it', () => {
  const each = attempt('x'.repeat(900), answered(200, 'y'.repeat(900)));
  const id = 'receiver/signature/missing';
  const reported = counterexample({ exchange: { attempts: Array.from({ length: 900 }, () => each) } });
  const html = renderHtml(runDocument([started(), checkFinished(id, 'failed', { counterexample: reported })]));
  const attempts =
    dataOf(html).summary.checks.find((check) => check.id === id)?.counterexample?.exchange.attempts ?? [];
  expect(attempts).toHaveLength(900);
  expect(attempts[0]?.request.body).toEqual({ bytes: 900, sha256: each.request.body.sha256 });
  expect(attempts.at(-1)).toEqual(each);
  expect(Buffer.byteLength(html)).toBeLessThan(million);
});

test('long bodies are cut off where the file would become too large, and the page knows how long they were', () => {
  const long = attempt('x'.repeat(65_536), answered(200, 'y'.repeat(65_536)));
  const check = started().checks[0]!;
  const many = Array.from({ length: 40 }, (_, index) => ({ ...check, id: `receiver/long/${index}` }));
  const run: RunEvent[] = [
    started({ checks: many }),
    ...many.map(({ id }) =>
      checkFinished(id, 'failed', {
        counterexample: counterexample({ exchange: { attempts: [long, long], twin: long } }),
      }),
    ),
  ];
  const html = renderHtml(runDocument(run));
  expect(Buffer.byteLength(html)).toBeLessThan(million);
  const shown: ReportedBody | undefined =
    dataOf(html).summary.checks[0]?.counterexample?.exchange.attempts.at(-1)?.request.body;
  expect(shown?.bytes).toBe(65_536);
  expect(shown?.text?.length).toBeGreaterThan(100);
  expect(shown?.text?.length).toBeLessThan(65_536);
});

function dataOf(html: string): ReturnType<typeof runDocument> {
  const [, data = '{}'] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(data) as ReturnType<typeof runDocument>;
}
