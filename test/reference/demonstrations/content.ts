import { once } from 'node:events';
import { connect } from 'node:net';

import { isAccepting, notification, type Sending } from '../target.ts';
import type { Demonstration, Demonstrations } from './demonstration.ts';

/** Shown where this delivery is answered with this status. */
function answered(status: number, sending: Sending): Demonstration {
  return async (target) => (await target.send(sending)).status === status;
}

/** Shown where a notification with these attributes is answered so. */
function withAttributes(status: number, attributes: object): Demonstration {
  return answered(status, { body: notification(undefined, { attributes }) });
}

/** Shown where a notification with these members at the top is answered so. */
function withMembers(status: number, members: Record<string, unknown>): Demonstration {
  return answered(status, { body: notification(undefined, members) });
}

const resources = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `c${at}`, type: 'container' }));
const unanswered = -1;

export const contentDemonstrations: Demonstrations = {
  'answers-206-to-one-event': withAttributes(206, { event: 'container.updated' }),
  'refuses-one-event': withAttributes(422, { event: 'document.extraction_failed' }),
  'fails-on-events-of-failure': withAttributes(500, { event: 'tracking_request.failed' }),
  'answers-500-to-an-unknown-event': withAttributes(500, { event: 'container.sunk' }),
  'refuses-unknown-members': withAttributes(422, { priority: 1 }),
  'refuses-fractions-of-a-second': withAttributes(422, { created_at: '2026-03-01T08:00:00.25Z' }),
  'refuses-a-delivery-status': withAttributes(422, { delivery_status: 'failed' }),
  'fails-on-an-empty-included': withMembers(500, { included: [] }),
  'needs-a-resource-for-pickup-dates': answered(500, {
    body: notification(undefined, { attributes: { event: 'container.pickup_lfd.changed' }, included: [] }),
  }),
  'limits-included-to-ten': withMembers(422, { included: resources(11) }),
  'has-room-for-one-related-resource': withMembers(422, { included: resources(2) }),
  'fails-on-text-outside-the-bmp': withMembers(500, { included: [{ name: '\u{1f6a2}' }] }),
  'refuses-uuids-of-another-version': answered(422, { body: notification('6a1f0c5e-3c1b-1d58-9a53-0f5d7a1e2b4c') }),
  'fails-on-a-line-separator': withMembers(500, { included: [{ name: '\u2028' }] }),
  'inserts-related-resources-a-second-time': async (target) => {
    const included = [{ id: 'c1', type: 'container' }];
    const sent = () => target.send({ body: notification(undefined, { included }) });
    return isAccepting(await sent()) && (await sent()).status === 500;
  },
  'stands-behind-a-filter': withMembers(403, { included: [{ name: '<script>track()</script>' }] }),
};

export const transportDemonstrations: Demonstrations = {
  'refuses-bodies-above-16-kib': withMembers(413, { included: [{ note: 'x'.repeat(17 * 1024) }] }),
  'answers-415-to-json-api': answered(415, { contentType: 'application/vnd.api+json' }),
  'answers-415-to-a-charset': answered(415, { contentType: 'application/json; charset=utf-8' }),
  'hangs-on-a-charset': answered(unanswered, { contentType: 'application/json; charset=utf-8', timeout: 400 }),
  'stalls-on-expect-continue': answered(unanswered, { headers: ['Expect', '100-continue'], timeout: 400 }),
  'takes-the-first-packet-for-the-head': async (target) => {
    const socket = connect({ host: target.url.hostname, port: Number(target.url.port), noDelay: true });
    const request = target.written({ body: notification() });
    socket.write(request.slice(0, 4));
    await target.send({});
    socket.write(request.slice(4));
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(2000) });
    socket.destroy();
    return String(answer).startsWith('HTTP/1.1 400');
  },
  'refuses-each-fortieth-of-a-connection': async (target) => {
    const kept = target.written({ body: notification() }).replace('Connection: close', 'Connection: keep-alive');
    return (await target.sendBytes(kept.repeat(40))).includes('HTTP/1.1 403 ');
  },
  'hangs-after-what-it-could-not-read': async (target) => {
    const socket = connect({ host: target.url.hostname, port: Number(target.url.port) });
    const answer = async (request: string): Promise<string> => {
      socket.write(request);
      const [data] = await once(socket, 'data', { signal: AbortSignal.timeout(400) }).catch(() => ['']);
      return String(data);
    };
    const kept = (request: string) => request.replace('Connection: close', 'Connection: keep-alive');
    const refused = await answer(kept(target.written({ body: '{' })));
    const next = await answer(target.written({ body: notification() }));
    socket.destroy();
    return refused.startsWith('HTTP/1.1 400') && next === '';
  },
  'sends-a-body-with-a-204': async (target) => {
    const request = target.written({ body: notification() });
    await target.sendBytes(request);
    const answer = await target.sendBytes(request);
    return answer.startsWith('HTTP/1.1 204') && !answer.endsWith('\r\n\r\n');
  },
  'takes-one-delivery-at-a-time': async (target) => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => target.send({ timeout: 400 })));
    return answers.some(({ status }) => status === unanswered);
  },
  'works-on-included-before-it-answers': answered(unanswered, {
    body: notification(undefined, { included: resources(40) }),
    timeout: 400,
  }),
  'takes-less-of-another-media-type': answered(413, {
    body: notification(undefined, { included: [{ note: 'x'.repeat(17 * 1024) }] }),
    contentType: 'application/vnd.api+json',
  }),
  'takes-the-body-of-what-has-no-signature-for-a-request': async (target) => {
    const kept = target
      .written({ body: notification(), signature: null })
      .replace('Connection: close', 'Connection: keep-alive');
    return (await target.sendBytes(kept + target.written({ body: notification() }))).includes('HTTP/1.1 501 ');
  },
};

export const acknowledgementDemonstrations: Demonstrations = {
  'answers-200-to-what-is-not-json': answered(200, { body: 'not JSON' }),
  'answers-200-to-an-empty-body': answered(200, { body: '' }),
  'answers-200-without-an-id': answered(200, { body: '{"data":{"type":"webhook_notification"}}' }),
  'takes-trailing-commas-for-json': answered(202, { body: notification().replace(/\}$/, ',}') }),
  'ignores-what-follows-the-json': answered(202, { body: `${notification()} x` }),
};
