import { createHash } from 'node:crypto';

import type {
  CheckFinished,
  CheckStarted,
  DeliveryFinished,
  ReportedAnswer,
  ReportedAttempt,
  ReportedBody,
  ReportedCheck,
  ReportedHeader,
  ReportedRequirement,
  RunEvent,
  RunFinished,
  RunStarted,
} from '../../reports/model/events.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

/** Pieces of runs that never happened, for what reports make of them. */

const requirements: readonly ReportedRequirement[] = [
  requirement('RCV-1', '4.4, 6', 'must', 'Every subscribed event is answered with an accepting status.'),
  requirement('RCV-4', '4.4', 'should', 'The answer stays within the delivery time-out.'),
  requirement('RCV-5', '4.4', 'should', 'What was not accepted is not answered with an accepting status.'),
  requirement('IDM-2', '6.3', 'must', 'A redelivered notification takes effect once.'),
  requirement('IDM-3', '6.3', 'must', 'Copies that arrive at the same time take effect once.'),
  requirement('VRF-2', '5.2', 'must', 'A missing or wrong signature is refused and takes no effect.'),
  {
    ...requirement(
      'VRF-3',
      '5.2',
      'must',
      'A body changed after it was signed is refused, even where it parses to the same value.',
    ),
    why: 'A signature that does not cover each byte fits another body.',
  },
  requirement('SRC-1', '5.2', 'may', 'Only published sender addresses are let in.'),
];

const checks: readonly ReportedCheck[] = [
  check('receiver/acceptance/every-event', 'accepts a plain delivery of every event it subscribes to', ['RCV-1']),
  check('receiver/acceptance/not-json', 'does not accept a signed body that is not JSON', ['RCV-5'], 'should'),
  check('receiver/idempotency/redelivered-once-more', 'takes effect once when a notification is redelivered', [
    'IDM-2',
  ]),
  check('receiver/idempotency/together', 'takes effect once when copies arrive at the same time', ['IDM-3', 'IDM-2']),
  check('receiver/signature/missing', 'refuses a delivery without a signature', ['VRF-2']),
  check(
    'receiver/signature/changed-after-signing',
    'refuses a body changed after signing, even where it parses to the same value',
    ['VRF-3', 'VRF-2'],
  ),
  check('receiver/timing/answers-in-time', 'answers within the delivery time-out', ['RCV-4'], 'should'),
];

export function requirement(
  id: string,
  section: string,
  level: ReportedRequirement['level'],
  statement: string,
): ReportedRequirement {
  return { id, section, level, statement };
}

export function check(
  id: string,
  title: string,
  ids: readonly string[],
  level: ReportedCheck['level'] = 'must',
): ReportedCheck {
  return { id, title, requirements: ids, level };
}

export function started(parts: Partial<RunStarted> = {}): RunStarted {
  return {
    type: 'run.started',
    format: 1,
    at: '2026-11-20T19:00:00.000Z',
    kit: { name: 'seaworthy', version: '0.1.0' },
    contract: { title: 'Shipment Tracking Service', version: '0.2.0' },
    target: { kind: 'receiver', address: 'http://127.0.0.1:4711/hooks' },
    run: { id: 'run-1', seed: 42, intensity: 'standard', strict: false },
    command: 'seaworthy receiver http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42',
    checks,
    requirements,
    assumptions: [
      { gap: 'GAP-14', key: 'signature.scheme', value: 'hmac-sha256-hex', source: 'default' },
      { gap: 'GAP-14', key: 'signature.header', value: 'X-Signature', source: 'option' },
    ],
    ...parts,
  };
}

export function checkStarted(id: string, ms = 10): CheckStarted {
  return { type: 'check.started', ms, check: id };
}

export function checkFinished(
  id: string,
  outcome: CheckFinished['outcome'],
  parts: Partial<CheckFinished> = {},
): CheckFinished {
  return { type: 'check.finished', ms: 1000, check: id, outcome, cases: 60, durationMs: 310, ...parts };
}

export function delivered(parts: Partial<DeliveryFinished> = {}): DeliveryFinished {
  return {
    type: 'delivery.finished',
    ms: 20,
    check: 'control',
    case: 0,
    id: 'dd4cc9a4-0000-4000-8000-000000000001',
    event: 'container.created',
    bytes: 180,
    digest: 'd1',
    answer: { kind: 'answered', status: 200, ms: 3 },
    ...parts,
  };
}

export function finished(parts: Partial<RunFinished> = {}): RunFinished {
  const end = { at: '2026-11-20T19:00:08.400Z', durationMs: 8400, complete: true, interrupted: false };
  return { type: 'run.finished', ms: 8400, ...end, ...parts };
}

export function body(text: string): ReportedBody {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), text };
}

export function answered(status: number, text = '', ms = 3): ReportedAnswer {
  return { kind: 'answered', status, headers: [['content-type', 'application/json']], body: text, ms };
}

export function attempt(
  text: string,
  answer: ReportedAnswer,
  headers: readonly ReportedHeader[] = [['Content-Type', 'application/json']],
): ReportedAttempt {
  return { request: { method: 'POST', url: 'http://127.0.0.1:4711/hooks', headers, body: body(text) }, answer };
}

export function counterexample(parts: Partial<Counterexample> = {}): Counterexample {
  return {
    summary: 'A notification whose body was changed after signing was answered 200.',
    requirements: ['VRF-3'],
    seed: 42,
    path: '17:0:2',
    expected: 'a refusal: any status but 200, 201, 202, 204',
    actual: '200',
    hint: 'Verify the bytes as they arrived, before a JSON parser touches them. In Express: express.raw() on this route.',
    exchange: {
      attempts: [
        attempt(
          `{ ${notification('dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1').slice(1)}`,
          answered(200, '{"ok":true}'),
          signed('6b'),
        ),
      ],
      twin: attempt(notification('0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9'), answered(200, '{"ok":true}'), signed('9e')),
      difference: 'a space after the opening brace',
    },
    curl: `curl -sS -i --http1.1 -X POST 'http://127.0.0.1:4711/hooks' \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{ "data":{}}' \\\n  -w '\\n'`,
    ...parts,
  };
}

export function notification(id: string): string {
  return JSON.stringify({
    data: {
      id,
      type: 'webhook_notification',
      attributes: { event: 'container.created', delivery_status: 'pending', created_at: '2026-11-20T19:00:00Z' },
    },
    included: [],
  });
}

export function signed(byte: string): readonly ReportedHeader[] {
  return [
    ['Content-Type', 'application/json'],
    ['X-SVC-Webhook-Signature', byte.repeat(32)],
  ];
}

/** A run with one of everything. */
export function failingRun(): readonly RunEvent[] {
  const copy = attempt(notification('5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0'), answered(200), signed('4c'));
  const twice = [{ id: '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0', expected: 1, actual: 2 }];
  return [
    started(),
    {
      type: 'control.finished',
      ms: 12,
      accepted: true,
      attempt: attempt(notification('aaaaaaaa-3c36-41a7-a5d2-5e1f6dd0a0e9'), answered(200)),
    },
    ...checks.map(({ id }) => checkStarted(id)),
    ...Array.from({ length: 1234 }, () => delivered()),
    checkFinished('receiver/acceptance/every-event', 'passed', { cases: 43 }),
    checkFinished('receiver/acceptance/not-json', 'warned', {
      counterexample: counterexample({
        summary: 'A signed body that is not JSON was answered 200.',
        requirements: ['RCV-5'],
        hint: 'Parse before you answer, or hand the bytes to a queue that reports what it cannot read.',
        exchange: { attempts: [attempt('{"data":\u0000\u001b[31m', answered(200, 'ok\u001b[2J'), signed('1f'))] },
      }),
    }),
    checkFinished('receiver/idempotency/redelivered-once-more', 'failed', {
      counterexample: counterexample({
        summary: 'A notification delivered 13 times took effect twice.',
        requirements: ['IDM-2'],
        expected: 'one effect',
        actual: '2 effects',
        hint: 'Write the id and the effect in one transaction, with a unique key on the id.',
        exchange: {
          attempts: [...Array.from({ length: 12 }, () => copy), { ...copy, answer: answered(409) }],
          effects: twice,
        },
        curl: started().command,
      }),
    }),
    checkFinished('receiver/idempotency/together', 'inconclusive', {
      reason: 'the effects were still changing when the wait was over; give --settle a longer time',
    }),
    checkFinished('receiver/signature/missing', 'passed'),
    checkFinished('receiver/signature/changed-after-signing', 'failed', { counterexample: counterexample() }),
    checkFinished('receiver/timing/answers-in-time', 'not-observable', {
      cases: 0,
      reason: 'no probe: --probe <url or command> makes it observable',
    }),
    {
      type: 'observed',
      ms: 3000,
      gap: 'GAP-14',
      value: 'an upper-case signature is accepted',
      evidence: '12 of 12 deliveries were answered 200',
    },
    finished(),
  ];
}

/** The same run with each event once: what many deliveries repeat word for word takes time to read, and says no more. */
export function withoutRepeats(run: readonly RunEvent[]): readonly RunEvent[] {
  return [...new Map(run.map((event) => [JSON.stringify(event), event])).values()];
}
