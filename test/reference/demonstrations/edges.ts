import { randomUUID } from 'node:crypto';

import { isAccepting, notification, type Sending } from '../target.ts';
import type { Demonstration, Demonstrations } from './demonstration.ts';

/** Shown where this delivery is answered with 500. */
function failing(body: string, sending: Sending = {}): Demonstration {
  return async (target) => (await target.send({ body, ...sending })).status === 500;
}

function withResource(resource: object): Demonstration {
  return failing(notification(undefined, { included: [resource] }));
}

function createdAt(time: string): Demonstration {
  return failing(notification(undefined, { attributes: { created_at: time } }));
}

/** A notification of so many bytes, most of them one text. */
function ofSize(bytes: number, character: string): string {
  const body = (note: string) => notification(undefined, { included: [{ note }] });
  const left = bytes - Buffer.byteLength(body(''));
  const width = Buffer.byteLength(character);
  return body(character.repeat(Math.floor(left / width)) + 'a'.repeat(left % width));
}

/** Shown where a delivery that is accepted, though it says of another one in its own way, takes no effect. */
function dropping(body: (id: string, other: string) => string): Demonstration {
  return async (target) => {
    const [id, other] = [randomUUID(), randomUUID()];
    await target.send({ body: notification(other) });
    const accepted = isAccepting(await target.send({ body: body(id, other) }));
    return accepted && (await target.settledEffects(id)) === 0;
  };
}

/** Shown where nothing takes effect any more after this body. */
function ending(body: string): Demonstration {
  return async (target) => {
    await target.send({ body });
    const id = randomUUID();
    const accepted = isAccepting(await target.send({ body: notification(id) }));
    return (
      accepted &&
      target.effective(id).then(
        () => false,
        () => true,
      )
    );
  };
}

export const relatedDemonstrations: Demonstrations = {
  'reads-attributes-without-looking': withResource({ id: 'c1', type: 'container' }),
  'ends-its-work-at-a-null': ending(
    notification(undefined, { included: [{ id: 'c1', attributes: { number: null } }] }),
  ),
  'ends-its-work-at-an-event-that-is-no-text': ending(notification(undefined, { attributes: { event: 7 } })),
  'follows-relationships-without-looking': withResource({
    id: 'c1',
    type: 'container',
    attributes: {},
    relationships: { shipment: { data: null } },
  }),
  'fails-where-every-attribute-is-null': withResource({ id: 'c1', type: 'container', attributes: { number: null } }),
  'has-a-table-for-each-kind-of-resource': withResource({ id: 'r1', type: 'rail_segment', attributes: {} }),
  'stores-a-resource-once': failing(
    notification(undefined, { included: Array.from({ length: 2 }, () => ({ id: 'c1', type: 'container' })) }),
  ),
  'takes-links-for-texts': withResource({ id: 'c1', type: 'container', links: { self: { href: '/v2/containers/1' } } }),
  'writes-texts-into-its-statements': async (target) => {
    const id = randomUUID();
    const accepted = isAccepting(await target.send({ body: notification(id, { note: "Port d'Alger" }) }));
    return accepted && (await target.settledEffects(id)) === 0;
  },
};

export const edgeDemonstrations: Demonstrations = {
  'drops-bodies-above-100-kib': dropping((id) => notification(id, { included: [{ note: 'a'.repeat(101 * 1024) }] })),
  'knows-no-29th-of-february': createdAt('2024-02-29T08:00:00Z'),
  'rounds-the-last-second-up-to-24': createdAt('2026-03-01T23:59:59Z'),
  'takes-second-0-for-no-time': createdAt('1970-01-01T00:00:00Z'),
  'keeps-seconds-in-32-bits': createdAt('2038-01-19T03:14:08Z'),
  'keeps-times-in-local-time': createdAt('2025-03-09T02:30:00Z'),
  'keeps-a-text-of-64-kib-less-a-byte': failing(ofSize(65_536, 'a')),
  'keeps-escapes-in-64-kib': failing(ofSize(65_536, '\u00e9')),
  'stores-no-names-with-dots-or-dollars': failing(notification(undefined, { 'a.b': 1 })),
  'stores-no-empty-names': failing(notification(undefined, { attributes: { '': 1 } })),
  'asks-the-body-for-its-own-members': failing(notification(undefined, { hasOwnProperty: 1 })),
  'finds-handlers-in-a-plain-object': failing(notification(undefined, { attributes: { event: 'constructor' } })),
  'matches-events-with-a-slow-pattern': async (target) => {
    const body = notification(undefined, { attributes: { event: `${'a'.repeat(32)}!` } });
    return (await target.send({ body, timeout: 400 })).status === -1;
  },
  'finds-the-id-by-its-name': dropping((id, other) => JSON.stringify({ id: other, ...JSON.parse(notification(id)) })),
  'finds-the-event-at-any-depth': dropping((id) =>
    JSON.stringify({ event: 'unheard.of', ...JSON.parse(notification(id)) }),
  ),
  'finds-the-last-id-of-a-body': dropping((id, other) =>
    notification(id, { previous: JSON.parse(notification(other)) }),
  ),
  'reads-one-of-two-ids-and-works-with-the-other': async (target) => {
    const [id, other] = [randomUUID(), randomUUID()];
    await target.send({ body: notification(other) });
    await target.send({ body: notification(id).replace(`"id":"${id}"`, `"id":"${id}","id":"${other}"`) });
    return (await target.settledEffects(other)) > 1;
  },
  'fails-on-a-number-beyond-64-bits': failing(notification(undefined, { attributes: { size: 2 ** 66 } })),
  'drops-one-event-without-related-resources': dropping((id) =>
    notification(id, { attributes: { event: 'document.extracted' }, included: [] }),
  ),
  'fails-on-what-is-minutes-old': failing(
    notification(undefined, { attributes: { created_at: new Date(Date.now() - 1_800_000).toISOString() } }),
  ),
};
