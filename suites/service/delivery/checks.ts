import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { jsonMismatch, methodMismatch, pathMismatch, queryMismatch } from '../bodyMismatch.ts';
import { finding } from '../../finding.ts';
import { firstCaught } from '../firstDelivery.ts';
import { sameEventAgain } from './sameEventAgain.ts';

/** A query that a service has to leave as it is: it may be what the receiver knows its customers by. */
const query = '?tenant=a%2Fb&mode=x%20y&tag=1%2B1&tag=2&kit.flag';

/** The same in the path: with its escapes or its letters changed, or its empty part left out, it is another one. */
const folders = ['/Kit%2Fa%20b', '/kit//a.;b=1'] as const;

/** What stands in front of the unguessable part of a URL, and behind it. */
interface Surroundings {
  readonly folder?: string;
  /** Some services and clients cut it off. */
  readonly slash?: '/';
  readonly query?: string;
  /** No client sends it in the URL (RFC 9110, 4.2.3 and 4.2.4). A service may refuse it. */
  readonly fragment?: string;
  readonly user?: string;
}

/** Sections 1 and 4.4: a push is a POST to the URL that was registered. */
const post = serviceCheck<Surroundings>({
  id: 'service/delivery/post',
  title: 'delivers with POST to the registered URL',
  requirements: ['SVC-2', 'DLV-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => {
    const all: readonly Surroundings[] = [
      {},
      { query },
      { folder: folders[0] },
      { folder: folders[1], slash: '/' },
      { fragment: '#top' },
      { user: 'kit:only-for-trying' },
    ];
    return all.map((each) => fc.constant(each));
  },
  run: async (kit, surroundings) => {
    const { folder = '', slash = '', query: asked = '', fragment = '', user } = surroundings;
    const event = kit.scenarioEvents[0];
    const webhook = await registered(kit, event, surroundings);
    const triggered = await kit.trigger(event);
    const [caught] = await kit.untilCaught(webhook.endpoint);
    if (caught === undefined)
      return astray(webhook, triggered, asked + fragment || folder || (user && 'a user and a password'));
    const wrong = methodMismatch(kit, caught);
    if (wrong) return finding(['SVC-2', 'DLV-1'], { ...wrong, exchanges: [caught] });
    const other = queryMismatch(caught, asked) ?? pathMismatch(caught, folder, slash);
    return other && finding('SVC-2', { ...other, exchanges: [caught] });
  },
  hint:
    'Send what is delivered as the body of a POST, not as a query and not as a form, to the URL as it was registered: its path ' +
    'and its query with their escapes, without its fragment. Many clients refuse a url with a user and a password: send these as ' +
    'Basic authorization, or refuse such a url when it is registered.',
});

/** @throws Unobservable where the service refuses a url with a fragment or a user, as the contract does not forbid */
async function registered(kit: ServiceKit, event: string, surroundings: Surroundings) {
  const { query: asked, folder, slash, fragment, user } = surroundings;
  const behind = `${slash ?? ''}${asked ?? ''}${fragment ?? ''}`;
  const part = (fragment && 'a fragment') ?? (user && 'a user');
  const how = { events: [event], query: behind, ...(folder && { folder }), ...(user && { user }) };
  return kit.register(how).catch((error: unknown) => {
    throw part && error instanceof Unproven ? new Unobservable(`no url with ${part}: ${error.message}`) : error;
  });
}

/**
 * Where others were notified, it went to another url.
 *
 * @throws Unproven where nobody was, or there is nothing special about this url
 */
function astray({ creation }: Webhook, { event, monitored }: TriggeredEvent, part: string | undefined): ServiceFinding {
  const seen = monitored.slice(0, 1).map(({ attempts: [first] }) => first);
  if (!part || seen.length === 0) throw new Unproven(`nothing came after ${event} had happened`);
  return finding('SVC-2', {
    expected: `the delivery of ${event} goes to the registered URL, which has ${part}`,
    actual: 'nothing came there, though a webhook with a plain url was notified',
    exchanges: [creation, ...seen],
    absence: true,
  });
}

/** Section 4.4 with GAP-23: JSON, said to be JSON, and all of it. */
const json = serviceCheck<{ readonly carrier: 0 | 1 }>({
  id: 'service/delivery/json',
  title: 'delivers whole JSON bodies and says that they are JSON',
  requirements: ['DLV-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => [fc.constant({ carrier: 0 as const }), fc.constant({ carrier: 1 as const })],
  run: async (kit, { carrier }) => {
    const { caught } = await firstCaught(kit, { carrier });
    const wrong = jsonMismatch(kit, caught);
    if (wrong) return finding('DLV-1', { ...wrong, exchanges: [caught] });
    const mediaType = kit.header(caught, 'Content-Type');
    if (mediaType !== undefined) kit.learn('body.mediaType', mediaType, 'the Content-Type of a delivery');
    return undefined;
  },
  hint:
    'Encode the body to UTF-8 once, and count its bytes, not its characters, for Content-Length. Say application/json, ' +
    'or a media type that ends in +json.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const deliveryChecks: readonly ServiceCheck[] = [post, json, sameEventAgain];
