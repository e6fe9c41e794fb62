import { expect, test } from 'vitest';

import { valueAt } from '../../../generators/json/jsonPointer.ts';
import type { Caught } from '../../../suites/exchange.ts';
import { expectSameId } from '../../../suites/service/redelivery.ts';
import type { Notified } from '../../../suites/serviceKit.ts';

const members = { id: '/data/id' };
const body = (id: string) => ({ data: { id, event: 'a', created_at: '2026-01-31T08:00:00Z' } });

function notified(id: string, ...times: readonly number[]): Notified {
  const attempts = times.map((at) => ({ key: id, at, body: Buffer.from(JSON.stringify(body(id))) }) as Caught);
  return { id, event: 'a', attempts: attempts as unknown as Notified['attempts'] };
}

/** What is said of a notification whose next retry is missing, where these came as well. */
function judged(one: Notified, ...others: readonly Notified[]) {
  const deliveredJson = (caught: Caught) => JSON.parse(caught.body.toString()) as ReturnType<typeof body>;
  const kit = {
    contract: { delivery: { members } },
    deliveredJson,
    delivered: (caught: Caught, member: keyof typeof members) => valueAt(deliveredJson(caught), members[member]),
    notifications: () => [one, ...others],
  };
  return () => expectSameId(kit as never, { webhook: {} as never, notified: one });
}

test('what comes under another id after the last attempt may be the retry', () => {
  expect(judged(notified('1', 0, 100), notified('2', 200))).toThrow('another id and is otherwise the same');
});

test('what comes before that happened in the same second', () => {
  expect(judged(notified('1', 0, 100), notified('2', 9, 109))).not.toThrow();
});

test('what comes under the same id as another event may be the retry', () => {
  expect(judged(notified('1', 0, 100), { ...notified('1', 200), event: '' })).toThrow('names another event or none');
});
