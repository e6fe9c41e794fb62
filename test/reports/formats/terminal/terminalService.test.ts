import { describe, expect, test } from 'vitest';

import type { ReportedExchange, RunEvent } from '../../../../reports/model/events.ts';
import { answered, attempt, checkFinished, counterexample, finished } from '../../madeUpRun.ts';
import { base, caught, created, creation, failingServiceRun, serviceStarted } from '../../madeUpServiceRun.ts';
import { shown } from '../../shown.ts';
import type { Counterexample } from '../../../../reports/model/exchange.ts';

test('a failing run against a service, in a log without colours', async () => {
  expect(await shown(failingServiceRun())).toMatchInlineSnapshot(`
    "seaworthy 0.1.0: service http://127.0.0.1:8080/v2
    tested against Shipment Tracking Service 0.2.0
    6 checks, intensity standard, seed 42

    ✓ creating a plain webhook: 201 after 4 ms
    ✓ service/create/plain  36 cases, 310 ms
    ✗ service/create/repeated-event  60 cases, 310 ms
    ! service/create/xml  6 cases, 310 ms
    ✗ service/delivery/retries  41 cases, 310 ms
    ? service/delivery/exhaustion  inconclusive

    Does not conform: 3 of 6 MUSTs observed, broken: CRW-4, NTF-3 (exit code 1)

      ✗ CRW-4: events with an item twice: answered 201, and the webhook is listed.
      ✗ NTF-3: A retry came with another notification id.
      ! SVC-8: The XML of a created webhook is not well-formed.

    Do first  Check the list against its schema (uniqueItems) before anything is
              stored.

    ── failure 1 of 2 ──────────────────────────────────────────────────────────────

    ✗ service/create/repeated-event
      refuses an events list with a repeated item

      broken    CRW-4, a MUST of section 4.1: An events list with a repeated item is
                refused and creates nothing.
      more      seaworthy explain CRW-4
      found     events with an item twice: answered 201, and the webhook is listed.
      expected  a refusal (any 4xx), and no webhook in the list
      actual    answered 201

      hint      Check the list against its schema (uniqueItems) before anything is
                stored.

      differs   from a call that was answered 201 after 4 ms, only in this: the item
                of events stands there twice
      request   POST http://127.0.0.1:8080/v2/webhooks
                Authorization: Token $SEAWORTHY_TOKEN
                Content-Type: application/json
      body      175 bytes
      accepted  …:["container.created"]}}}
      this one  …:["container.created","container.created"]}}}
                                      ^^^^^^^^^^^^^^^^^^^^
      answer    201 after 4 ms
                Content-Type: application/json
                {"data":{"id":"5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0","type":"webhook
                ","attributes":{"url":"http://127.0.0.1:40613/2d6f3f0a-6c1e-4b0e-9a5
                2-1f0f5f1f9c11","active":true}}}

      To see it again in a shell:

    : "\${SEAWORTHY_TOKEN:?set it to the key of the service}"
    curl -sS -i --http1.1 -X POST 'http://127.0.0.1:8080/v2/webhooks' \\
      -H "Authorization: Token $SEAWORTHY_TOKEN" \\
      --data-raw '{"data":{}}' \\
      -w '\\n'

      To repeat this check alone:

    seaworthy service http://127.0.0.1:8080/v2 --trackable MAEU:1234 --seed 42 --only service/create/repeated-event

    ── failure 2 of 2 ──────────────────────────────────────────────────────────────

    ✗ service/delivery/retries
      keeps retrying until the receiver accepts

      broken    NTF-3, a MUST of section 2.2, 6.3: Redeliveries carry the id of the
                first delivery.
      more      seaworthy explain NTF-3
      found     A retry came with another notification id.
      expected  every attempt carries the id of the first one
      actual    the seventh attempt carries another id

      hint      Make the id when the notification is made, and store it with the
                notification.

      timeline  1. at 0 ms POST /webhooks, 155 bytes: answered 201
                2. delivery: attempt 1 at 40 ms, answered 500; attempt 2 after 21
                   ms, answered 302; attempt 3 after 42 ms, held, never answered;
                   attempt 4 after 84 ms, connection reset; attempt 5 after 168 ms,
                   answered 500; attempt 6 after 336 ms, answered 500
                3. delivery: attempt 1 at 1.4 s, answered 500
      differs   from another delivery of the service (attempt 1, answered 500), only
                in this: data.id
      delivery  attempt 1, from 127.0.0.1, as the kit received it:
                POST http://127.0.0.1:40613/2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11
                Content-Type: application/json
                X-SVC-Webhook-Signature:
                a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7
                X-Custom-NAME: as it came
      body      205 bytes
      the other {"data":{"id":"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1","type":"webhoo…
      this one  {"data":{"id":"5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0","type":"webhoo…
                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      answered  500 (by the endpoint of the kit)

      To repeat this check alone:

    seaworthy service http://127.0.0.1:8080/v2 --trackable MAEU:1234 --seed 42 --only service/delivery/retries

    ── warning 1 of 1 ──────────────────────────────────────────────────────────────

    ! service/create/xml
      shows the same webhook in XML

      broken    SVC-8, a MAY of section 4.1 (it does not count against the service):
                The XML variant of a created webhook, where it is offered, holds the
                same webhook.
      more      seaworthy explain SVC-8
      found     The XML of a created webhook is not well-formed.
      expected  well-formed XML that holds the webhook
      actual    the body ends inside an element

      hint      Write XML with a library that closes what it opens.

      timeline  1. at 0 ms POST /webhooks, 155 bytes: answered 201
                2. at 5 ms POST /webhooks, 155 bytes: answered 201
      request   POST http://127.0.0.1:8080/v2/webhooks
                Authorization: Token $SEAWORTHY_TOKEN
                Content-Type: application/json
      body      155 bytes
                {"data":{"type":"webhook","attributes":{"url":"http://127.0.0.1:4061
                3/2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11","active":true,"events":["con
                tainer.created"]}}}
      answer    201 after 5 ms
                content-type: application/xml
                <data><id>5

      To repeat this check alone:

    seaworthy service http://127.0.0.1:8080/v2 --trackable MAEU:1234 --seed 42 --only service/create/xml

    ── summary ─────────────────────────────────────────────────────────────────────

    Learned about the contract's gaps

    The contract leaves these open. This is what the service does, as assumptions
    (--assume <key>=<value>):

    GAP-14  signature.scheme = sha256=hmac-sha256-base64
            (all 420 deliveries verify with the secret of their webhook)
    GAP-18  retries.schedule = 20ms,40ms,80ms,160ms,320ms,640ms
            (median of the pauses before each retry of 31 notifications, 18 to 33 of
            them a pause)

    --learn <file> writes them down, so that you can test a receiver with exactly
    this.

    Seen where the contract is silent

    GAP-5  a webhook turns inactive after 5 failed notifications (seen at 2
           webhooks)

    Second opinion

    Prism disagrees with the kit about 3 of 3,000 requests and answers. One of the
    two reads the contract wrongly; it does not count against the service.

      createWebhook, answer (2 times): the kit says invalid, Prism says valid (the
        kit: created_at is no date-time; Prism: no complaint)
      listWebhooks, request (1 time): the kit says valid, Prism says invalid (the
        kit: no complaint; Prism: page[size] is no number)

    Requirements

    ! SVC-8 MAY    broken        ? DLV-3 MUST   inconclusive
    ✓ CRW-1 MUST   holds         ✗ NTF-3 MUST   broken
    ✗ CRW-4 MUST   broken        ? STA-2 MUST   inconclusive
    - CRW-6 SHOULD not-observed  - TRQ-3 MUST   not-observed

    Not observed

    - no number that the service does not know: --untrackable <SCAC:NUMBER> makes it
      observable
        service/tracking/unknown-number (TRQ-3)
    - CRW-6: no check is about it

    Inconclusive

    ? 4 attempts were seen, the last one after 31.2 s, when --retry-window ended;
      give it a longer time
        service/delivery/exhaustion (STA-2)
    ? DLV-3: service/delivery/retries failed over NTF-3 before it could show this;
      fix that, and run again

    Left over at the service

    The kit made these for its checks and could not remove them. Delete them by
    hand, or turn them inactive: until then the service may go on sending to
    endpoints that are gone.

      webhook 5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0 (turned inactive; it cannot be
      deleted as assumed)

    Checks        6: 1 passed, 2 failed, 1 warned, 1 not observable, 1 inconclusive
    Requirements  8: 1 holds, 3 broken, 2 inconclusive, 2 not observed
    Calls         1,500 made in 8.4 s (179/s)
    Deliveries    420 caught
    Seed          42
    Journal       .seaworthy/run.ndjson

    Does not conform: 3 of 6 MUSTs observed, broken: CRW-4, NTF-3 (exit code 1)
    "
  `);
});

test('where Prism agrees about everything, one line says so', async () => {
  const run: readonly RunEvent[] = [
    serviceStarted(),
    checkFinished('service/create/plain', 'passed'),
    { type: 'opinion.finished', ms: 9, compared: 1204, differed: 0 },
    finished(),
  ];
  const text = await shown(run);
  expect(text).toContain('\n\nSecond opinion: Prism agrees with the kit about all 1,204 requests and answers.\n\n');
});

test('a service that does not create a plain webhook: what was sent, what was answered, what to do', async () => {
  const run: readonly RunEvent[] = [
    serviceStarted(),
    {
      type: 'control.finished',
      ms: 30,
      accepted: false,
      attempt: creation(['container.created'], answered(401, '{"errors":[{"title":"unknown key"}]}'), 10),
    },
    {
      type: 'target.lost',
      ms: 31,
      reason: 'a plain webhook was answered 401',
      advice: 'Is --token a key of this service?',
    },
    finished({ ms: 40, durationMs: 40, complete: false }),
  ];
  expect(await shown(run)).toMatchInlineSnapshot(`
    "seaworthy 0.1.0: service http://127.0.0.1:8080/v2
    tested against Shipment Tracking Service 0.2.0
    6 checks, intensity standard, seed 42

    ✗ creating a plain webhook: 401 after 3 ms

    A plain webhook was answered 401
    Is --token a key of this service?

      request   POST http://127.0.0.1:8080/v2/webhooks
                Authorization: Token $SEAWORTHY_TOKEN
                Content-Type: application/json
      body      155 bytes
                {"data":{"type":"webhook","attributes":{"url":"http://127.0.0.1:4061
                3/2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11","active":true,"events":["con
                tainer.created"]}}}
      answer    401 after 3 ms
                content-type: application/json
                {"errors":[{"title":"unknown key"}]}

    Seed          42
    Journal       .seaworthy/run.ndjson

    Inconclusive: 0 of 6 MUSTs observed, none broken (exit code 3)
    "
  `);
});

test('after --learn it is not suggested again', async () => {
  const run = failingServiceRun().map((event) =>
    event.type === 'run.started' ? { ...event, command: `${event.command} --learn learned.yaml` } : event,
  );
  expect(await shown(failingServiceRun())).toContain('--learn <file> writes');
  expect(await shown(run)).not.toContain('--learn <file> writes');
});

test('of very much only the start is shown, and where the rest is', async () => {
  const what = Array.from({ length: 25 }, (_, index) => `webhook ${index + 1}`);
  const text = await shown([serviceStarted(), { type: 'left.over', ms: 1, what }, finished()]);
  expect(text).toContain('  webhook 10\n  (15 others; the JSON report has them all)\n');
});

test('an id of a megabyte is cut, and takes no minute', async () => {
  const text = await shown([serviceStarted(), { type: 'left.over', ms: 1, what: ['a'.repeat(1_000_000)] }, finished()]);
  expect(text).toMatch(/\n {2}a+\n {2}a+\n {2}a+\n {2}… \(1,000,000 characters in all\)\n/);
});

describe('the exchange of a finding', () => {
  const about = async (exchange: Counterexample['exchange']): Promise<string> => {
    const found = checkFinished('service/create/plain', 'failed', { counterexample: counterexample({ exchange }) });
    const text = await shown([serviceStarted(), found, finished()]);
    return text.slice(text.indexOf('\n  timeline'), text.indexOf('\n  To see it again'));
  };

  test('is reported in the order of time, with what went to which endpoint', async () => {
    const other = { ...caught(1, 150, 'held, never answered') };
    const elsewhere = { ...other, request: { ...other.request, url: 'http://127.0.0.1:40613/other' } };
    const attempts: readonly ReportedExchange[] = [
      creation(['container.created'], created(), 100),
      caught(1, 140, '500'),
      elsewhere,
      caught(2, 165, 'connection reset'),
      caught(3, 1365, '200'),
      {
        ...attempt('', answered(200)),
        request: { ...attempt('', answered(200)).request, method: 'GET', url: `${base}/webhooks` },
      },
    ];
    expect(await about({ attempts })).toMatchInlineSnapshot(`
      "
        timeline  1. at 0 ms POST /webhooks, 155 bytes: answered 201
                  2. delivery to endpoint 1: attempt 1 at 40 ms, answered 500
                  3. delivery to endpoint 2: attempt 1 at 50 ms, held, never answered
                  4. delivery to endpoint 1: attempt 2 at 65 ms, connection reset;
                     attempt 3 after 1.2 s, answered 200
                  5. GET /webhooks: answered 200
                  endpoint 1 is
                  http://127.0.0.1:40613/2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11
                  endpoint 2 is http://127.0.0.1:40613/other
        request   GET http://127.0.0.1:8080/v2/webhooks
                  Content-Type: application/json
        body      0 bytes
        answer    200 after 3 ms
                  content-type: application/json
      "
    `);
  });

  test('with very many attempts keeps the first and the last', async () => {
    const attempts = Array.from({ length: 40 }, (_, index) => caught(index + 1, index * 10, '503'));
    const text = await about({ attempts });
    expect(text).toContain('attempt 8 after 10 ms, answered 503; (26 more);');
    expect(text).toContain('attempt 40 after');
    expect(text).not.toContain('attempt 9 after');
  });

  test('compares a caught delivery with nothing but another one', async () => {
    const twin = creation(['container.created'], created(), 100);
    const text = await shown([
      serviceStarted(),
      checkFinished('service/create/plain', 'failed', {
        counterexample: counterexample({ exchange: { attempts: [caught(1, 140, '500')], twin } }),
      }),
      finished(),
    ]);
    expect(text).toContain('  differs   from a call that was answered 201 after 4 ms\n');
    expect(text).not.toContain('(not in');
    expect(text).not.toContain('accepted  ');
  });
});

test('a MAY that was declared by an option says so, and fails the run', async () => {
  const run = failingServiceRun().map((event): RunEvent =>
    event.type === 'run.started'
      ? {
          ...event,
          requirements: event.requirements.map((row) => (row.level === 'may' ? { ...row, binding: true } : row)),
        }
      : event,
  );
  const text = await shown(run);
  expect(text).toContain('broken    SVC-8, a MAY of section 4.1, declared by an option:');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('broken: SVC-8, CRW-4, NTF-3 (exit code 1)');
});
