import type { CatchStep } from '../../../../suites/exchange.ts';
import type { CreateStep, ServiceStep, UpdateStep } from '../../../../suites/fuzz/service/steps.ts';

const arrived = 'container.transport.vessel_arrived';
const feeder = 'container.transport.feeder_departed';

const refusal: CatchStep = { do: 'respond', status: 503 };
const slow: CatchStep = { do: 'respond', status: 503, delay: 120 };

/** Creates a webhook for one event; its endpoint accepts. */
export function create(how: Partial<CreateStep> = {}): CreateStep {
  return {
    do: 'create',
    slot: 'a',
    events: [arrived],
    active: true,
    headers: [],
    at: null,
    refusals: [],
    status: 200,
    ...how,
  };
}

/** The endpoint does so a few times first. */
export function first(times: number, by: CatchStep = refusal): Pick<CreateStep, 'refusals'> {
  return { refusals: [{ times, by }] };
}

/** The endpoint refuses two attempts, and does so with the third. */
function twiceThen(by: CatchStep): Pick<CreateStep, 'refusals'> {
  return {
    refusals: [
      { times: 2, by: refusal },
      { times: 1, by },
    ],
  };
}

function update(how: Partial<UpdateStep>): UpdateStep {
  return { do: 'update', slot: 'a', ...how };
}

/** Makes that event happen. */
export const emit: ServiceStep = { do: 'emit', events: [arrived] };
const emitTwice: ServiceStep = { do: 'emit', events: [arrived, arrived] };
const emitOften: ServiceStep = { do: 'emit', events: Array.from({ length: 20 }, () => arrived) };
const accepting = { refusals: [], status: 200 } as const;
/** Reads the list of notifications. */
export const notifications: ServiceStep = { do: 'list', what: 'notifications' };
const webhooks: ServiceStep = { do: 'list', what: 'webhooks' };
const sample: ServiceStep = { do: 'trigger', event: arrived, secret: 'whsec_MjQgYnl0ZXMgZm9yIGEga2V5', at: null };
const sampleAtA = { ...sample, at: 'a' } as ServiceStep;
const named = { headers: [{ name: 'X-Team', value: 'sea' }] };

/** Waits for an attempt at the webhook. */
export function wait(attempt: number): ServiceStep {
  return { do: 'await', slot: 'a', attempt };
}

/** A sequence written by hand that shows a fault, and the requirement and the sort of mistake that it shows. */
export interface Shown {
  readonly fault: string;
  readonly steps: readonly ServiceStep[];
  readonly requirement: string;
  readonly cause: string;
}

function shown(fault: string, cause: string, requirement: string, ...steps: readonly ServiceStep[]): Shown {
  return { fault, cause, requirement, steps };
}

export const sequences: readonly Shown[] = [
  shown('never-raises-one-event', 'lost', 'DLV-6', create({ events: [feeder] }), { do: 'emit', events: [feeder] }),
  shown('drops-what-happens-while-it-retries', 'lost', 'DLV-6', create(first(2)), emit, wait(2), emit),
  shown('never-comes-back', 'lost', 'ACT-2', create({ active: false }), update({ active: true }), emit),
  shown('keeps-sending-to-the-old-url', 'old-url', 'ACT-3', create(first(3, slow)), emit, update({ url: accepting })),
  shown('keeps-sending-to-the-old-url', 'old-url', 'ACT-3', create(), update({ url: accepting }), emit),
  shown('sends-to-inactive-webhooks', 'sent-while-inactive', 'WHK-6', create({ active: false }), emit),
  shown('sends-one-event-to-everybody', 'not-subscribed', 'DLV-5', create(), {
    do: 'emit',
    events: ['container.updated'],
  }),
  shown('gives-up-on-a-client-error', 'not-retried', 'DLV-3', create(first(1, { do: 'respond', status: 404 })), emit),
  shown('gives-up-on-a-time-out', 'not-retried', 'DLV-4', create(first(1, { do: 'hang' })), emit),
  shown(
    'gives-up-on-a-broken-connection',
    'not-retried',
    'DLV-4',
    create(first(1, { do: 'reset', when: 'before' })),
    emit,
  ),
  shown('gives-up-after-three-retries', 'not-retried', 'STA-5', create(first(5)), emit),
  shown(
    'gives-up-after-three-retries',
    'not-retried',
    'STA-5',
    create(first(5, { do: 'reset', when: 'before' })),
    emit,
  ),
  shown('gives-up-after-three-retries', 'not-retried', 'STA-5', create(first(5, { do: 'hang' })), emit),
  shown('gives-up-on-410', 'not-retried', 'DLV-3', create(twiceThen({ do: 'respond', status: 410 })), emit),
  shown(
    'gives-up-on-a-broken-connection',
    'not-retried',
    'DLV-4',
    create(twiceThen({ do: 'reset', when: 'during' })),
    emit,
  ),
  shown('counts-204-as-failure', 'sent-after-acceptance', 'DLV-2', create({ status: 204 }), emit),
  shown('retries-once-too-often', 'too-many-attempts', 'STA-2', create(first(14)), emit),
  shown('never-marks-a-notification-failed', 'wrong-status', 'STA-2', create(first(13)), emit, notifications),
  shown('leaves-accepted-notifications-pending', 'wrong-status', 'STA-4', create(), emit, notifications),
  shown(
    'calls-a-notification-failed-between-attempts',
    'wrong-status',
    'STA-3',
    create(first(9)),
    emit,
    wait(2),
    notifications,
  ),
  shown(
    'lists-new-notifications-as-succeeded',
    'wrong-status',
    'STA-1',
    create(first(9)),
    emit,
    wait(2),
    notifications,
  ),
  shown('says-succeeded-in-what-it-delivers', 'wrong-status', 'STA-1', create(), emit),
  shown('lists-no-notification-that-is-done', 'not-listed', 'NTF-9', create(), emit, notifications),
  shown('lists-inactive-webhooks-nowhere', 'not-listed', 'LST-1', create({ active: false }), webhooks),
  shown('pages-overlap', 'listed-twice', 'LST-2', create(), emitTwice, emitTwice, wait(1), { do: 'page', size: 2 }),
  shown(
    'forgets-what-an-update-does-not-name',
    'wrong-headers',
    'ACT-3',
    create(named),
    update({ active: true }),
    emit,
  ),
  shown('signs-no-retry', 'wrong-signature', 'SIG-1', create(first(1)), emit),
  shown('signs-with-the-secret-of-another-webhook', 'wrong-signature', 'WHK-9', create(), create({ slot: 'b' }), emit),
  shown('changes-the-id-on-a-retry', 'another-id', 'NTF-3', create(first(1)), emit),
  shown('gives-all-notifications-of-a-webhook-one-id', 'same-id', 'NTF-2', create(), emit, wait(1), emit),
  shown('dates-each-attempt-anew', 'dated-anew', 'NTF-7', create(first(1)), emit),
  shown('forgets-custom-headers-on-a-retry', 'wrong-headers', 'WHK-10', create({ ...named, ...first(1) }), emit),
  shown('gives-all-webhooks-one-secret', 'wrong-resource', 'WHK-8', create(), create({ slot: 'b' })),
  shown('signs-no-sample', 'wrong-signature', 'TRG-2', sample),
  shown('signs-samples-unasked', 'wrong-signature', 'TRG-6', { ...sample, secret: null } as ServiceStep),
  shown('sends-samples-to-a-registered-webhook', 'sample-strayed', 'TRG-4', create(), sample),
  shown('sends-no-samples-of-transport-events', 'sample-lost', 'TRG-1', sample),

  // The subtle ones.
  shown(
    'keeps-the-old-url-for-what-it-retries',
    'old-url',
    'ACT-3',
    create(first(4)),
    emit,
    wait(1),
    update({ url: accepting }),
  ),
  shown(
    'signs-with-another-secret-after-two-updates',
    'wrong-signature',
    'SIG-2',
    create(),
    update({ active: true }),
    update({ active: true }),
    emit,
  ),
  shown(
    'gives-up-one-retry-too-early-after-an-update',
    'not-retried',
    'STA-5',
    create(first(13)),
    emit,
    wait(1),
    update({ active: true }),
  ),
  shown('counts-attempts-by-url', 'not-retried', 'STA-5', create(first(13)), create({ slot: 'b', at: 'a' }), emit),
  shown(
    'sends-the-headers-of-the-first-webhook-at-a-url',
    'wrong-headers',
    'WHK-10',
    create(named),
    emit,
    wait(1),
    create({ slot: 'b', at: 'a' }),
    emit,
  ),
  shown(
    'drops-what-happens-while-a-neighbour-is-retried',
    'lost',
    'DLV-6',
    create(first(9)),
    emit,
    wait(2),
    create({ slot: 'b', at: 'a' }),
    emit,
  ),
  // A deletion is no update that the headers would have to follow.
  shown(
    'sends-the-headers-of-the-first-webhook-at-a-url',
    'wrong-headers',
    'WHK-10',
    create(named),
    create({ slot: 'b', at: 'a' }),
    emit,
    { do: 'remove', slot: 'b' },
  ),
  shown('signs-samples-with-the-secret-of-a-webhook', 'wrong-signature', 'TRG-2', create(), sampleAtA),
  // It is not taken for a notification of what happened while the webhook was inactive.
  shown(
    'signs-samples-with-the-secret-of-a-webhook',
    'wrong-signature',
    'TRG-2',
    create({ active: false }),
    emit,
    sampleAtA,
  ),
  // Nor for one that has to be sent again.
  shown('signs-samples-with-the-secret-of-a-webhook', 'wrong-signature', 'TRG-2', create(first(1)), sampleAtA),
  shown('gives-up-on-a-time-out-after-two-refusals', 'not-retried', 'DLV-4', create(twiceThen({ do: 'hang' })), emit),
  shown(
    'delivers-again-what-was-accepted-after-a-reset',
    'sent-after-acceptance',
    'DLV-2',
    create({
      refusals: [
        { times: 1, by: refusal },
        { times: 1, by: { do: 'reset', when: 'before' } },
      ],
    }),
    emit,
  ),
  shown('lists-one-of-two-notifications-of-one-moment', 'not-listed', 'NTF-9', create(), emitOften, notifications),
];
