import { randomUUID } from 'node:crypto';

import { isAccepting, notification, type Sending } from '../target.ts';
import type { Demonstration, Demonstrations } from './demonstration.ts';

const wrong = '0'.repeat(64);

/** Shown where a forged delivery of this kind is accepted. */
function forged(sending: Sending): Demonstration {
  return async (target) => isAccepting(await target.send({ signature: wrong, ...sending }));
}

function withHeader(name: string, value: string): Demonstration {
  return forged({ headers: [name, value] });
}

function statuses(text: string): readonly string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status!);
}

export const exemptionDemonstrations: Demonstrations = {
  'verifies-json-only': forged({ contentType: 'text/plain' }),
  'verifies-one-media-type-only': forged({ contentType: 'application/vnd.api+json' }),
  'lets-in-what-has-no-media-type-and-no-signature': forged({ contentType: null, signature: null }),
  'verifies-nothing-above-100-kib': forged({ body: notification().padEnd(101 * 1024) }),
  'verifies-post-only': forged({ method: 'PUT' }),
  'verifies-one-spelling-of-its-path': (target) => forged({ path: `${target.url.pathname}/` })(target),
  'verifies-nothing-with-a-debug-parameter': (target) => forged({ path: `${target.url.pathname}?debug` })(target),
  'lets-a-parameter-switch-verification-off': (target) =>
    forged({ path: `${target.url.pathname}?verify=false` })(target),
  'verifies-nothing-with-a-test-header': withHeader('X-Test', 'true'),
  'verifies-nothing-with-an-authorization': withHeader('Authorization', 'Basic Zm9yZ2VkOg=='),
  'trusts-a-forwarded-loopback-address': withHeader('X-Forwarded-For', '127.0.0.1'),
  'trusts-forwarded-for-a-private-network': withHeader('Forwarded', 'for=10.0.0.7'),
  'trusts-the-host-localhost': async (target) => {
    const request = target.written({ body: notification(), signature: wrong });
    const [status] = statuses(await target.sendBytes(request.replace(/Host: .*/, 'Host: localhost')));
    return status === '202';
  },
  'trusts-a-local-origin': withHeader('Origin', 'http://localhost:3000'),
  'verifies-http-1.1-only': async (target) => {
    const request = target.written({ body: notification(), signature: wrong }, 'HTTP/1.0');
    return statuses(await target.sendBytes(request))[0] === '202';
  },
  'verifies-no-chunked-body': forged({ chunked: true }),
  'trusts-loopback': forged({}),
  'trusts-the-address-of-its-sidecar': forged({ from: '127.0.0.2' }),
  'verifies-all-events-but-one': forged({
    body: notification(randomUUID(), { attributes: { event: 'document.extracted' } }),
  }),
  'verifies-once-a-connection': async (target) => {
    const right = target.written({ body: notification() }).replace('Connection: close', 'Connection: keep-alive');
    const requests = right + target.written({ body: notification(), signature: wrong });
    return statuses(await target.sendBytes(requests)).join() === '202,202';
  },
  'verifies-an-id-once-a-connection': async (target) => {
    const body = notification();
    const right = target.written({ body }).replace('Connection: close', 'Connection: keep-alive');
    const changed = target.written({ body: `${body} `, signature: target.sign(body) });
    return !statuses(await target.sendBytes(right + changed)).includes('401');
  },
  'takes-a-second-forgery-for-a-redelivery': async (target) => {
    const twice = { body: notification(), signature: wrong };
    return !isAccepting(await target.send(twice)) && isAccepting(await target.send(twice));
  },
  'acknowledges-whatever-comes-beside-its-original': async (target) => {
    const body = notification();
    const copies = Array.from({ length: 4 }, () => target.send({ body, signature: wrong }));
    return (await Promise.all([target.send({ body }), ...copies])).slice(1).some(isAccepting);
  },
  'lets-in-who-checks-its-health': forged({ headers: ['User-Agent', 'kube-probe/1.31'] }),
  'lets-in-what-a-header-makes-another-method': forged({ headers: ['X-HTTP-Method-Override', 'PUT'] }),
  'acknowledges-unknown-events-unverified': forged({
    body: notification(randomUUID(), { attributes: { event: 'nothing.of.the.kind' } }),
  }),
};
