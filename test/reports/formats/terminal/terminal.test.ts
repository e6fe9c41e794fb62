import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import {
  answered,
  attempt,
  checkFinished,
  checkStarted,
  delivered,
  failingRun,
  finished,
  signed,
  started,
} from '../../madeUpRun.ts';
import { shown } from '../../shown.ts';

test('a failing run, in a log without colours', async () => {
  expect(await shown(failingRun())).toMatchInlineSnapshot(`
    "seaworthy 0.1.0: receiver http://127.0.0.1:4711/hooks
    tested against Shipment Tracking Service 0.2.0
    7 checks, intensity standard, seed 42

    ✓ a plain delivery: 200 after 3 ms
    ✓ receiver/acceptance/every-event  43 cases, 310 ms
    ! receiver/acceptance/not-json  60 cases, 310 ms
    ✗ receiver/idempotency/redelivered-once-more  60 cases, 310 ms
    ? receiver/idempotency/together  inconclusive
    ✓ receiver/signature/missing  60 cases, 310 ms
    ✗ receiver/signature/changed-after-signing  60 cases, 310 ms

    Does not conform: 3 of 5 MUSTs observed, broken: IDM-2, VRF-3 (exit code 1)

      ✗ IDM-2: A notification delivered 13 times took effect twice.
      ✗ VRF-3: A notification whose body was changed after signing was answered 200.
      ! RCV-5: A signed body that is not JSON was answered 200.

    Do first  Write the id and the effect in one transaction, with a unique key on
              the id.

    ── failure 1 of 2 ──────────────────────────────────────────────────────────────

    ✗ receiver/idempotency/redelivered-once-more
      takes effect once when a notification is redelivered

      broken    IDM-2, a MUST of section 6.3: A redelivered notification takes
                effect once.
      more      seaworthy explain IDM-2
      found     A notification delivered 13 times took effect twice.
      expected  one effect
      actual    2 effects

      hint      Write the id and the effect in one transaction, with a unique key on
                the id.

      sent      1. POST, 205 bytes: answered 200
                2. to 12. the same as 1.: answered 200
                13. the same as 1.: answered 409
      request   POST http://127.0.0.1:4711/hooks
                Content-Type: application/json
                X-SVC-Webhook-Signature:
                4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c
      body      205 bytes
                {"data":{"id":"5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0","type":"webhook
                _notification","attributes":{"event":"container.created","delivery_s
                tatus":"pending","created_at":"2026-11-20T19:00:00Z"}},"included":[]
                }
      answer    409 after 3 ms
      effects   2 counted, 1 expected, of 5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0

      To repeat this check alone:

    seaworthy receiver http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42 --only receiver/idempotency/redelivered-once-more

    ── failure 2 of 2 ──────────────────────────────────────────────────────────────

    ✗ receiver/signature/changed-after-signing
      refuses a body changed after signing, even where it parses to the same value

      broken    VRF-3, a MUST of section 5.2: A body changed after it was signed is
                refused, even where it parses to the same value.
                A signature that does not cover each byte fits another body.
      more      seaworthy explain VRF-3
      found     A notification whose body was changed after signing was answered
                200.
      expected  a refusal: any status but 200, 201, 202, 204
      actual    200

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

      To repeat this check alone:

    seaworthy receiver http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42 --only receiver/signature/changed-after-signing

    ── warning 1 of 1 ──────────────────────────────────────────────────────────────

    ! receiver/acceptance/not-json
      does not accept a signed body that is not JSON

      broken    RCV-5, a SHOULD of section 4.4: What was not accepted is not
                answered with an accepting status.
      more      seaworthy explain RCV-5
      found     A signed body that is not JSON was answered 200.
      expected  a refusal: any status but 200, 201, 202, 204
      actual    200

      hint      Parse before you answer, or hand the bytes to a queue that reports
                what it cannot read.

      request   POST http://127.0.0.1:4711/hooks
                Content-Type: application/json
                X-SVC-Webhook-Signature:
                1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f
      body      14 bytes
                {"data":<U+0000><U+001B>[31m
      answer    200 after 3 ms
                ok<U+001B>[2J

      To see it again in a shell:

    curl -sS -i --http1.1 -X POST 'http://127.0.0.1:4711/hooks' \\
      -H 'Content-Type: application/json' \\
      --data-raw '{ "data":{}}' \\
      -w '\\n'

      To repeat this check alone:

    seaworthy receiver http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42 --only receiver/acceptance/not-json

    ── summary ─────────────────────────────────────────────────────────────────────

    Seen where the contract is silent

    GAP-14  an upper-case signature is accepted (12 of 12 deliveries were answered
            200)

    Requirements

    ✓ RCV-1 MUST   holds         ? IDM-3 MUST   inconclusive
    - RCV-4 SHOULD not-observed  ? VRF-2 MUST   inconclusive
    ! RCV-5 SHOULD broken        ✗ VRF-3 MUST   broken
    ✗ IDM-2 MUST   broken        - SRC-1 MAY    not-observed

    Not observed

    - no probe: --probe <url or command> makes it observable
        receiver/timing/answers-in-time (RCV-4)
    - SRC-1: no check is about it

    Inconclusive

    ? the effects were still changing when the wait was over; give --settle a longer
      time
        receiver/idempotency/together (IDM-3, IDM-2)
    ? VRF-2: receiver/signature/changed-after-signing failed over VRF-3 before it
      could show this; fix that, and run again

    Checks        7: 2 passed, 2 failed, 1 warned, 1 not observable, 1 inconclusive
    Requirements  8: 1 holds, 3 broken, 2 inconclusive, 2 not observed
    Deliveries    1,234 in 8.4 s (147/s)
    Assumptions   signature.header=X-Signature
    Seed          42
    Journal       .seaworthy/run.ndjson

    Does not conform: 3 of 5 MUSTs observed, broken: IDM-2, VRF-3 (exit code 1)
    "
  `);
});

describe('a run without failures', () => {
  const clean = failingRun().map((event): RunEvent =>
    event.type === 'check.finished' ? checkFinished(event.check, 'passed') : event,
  );
  test('is short', async () => {
    expect((await shown(clean)).split('\n').slice(12).join('\n')).toMatchInlineSnapshot(`
      "
      Conforms: 5 of 5 MUSTs observed, none broken (exit code 0)

      ── summary ─────────────────────────────────────────────────────────────────────

      Seen where the contract is silent

      GAP-14  an upper-case signature is accepted (12 of 12 deliveries were answered
              200)

      Requirements

      ✓ RCV-1 MUST   holds         ✓ IDM-3 MUST   holds
      ✓ RCV-4 SHOULD holds         ✓ VRF-2 MUST   holds
      ✓ RCV-5 SHOULD holds         ✓ VRF-3 MUST   holds
      ✓ IDM-2 MUST   holds         - SRC-1 MAY    not-observed

      Not observed

      - SRC-1: no check is about it

      Checks        7: 7 passed
      Requirements  8: 7 hold, 1 not observed
      Deliveries    1,234 in 8.4 s (147/s)
      Assumptions   signature.header=X-Signature
      Seed          42
      Journal       .seaworthy/run.ndjson

      Conforms: 5 of 5 MUSTs observed, none broken (exit code 0)
      "
    `);
  });
});

test('a receiver that refuses a plain delivery: what was sent, what was answered, what to do', async () => {
  const run: readonly RunEvent[] = [
    started(),
    {
      type: 'control.finished',
      ms: 30,
      accepted: false,
      attempt: attempt('{"data":{}}', answered(401, '{"error":"signature"}'), signed('ab')),
    },
    {
      type: 'target.lost',
      ms: 31,
      reason: 'a plain delivery was answered 401',
      advice: 'Is --secret the secret that the receiver was given?',
    },
    finished({ ms: 40, durationMs: 40, complete: false }),
  ];
  expect(await shown(run)).toMatchInlineSnapshot(`
    "seaworthy 0.1.0: receiver http://127.0.0.1:4711/hooks
    tested against Shipment Tracking Service 0.2.0
    7 checks, intensity standard, seed 42

    ✗ a plain delivery: 401 after 3 ms

    A plain delivery was answered 401
    Is --secret the secret that the receiver was given?

      request   POST http://127.0.0.1:4711/hooks
                Content-Type: application/json
                X-SVC-Webhook-Signature:
                abababababababababababababababababababababababababababababababab
      body      11 bytes
                {"data":{}}
      answer    401 after 3 ms
                {"error":"signature"}

    Assumptions   signature.header=X-Signature
    Seed          42
    Journal       .seaworthy/run.ndjson

    Inconclusive: 0 of 5 MUSTs observed, none broken (exit code 3)
    "
  `);
});

test('a killed run says so', async () => {
  const text = await shown([started(), checkStarted('receiver/signature/missing'), delivered()]);
  expect(text).toContain(
    'The run has no end\n  It was killed: this report is incomplete, and holds what was seen until then.',
  );
  expect(text).toContain('Inconclusive: 0 of 5 MUSTs observed, none broken (exit code 3)');
});
