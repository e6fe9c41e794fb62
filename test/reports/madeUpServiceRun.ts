import type {
  CallFinished,
  DeliveryCaught,
  ReportedAnswer,
  ReportedAttempt,
  ReportedCaught,
  ReportedCheck,
  ReportedHeader,
  ReportedRequirement,
  RunEvent,
  RunStarted,
} from '../../reports/model/events.ts';
import {
  body,
  check,
  checkFinished,
  checkStarted,
  counterexample,
  finished,
  notification,
  requirement,
  started,
} from './madeUpRun.ts';

/** Pieces of runs against a service that never happened. */

export const base = 'http://127.0.0.1:8080/v2';
const endpoint = 'http://127.0.0.1:40613/2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11';

const serviceRequirements: readonly ReportedRequirement[] = [
  requirement(
    'SVC-8',
    '4.1',
    'may',
    'The XML variant of a created webhook, where it is offered, holds the same webhook.',
  ),
  requirement('CRW-1', '4.1', 'must', 'A webhook that was created is answered with 201 and the webhook.'),
  requirement('CRW-4', '4.1', 'must', 'An events list with a repeated item is refused and creates nothing.'),
  requirement('CRW-6', '2.1', 'should', 'An address without TLS is refused.'),
  requirement('DLV-3', '4.4', 'must', 'Every status that does not accept a delivery leads to a retry.'),
  requirement('NTF-3', '2.2, 6.3', 'must', 'Redeliveries carry the id of the first delivery.'),
  requirement('STA-2', '3.1', 'must', 'There are no more than 12 retries.'),
  requirement('TRQ-3', '2.3', 'must', 'An unknown number never leads to success.'),
];

const serviceChecks: readonly ReportedCheck[] = [
  check('service/create/plain', 'creates a plain webhook and shows it', ['CRW-1']),
  check('service/create/repeated-event', 'refuses an events list with a repeated item', ['CRW-4']),
  check('service/create/xml', 'shows the same webhook in XML', ['SVC-8'], 'may'),
  check('service/delivery/retries', 'keeps retrying until the receiver accepts', ['DLV-3', 'NTF-3']),
  check('service/delivery/exhaustion', 'gives up after 12 retries', ['STA-2']),
  check('service/tracking/unknown-number', 'never finds an unknown number', ['TRQ-3']),
];

export function serviceStarted(parts: Partial<RunStarted> = {}): RunStarted {
  return started({
    target: { kind: 'service', address: base },
    command: `seaworthy service ${base} --trackable MAEU:1234 --seed 42`,
    checks: serviceChecks,
    requirements: serviceRequirements,
    assumptions: [{ gap: 'GAP-9', key: 'update', value: 'PATCH /webhooks/{id}', source: 'default' }],
    ...parts,
  });
}

export function called(parts: Partial<CallFinished> = {}): CallFinished {
  return {
    type: 'call.finished',
    ms: 20,
    check: 'control',
    case: 0,
    operationId: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    bytes: 180,
    digest: 'c1',
    answer: { kind: 'answered', status: 201, ms: 3 },
    ...parts,
  };
}

export function caughtShort(parts: Partial<DeliveryCaught> = {}): DeliveryCaught {
  return {
    type: 'delivery.caught',
    ms: 30,
    check: 'control',
    case: 0,
    endpoint: '2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11',
    id: 'dd4cc9a4-0000-4000-8000-000000000001',
    event: 'container.created',
    number: 1,
    bytes: 205,
    digest: 'd1',
    answered: '200',
    ...parts,
  };
}

const authorized: readonly ReportedHeader[] = [
  ['Authorization', 'Token $SEAWORTHY_TOKEN'],
  ['Content-Type', 'application/json'],
];

export function creation(events: readonly string[], answer: ReportedAnswer, at: number): ReportedAttempt {
  const attributes = { url: endpoint, active: true, events };
  const text = JSON.stringify({ data: { type: 'webhook', attributes } });
  return { request: { method: 'POST', url: `${base}/webhooks`, headers: authorized, body: body(text) }, answer, at };
}

export function created(status = 201): ReportedAnswer {
  const text = JSON.stringify({
    data: { id: '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0', type: 'webhook', attributes: { url: endpoint, active: true } },
  });
  const headers = [
    ['Date', 'Fri, 20 Nov 2026 19:00:00 GMT'],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(text.length)],
  ] as const;
  return { kind: 'answered', status, headers, body: text, ms: 4 };
}

export function caught(
  number: number,
  at: number,
  answered: string,
  text = notification('dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1'),
): ReportedCaught {
  const headers = [
    ['Content-Type', 'application/json'],
    ['X-SVC-Webhook-Signature', 'a7'.repeat(32)],
    ['X-Custom-NAME', 'as it came'],
  ] as const;
  return {
    caught: true,
    request: { method: 'POST', url: endpoint, headers, body: body(text) },
    from: '127.0.0.1',
    number,
    answered,
    at,
  };
}

const retried = [340, 361, 403, 487, 655, 991]
  .map((at, index) => caught(index + 1, at, ['500', '302', 'held, never answered', 'connection reset'][index] ?? '500'))
  .concat(caught(1, 1660, '500', notification('5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0')));

/** A run against a service with one of everything. */
export function failingServiceRun(): readonly RunEvent[] {
  return [
    serviceStarted(),
    { type: 'control.finished', ms: 12, accepted: true, attempt: creation(['container.created'], created(), 8) },
    ...serviceChecks.map(({ id }) => checkStarted(id)),
    ...Array.from({ length: 1500 }, () => called()),
    ...Array.from({ length: 420 }, () => caughtShort()),
    checkFinished('service/create/plain', 'passed', { cases: 36 }),
    checkFinished('service/create/repeated-event', 'failed', {
      counterexample: counterexample({
        summary: 'events with an item twice: answered 201, and the webhook is listed.',
        requirements: ['CRW-4'],
        expected: 'a refusal (any 4xx), and no webhook in the list',
        actual: 'answered 201',
        hint: 'Check the list against its schema (uniqueItems) before anything is stored.',
        exchange: {
          attempts: [creation(['container.created', 'container.created'], created(), 120)],
          twin: creation(['container.created'], created(), 100),
          difference: 'the item of events stands there twice',
        },
        curl: `: "\${SEAWORTHY_TOKEN:?set it to the key of the service}"\ncurl -sS -i --http1.1 -X POST '${base}/webhooks' \\\n  -H "Authorization: Token $SEAWORTHY_TOKEN" \\\n  --data-raw '{"data":{}}' \\\n  -w '\\n'`,
      }),
    }),
    checkFinished('service/create/xml', 'warned', {
      cases: 6,
      counterexample: counterexample({
        summary: 'The XML of a created webhook is not well-formed.',
        requirements: ['SVC-8'],
        expected: 'well-formed XML that holds the webhook',
        actual: 'the body ends inside an element',
        hint: 'Write XML with a library that closes what it opens.',
        exchange: {
          attempts: [
            creation(['container.created'], created(), 90),
            creation(
              ['container.created'],
              {
                kind: 'answered',
                status: 201,
                headers: [['content-type', 'application/xml']],
                body: '<data><id>5',
                ms: 5,
              },
              95,
            ),
          ],
        },
        curl: serviceStarted().command,
      }),
    }),
    checkFinished('service/delivery/retries', 'failed', {
      cases: 41,
      counterexample: counterexample({
        summary: 'A retry came with another notification id.',
        requirements: ['NTF-3'],
        expected: 'every attempt carries the id of the first one',
        actual: 'the seventh attempt carries another id',
        hint: 'Make the id when the notification is made, and store it with the notification.',
        exchange: {
          attempts: [creation(['container.created'], created(), 300), ...retried],
          twin: caught(1, 340, '500'),
          difference: 'data.id',
        },
        curl: serviceStarted().command,
      }),
    }),
    checkFinished('service/delivery/exhaustion', 'inconclusive', {
      reason: '4 attempts were seen, the last one after 31.2 s, when --retry-window ended; give it a longer time',
    }),
    checkFinished('service/tracking/unknown-number', 'not-observable', {
      cases: 0,
      reason: 'no number that the service does not know: --untrackable <SCAC:NUMBER> makes it observable',
    }),
    {
      type: 'learned',
      ms: 2000,
      key: 'signature.scheme',
      gap: 'GAP-14',
      value: 'sha256=hmac-sha256-base64',
      evidence: 'the first delivery verifies',
    },
    {
      type: 'learned',
      ms: 3000,
      key: 'signature.scheme',
      gap: 'GAP-14',
      value: 'sha256=hmac-sha256-base64',
      evidence: 'all 420 deliveries verify with the secret of their webhook',
    },
    {
      type: 'learned',
      ms: 3000,
      key: 'retries.schedule',
      gap: 'GAP-18',
      value: '20ms,40ms,80ms,160ms,320ms,640ms',
      evidence: 'median of the pauses before each retry of 31 notifications, 18 to 33 of them a pause',
    },
    {
      type: 'observed',
      ms: 3000,
      gap: 'GAP-5',
      value: 'a webhook turns inactive after 5 failed notifications',
      evidence: 'seen at 2 webhooks',
    },
    opinion(
      'createWebhook',
      'response',
      'invalid',
      'valid',
      'the kit: created_at is no date-time; Prism: no complaint',
    ),
    opinion(
      'createWebhook',
      'response',
      'invalid',
      'valid',
      'the kit: created_at is no date-time; Prism: no complaint',
    ),
    opinion('listWebhooks', 'request', 'valid', 'invalid', 'the kit: no complaint; Prism: page[size] is no number'),
    { type: 'opinion.finished', ms: 8000, compared: 3000, differed: 3 },
    {
      type: 'left.over',
      ms: 8100,
      what: ['webhook 5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0 (turned inactive; it cannot be deleted as assumed)'],
    },
    finished(),
  ];
}

export function opinion(
  operationId: string,
  part: 'request' | 'response',
  kit: string,
  prism: string,
  detail: string,
): RunEvent {
  return { type: 'opinion.differed', ms: 500, operationId, part, kit, prism, detail };
}
