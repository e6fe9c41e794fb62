import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';

import type { RunEvent } from '../../../reports/model/events.ts';
import { learnedFile } from '../../../reports/model/learnedFile.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { finished } from '../madeUpRun.ts';
import { failingServiceRun, serviceStarted } from '../madeUpServiceRun.ts';

test('says what it is, how to use it, and what each assumption was seen from', () => {
  expect(learnedFile(summarise(failingServiceRun()))).toMatchInlineSnapshot(`
    "# What seaworthy 0.1.0 learned about one service.
    #
    # The contract (Shipment Tracking Service 0.2.0) leaves some things open: how a delivery is
    # signed, say, or when it is sent again. This is what the service was seen to do about them:
    #   http://127.0.0.1:8080/v2
    # in the run run-1 of 2026-11-20T19:00:00.000Z.
    #
    # To test a receiver with exactly that, pass this file:
    #   seaworthy receiver <url> --assume @<this file>
    # It is a config file as well: under the name seaworthy.config.yaml it holds for every run that
    # is started in its folder or below. Correct or leave out any line.

    assume:
      # GAP-18, as seen: median of the pauses before each retry of 31 notifications, 18 to 33 of them a pause
      retries.schedule: "20ms,40ms,80ms,160ms,320ms,640ms"
      # GAP-14, as seen: all 420 deliveries verify with the secret of their webhook
      signature.scheme: "sha256=hmac-sha256-base64"
    "
  `);
});

function learning(learned: readonly { key: string; value: string; gap: string; evidence: string }[]): string {
  const events = learned.map((parts): RunEvent => ({ type: 'learned', ms: 1, ...parts }));
  return learnedFile(summarise([serviceStarted(), ...events, finished()]));
}

test('is read back as it was learned, whatever the texts, and every value as a text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('5', '10s', 'true', 'null', '~', '0x1f', '1e3', '2026-11-20', '- a', '# a', 'a: b', '"', "'", '\\'),
    fc.constantFrom('\u0085', '\u2028', '\ufeff', '\u007f', 'a\nb: c', '\ud83d', '\u{1f6a2}', '*a', '&a', '!!str'),
    fc.constantFrom('signature.scheme', 'update', 'senderAddresses', 'a.b.c'),
  );
  const one = fc.record({ key: text, value: text, gap: text, evidence: text });
  fc.assert(
    fc.property(fc.uniqueArray(one, { maxLength: 6, selector: ({ key }) => key }), (learned) => {
      const file = learning(learned);
      const document = parseDocument(file, { strict: true });
      expect([document.errors, document.warnings]).toEqual([[], []]);
      const read = document.toJS({ mapAsMap: true }) as Map<string, Map<string, unknown>>;
      expect([...read.keys()]).toEqual(['assume']);
      expect(new Map(read.get('assume'))).toEqual(new Map(learned.map(({ key, value }) => [key, value])));
    }),
    { numRuns: 500 },
  );
});

test('is the same for readers of YAML 1.1', () => {
  const values = ['yes', '012', '1:30', 'on', '\u{1f6a2}'];
  const file = learning(values.map((value, at) => ({ key: `a.k${at}`, value, gap: 'GAP-1', evidence: 'e' })));
  const read = parse(file, { version: '1.1' }) as { readonly assume: Readonly<Record<string, unknown>> };
  expect(Object.values(read.assume)).toEqual(values);
});

test('keeps evidence on one line, so that nothing in it becomes an assumption', () => {
  const evidence = 'seen\n  update: "evil"\r\u0085\u2028x\u001b[2J';
  const file = learning([{ key: 'a.b', value: '1', gap: 'GAP-1', evidence }]);
  expect(parse(file)).toEqual({ assume: { 'a.b': '1' } });
  expect(file).toContain('# GAP-1, as seen: seen<LF>  update: "evil"<CR><U+0085><U+2028>x<U+001B>[2J\n');
});

test('where nothing was learned, says so and is still a config file', () => {
  const file = learning([]);
  expect(file).toMatch(/\n# Nothing was learned in this run\.\nassume: {}\n$/);
  expect(parse(file)).toEqual({ assume: {} });
});
