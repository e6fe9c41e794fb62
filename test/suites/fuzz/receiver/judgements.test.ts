import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { conformingPolicies } from '../../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../../reference/receiver/receiver.ts';
import type { FuzzStep } from '../../../../suites/fuzz/fuzzing.ts';
import { receiverModel } from '../../../../suites/fuzz/receiver/index.ts';
import { inShort, secret, untilFound, withReceiver, withReference, type Ended, type Session } from './session.ts';

/** Few, so that the positive control is short. */
const events = ['document.*'];

/** A step with all that belongs to its kind. */
type Step = FuzzStep & Readonly<Record<string, unknown>>;

interface Judgement {
  /** A fault of the reference receiver. */
  readonly fault: string;
  readonly steps: readonly Step[];
  /** The requirement and the sort of mistake. */
  readonly found: string;
}

const deliver = (slot: string, what?: object): Step => ({ do: 'deliver', slot, ...(what && { what }) });
const redeliver = (slot: string, more: object = {}): Step => ({ do: 'redeliver', slot, ...more });
const together = (...parts: readonly object[]): Step => ({ do: 'together', parts });
const forge = (slot: string, how: object): Step => ({ do: 'forge', slot, how });
const spoil = (slot: string, how: string): Step => ({ do: 'spoil', slot, how });
const breakOff = (slot: string, at: string, more: object = {}): Step => ({ do: 'break', slot, at, ...more });
const wait = (ms: number): Step => ({ do: 'wait', ms });

const unsigned = { kind: 'no signature header' };
const foreign = { kind: 'another secret', secret: 'other' };
const spaced = { kind: 'another spelling after signing', form: [{ kind: 'whitespace', at: 0 }] };
const ship = '\u{1f6a2}';

const judgements: readonly Judgement[] = [
  { fault: 'deduplicates-nothing', steps: [deliver('a'), redeliver('a')], found: 'IDM-2 twice' },
  {
    fault: 'deduplicates-by-body-hash',
    steps: [deliver('a'), redeliver('a', { form: [{ kind: 'whitespace', at: 0 }] })],
    found: 'IDM-2 twice',
  },
  { fault: 'forgets-ids-after-100-ms', steps: [deliver('a'), wait(120), redeliver('a')], found: 'IDM-2 twice' },
  {
    fault: 'takes-effect-again-at-the-third-redelivery',
    steps: [deliver('a'), redeliver('a', { times: 3 })],
    found: 'IDM-2 twice',
  },
  {
    fault: 'takes-effect-twice-after-a-lost-answer',
    steps: [breakOff('a', 'the answer'), wait(100), redeliver('a')],
    found: 'IDM-2 twice',
  },
  { fault: 'deduplicates-nothing', steps: [together({ slot: 'a', copies: 2 })], found: 'IDM-3 twice' },
  {
    fault: 'deduplicates-nothing',
    steps: [deliver('b'), together({ slot: 'a', copies: 2 }), redeliver('a')],
    found: 'IDM-3 twice',
  },
  {
    fault: 'forgets-ids-after-100-ms',
    steps: [together({ slot: 'a', copies: 2 }), wait(120), redeliver('a')],
    found: 'IDM-2 twice',
  },
  {
    fault: 'lets-concurrent-copies-cancel-each-other',
    steps: [together({ slot: 'a', copies: 3 }, { slot: 'a', copies: 3 })],
    found: 'IDM-3 lost',
  },
  { fault: 'deduplicates-by-event-and-time', steps: [deliver('a'), deliver('b')], found: 'IDM-4 lost' },
  {
    fault: 'deduplicates-by-half-an-id',
    steps: [deliver('a'), deliver('b', { id: { slot: 'a', shares: 'the start', digits: 17 } })],
    found: 'IDM-4 lost',
  },
  { fault: 'answers-409-to-a-redelivery', steps: [deliver('a'), redeliver('a')], found: 'IDM-1 refused' },
  {
    fault: 'refuses-the-third-redelivery',
    steps: [deliver('a'), redeliver('a', { times: 3 })],
    found: 'IDM-1 refused',
  },
  { fault: 'marks-before-the-body-has-arrived', steps: [breakOff('a', 'the last byte')], found: 'IDM-5 lost' },
  {
    fault: 'keeps-the-lock-of-a-broken-delivery',
    steps: [breakOff('a', 'the body', { percent: 90 })],
    found: 'RTY-1 refused',
  },
  { fault: 'marks-before-it-verifies', steps: [forge('a', unsigned), redeliver('a')], found: 'VRF-2 lost' },
  { fault: 'accepts-a-missing-header', steps: [forge('a', unsigned)], found: 'VRF-2 accepted' },
  { fault: 'takes-effect-although-it-refuses', steps: [forge('a', foreign)], found: 'VRF-2 took effect' },
  {
    fault: 'takes-effect-although-it-refuses',
    steps: [forge('a', { kind: 'another id after signing' })],
    found: 'VRF-3 took effect',
  },
  { fault: 'verifies-reserialised-json', steps: [forge('a', spaced)], found: 'VRF-3 accepted' },
  {
    fault: 'verifies-reserialised-json',
    steps: [deliver('a', { form: [{ kind: 'whitespace', at: 0 }] })],
    found: 'VRF-1 refused',
  },
  { fault: 'never-tries-the-second-secret', steps: [deliver('a', { secret: 1 })], found: 'VRF-1 refused' },
  {
    fault: 'verifies-reserialised-json',
    steps: [together({ slot: 'a', what: { form: [{ kind: 'whitespace', at: 0 }] } }, { slot: 'b' })],
    found: 'VRF-1 refused',
  },
  {
    fault: 'refuses-one-event',
    steps: [together({ slot: 'a', what: { says: { event: 'document.extraction_failed' } } })],
    found: 'RCV-1 refused',
  },
  {
    fault: 'refuses-one-event',
    steps: [deliver('a', { says: { event: 'document.extraction_failed' } })],
    found: 'RCV-1 refused',
  },
  {
    fault: 'refuses-bodies-above-16-kib',
    steps: [deliver('a', { padding: { bytes: 17_000, character: '.' } })],
    found: 'RCV-2 refused',
  },
  {
    fault: 'fails-on-text-outside-the-bmp',
    steps: [deliver('a', { padding: { bytes: 4, character: ship } })],
    found: 'RCV-2 refused',
  },
  {
    fault: 'answers-415-to-a-charset',
    steps: [deliver('a', { mediaType: 'application/json; charset=utf-8' })],
    found: 'RCV-7 refused',
  },
  { fault: 'answers-200-to-what-is-not-json', steps: [spoil('a', 'the body is plain text')], found: 'RCV-5 accepted' },
  {
    fault: 'answers-500-to-malformed-json',
    steps: [spoil('a', 'a comma stands before the last brace')],
    found: 'ROB-1 failed',
  },
];

describe('what a receiver does wrong in a sequence is found, and named', () => {
  const faults = Object.entries(Object.groupBy(judgements, ({ fault }) => fault));
  test.concurrent.each(faults)('%s', async (fault, some) => {
    const ended = await withReference(fault, (session) => oneByOne(some!, session), { events });
    expect(ended.map(inShort)).toEqual(some!.map(({ found }) => found));
    for (const { finding, judged } of ended) {
      expect(receiverModel.requirements).toContain(finding!.requirements[0]);
      expect(judged).toContain(finding!.requirements[0]);
      expect(receiverModel.hint(finding!)).toMatch(/\.$/);
      expect(finding!.attempts.length).toBeGreaterThan(0);
    }
  });

  test('and no such sequence shows anything of a receiver that keeps the contract', async () => {
    const newline = deliver('a', { form: [{ kind: 'trailing-newline', at: 0 }] });
    const sequences = [
      ...judgements.map(({ steps }) => steps),
      [newline, spoil('a', 'a comma stands before the last brace')],
    ];
    const ended = await withReference(undefined, ({ play }) => play(sequences), { secret: [secret], settle: 400 });
    expect(ended.map(inShort)).toEqual(sequences.map(() => 'nothing'));
    const broken = judgements.map(({ found }) => found.split(' ')[0]!);
    const unseen = judgements.filter((_, place) => !ended[place]!.judged.includes(broken[place]!));
    expect(unseen.filter(({ fault }) => fault !== 'never-tries-the-second-secret')).toEqual([]);
  });
});

/** One sequence after the other: what one leaves behind in a faulty receiver must not show in another. */
async function oneByOne(some: readonly Judgement[], session: Session): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const { steps } of some) ended.push(await untilFound(session, steps));
  return ended;
}

describe('what no fault of the reference receiver shows', () => {
  test('a redelivery without an answer, although a later one has it', async () => {
    const silenced = new Set<string>();
    const receiver = await startReceiver({
      secrets: [secret],
      policies: {
        answer: (outcome, delivery, notification) => {
          const isFirst = outcome === 'duplicate' && !silenced.has(notification!.id);
          if (isFirst) {
            silenced.add(notification!.id);
            delivery.head.socket.destroy();
          }
          return conformingPolicies.answer(outcome, delivery, notification);
        },
      },
    });
    const [ended] = await withReceiver(receiver, ({ play }) => play([[deliver('a'), redeliver('a')]]), { events });
    expect(inShort(ended!)).toBe('IDM-1 unanswered');
    expect(ended!.finding!.attempts.at(-1)!.answer.kind).toBe('broken');
  });

  test('what is refused beside another of its event, and ever after', async () => {
    const [underWay, refused] = [new Map<unknown, number>(), new Set<string>()];
    const policies: Partial<ReceiverPolicies> = {
      accept: async (notification, ...rest) => {
        const { id, event } = notification;
        const count = (underWay.get(event) ?? 0) + 1;
        underWay.set(event, count);
        if (count > 1) refused.add(id);
        await delay(30);
        underWay.set(event, underWay.get(event)! - 1);
        if (refused.has(id)) throw new Error('the lock of the event was taken, and that of the id is kept');
        return conformingPolicies.accept(notification, ...rest);
      },
    };
    const steps = [together({ slot: 'a' }, { slot: 'b' })];
    const receiver = await startReceiver({ secrets: [secret], policies });
    expect(inShort(await withReceiver(receiver, (session) => untilFound(session, steps), { events }))).toBe(
      'RTY-1 refused',
    );
    // So an acceptance among others says something of RTY-1.
    const [conforming] = await withReference(undefined, ({ play }) => play([steps]), { events, secret: [secret] });
    expect(conforming!.judged).toContain('RTY-1');
  });

  test('content that is acknowledged and lost', async () => {
    const receiver = await startReceiver({
      secrets: [secret],
      policies: {
        accept: (notification, store, delivery) =>
          notification.body.length > 64 * 1024 && notification.body.includes(ship)
            ? Promise.resolve('new')
            : conformingPolicies.accept(notification, store, delivery),
      },
    });
    const sequences = [ship, '.'].map((character) => [deliver('a', { padding: { bytes: 70_000, character } })]);
    const ended = await withReceiver(receiver, ({ play }) => play(sequences), { events });
    expect(ended.map(inShort)).toEqual(['RCV-2 lost', 'nothing']);
  });

  test('a receiver may say that a body above 64 KiB is too large', async () => {
    const receiver = await startReceiver({
      secrets: [secret],
      policies: {
        admit: ({ headers }) => (Number(headers['content-length']) > 65_536 ? { status: 413 } : undefined),
      },
    });
    const large = deliver('a', { padding: { bytes: 70_000, character: ship } });
    const [ended] = await withReceiver(receiver, ({ play }) => play([[large, redeliver('a'), deliver('b')]]), {
      events,
    });
    expect(inShort(ended!)).toBe('nothing');
  });

  test('a receiver that takes nothing any more', async () => {
    let broken = false;
    const receiver = await startReceiver({
      secrets: [secret],
      policies: {
        answer: (outcome, delivery) => {
          broken ||= outcome === 'forged';
          return broken ? { status: 500 } : conformingPolicies.answer(outcome, delivery);
        },
      },
    });
    const [ended] = await withReceiver(receiver, ({ play }) => play([[forge('a', unsigned), deliver('b')]]), {
      events,
    });
    expect(inShort(ended!)).toBe('ROB-1 gone');
    // Whether it died is found out by the runner, which has a cause of its own for it.
    expect(receiverModel.hint({ ...ended!.finding!, cause: 'died' })).toContain('log');
  });
});
