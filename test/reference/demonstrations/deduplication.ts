import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { notification, type Sending, type Target } from '../target.ts';
import { type Demonstration, type Demonstrations, pause } from './demonstration.ts';

/** Delivers one body after the other. */
async function inTurn(target: Target, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) await target.send({ body });
}

/** Shown where these deliveries of one id do not end with one effect. */
function repeating(bodies: (id: string) => readonly string[]): Demonstration {
  return async (target) => {
    const id = randomUUID();
    await inTurn(target, bodies(id));
    return (await target.settledEffects(id)) > 1;
  };
}

/** Shown where the same body takes effect again when it is sent in this way. */
function resending(again: (body: string, target: Target) => Omit<Sending, 'body'>): Demonstration {
  return async (target) => {
    const id = randomUUID();
    const body = notification(id);
    await target.send({ body });
    await target.send({ body, ...again(body, target) });
    return (await target.settledEffects(id)) > 1;
  };
}

/** Shown where copies that arrive together do not end with one effect. */
function together(isWrong: (effects: number) => boolean): Demonstration {
  return async (target) => {
    const id = randomUUID();
    await Promise.all(Array.from({ length: 6 }, () => target.send({ body: notification(id) })));
    return isWrong(await target.settledEffects(id));
  };
}

/** Shown where the second of two notifications takes no effect. */
function dropping(
  second: (first: string) => string,
  change: (at: number) => { included?: readonly object[]; attributes?: object } = () => ({}),
): Demonstration {
  return async (target) => {
    const first = randomUUID();
    await inTurn(target, [notification(first, change(0)), notification(second(first), change(1))]);
    const distinct = notification(randomUUID(), {
      attributes: { event: 'shipment.created', created_at: new Date().toISOString() },
    });
    await target.send({ body: distinct });
    await target.effective((JSON.parse(distinct) as { data: { id: string } }).data.id);
    return (await target.effects(second(first))) === 0;
  };
}

/** Redelivers until the time in which the receiver remembers an id is over; shown where that ends with two effects. */
function redeliveringFor(ms: number, attributes: object = {}): Demonstration {
  return async (target) => {
    const id = randomUUID();
    const body = notification(id, { attributes });
    await target.send({ body });
    const end = performance.now() + ms;
    while (performance.now() < end) await target.send({ body }).then(pause);
    return (await target.settledEffects(id)) > 1;
  };
}

/** Shown by the status of a redelivery after more than so many milliseconds. */
function redeliveredAfter(ms: number, status: number): Demonstration {
  return async (target) => {
    const body = notification();
    let last = await target.send({ body });
    for (const end = performance.now() + ms; performance.now() < end; await pause()) last = await target.send({ body });
    return last.status === status;
  };
}

/** Shown by the status of the last of these redeliveries. */
function redelivered(times: number, status: number): Demonstration {
  return async (target) => {
    const body = notification();
    await inTurn(
      target,
      Array.from({ length: times }, () => body),
    );
    return (await target.send({ body })).status === status;
  };
}

/** The first id in order whose hash begins as that of this one does. */
function hashedAlike(first: string): string {
  const begins = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 4);
  const wanted = begins(first);
  for (let number = 0; ; number++) {
    const id = `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
    if (begins(id) === wanted) return id;
  }
}

/** The id that stands for the second notification, the same each time it is asked for. */
const other = randomUUID();

export const deduplicationDemonstrations: Demonstrations = {
  'deduplicates-nothing': repeating((id) => [notification(id), notification(id)]),
  'checks-then-acts': together((effects) => effects > 1),
  'lets-concurrent-copies-cancel-each-other': together((effects) => effects === 0),
  'forgets-ids-after-100-ms': redeliveringFor(300),
  'forgets-ids-after-one-second': redeliveringFor(1200),
  'forgets-ids-a-day-after-their-creation': redeliveringFor(500, { created_at: '2020-01-01T00:00:00Z' }),
  'forgets-ids-after-five-others': repeating((id) => [
    notification(id),
    ...Array.from({ length: 5 }, () => notification()),
    notification(id),
  ]),
  'remembers-the-latest-id-only': repeating((id) => [notification(id), notification(), notification(id)]),
  'takes-effect-again-now-and-then': repeating((id) => Array.from({ length: 10 }, () => notification(id))),
  'takes-effect-again-at-the-third-redelivery': repeating((id) => Array.from({ length: 4 }, () => notification(id))),
  'deduplicates-by-body-hash': repeating((id) => [notification(id), `${notification(id)}\n`]),
  'deduplicates-by-the-signature': repeating((id) => [notification(id), `${notification(id)}\n`]),
  'counts-another-spelling-of-the-signature-as-new': resending((body, target) => ({
    signature: target.sign(body).toUpperCase(),
  })),
  'deduplicates-by-a-request-id': resending(() => ({ headers: ['X-Request-Id', randomUUID()] })),
  'finds-the-id-in-the-raw-text': repeating((id) => [
    notification(id),
    notification(id).replace(`"id":"${id}"`, `"id" : "${id}"`),
  ]),
  'deduplicates-by-content': dropping(() => other),
  'takes-each-event-once': dropping(() => other),
  'takes-one-for-each-webhook': async (target) => {
    const id = randomUUID();
    await inTurn(target, [notification(), notification(id)]);
    // Nothing that is delivered later takes effect either, so that there is nothing else to wait for.
    return target.effective(id).then(
      () => false,
      () => true,
    );
  },
  'deduplicates-by-event-and-time': dropping(
    () => other,
    (at) => ({ included: [{ at }] }),
  ),
  'deduplicates-by-half-an-id': dropping((first) => first.slice(0, -1) + (first.endsWith('0') ? '1' : '0')),
  'compares-ids-by-a-short-hash': dropping(hashedAlike),
  'drops-what-is-older-than-the-latest': dropping(
    () => other,
    (at) => ({ attributes: { created_at: `2026-03-0${2 - at}T08:00:00Z` } }),
  ),
  'answers-409-to-a-redelivery': redelivered(1, 409),
  'refuses-what-it-archived': redeliveredAfter(1100, 410),
  'answers-500-to-a-redelivery': redelivered(1, 500),
  'refuses-the-third-redelivery': redelivered(3, 429),
  'merges-what-follows-within-300-ms': dropping(
    () => other,
    () => ({ attributes: { event: 'container.updated' } }),
  ),
};

/** Whether one of these took no effect by the time that a later one did. */
async function isOneLost(target: Target, ids: readonly string[]): Promise<boolean> {
  const later = `1${randomUUID().slice(1)}`;
  await target.send({ body: notification(later) });
  await target.effective(later);
  const effects = await Promise.all(ids.map((id) => target.effects(id)));
  return effects.includes(0);
}

export const contentionDemonstrations: Demonstrations = {
  'swallows-that-its-store-is-busy': async (target) => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    await Promise.all(ids.map((id) => target.send({ body: notification(id) })));
    return isOneLost(target, ids);
  },
  'remembers-what-fails-now-and-then': async (target) => {
    const id = `0${randomUUID().slice(1)}`;
    await inTurn(target, [notification(id), notification(id)]);
    return isOneLost(target, [id]);
  },
  'writes-effects-thirty-at-a-time': async (target) => {
    const [first, ...others] = Array.from({ length: 3 }, () => randomUUID());
    await target.send({ body: notification(first) });
    await target.effective(first!);
    await inTurn(
      target,
      others.map((id) => notification(id)),
    );
    const end = performance.now() + 500;
    for (; performance.now() < end; await pause()) if ((await target.effects(others[0]!)) > 0) return false;
    return true;
  },
  'loses-a-batch-with-an-event-that-it-does-not-know': async (target) => {
    const [id, other] = [randomUUID(), randomUUID()];
    const unknown = notification(other, { attributes: { event: 'nothing.of.the.kind' } });
    await Promise.all([notification(id), unknown].map((body) => target.send({ body })));
    await delay(50);
    return isOneLost(target, [id]);
  },
  'locks-eight-ids-at-a-time': async (target) => {
    const ids = Array.from({ length: 12 }, () => randomUUID());
    await Promise.all([...ids, ...ids].map((id) => target.send({ body: notification(id) })));
    await target.effective(ids[0]!);
    await delay(50);
    return (await Promise.all(ids.map((id) => target.effects(id)))).some((count) => count > 1);
  },
  'forgets-what-does-not-fit-in-its-queue': async (target) => {
    const ids = Array.from({ length: 120 }, () => randomUUID());
    await Promise.all(ids.map((id) => target.send({ body: notification(id) })));
    // One more would be forgotten too, until there is room again.
    await delay(600);
    return isOneLost(target, ids);
  },
  'works-on-what-came-last': async (target) => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    await Promise.all(ids.map((id) => target.send({ body: notification(id) })));
    return isOneLost(target, ids);
  },
  'loses-a-batch-with-a-resource-without-a-type': async (target) => {
    const [id, other] = [randomUUID(), randomUUID()];
    const unreadable = notification(other, { included: [{}] });
    await Promise.all([notification(id), unreadable].map((body) => target.send({ body })));
    await delay(50);
    return isOneLost(target, [id]);
  },
};

/** Shown where its effects become so many, some time after it took effect. */
function becoming(count: number): Demonstration {
  return async (target) => {
    const id = `1${randomUUID().slice(1)}`;
    await target.send({ body: notification(id) });
    await target.effective(id);
    const end = performance.now() + 800;
    while (performance.now() < end) if ((await target.effects(id)) === count) return true;
    return false;
  };
}

export const afterwardsDemonstrations: Demonstrations = {
  'works-on-the-latest-once-more': becoming(2),
  'undoes-what-it-did-after-a-while': becoming(0),
  'loses-the-first-after-a-pause': async (target) => {
    const id = randomUUID();
    await delay(550);
    await target.send({ body: notification(id) });
    return isOneLost(target, [id]);
  },
  'loses-every-fiftieth': async (target) => {
    const ids = Array.from({ length: 50 }, () => randomUUID());
    await inTurn(
      target,
      ids.map((id) => notification(id)),
    );
    return isOneLost(target, ids);
  },
  'works-once-more-at-the-last-retry': repeating((id) => Array<string>(13).fill(notification(id))),
};
