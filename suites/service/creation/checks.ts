import fc from 'fast-check';

import {
  creationNeighbourKinds,
  placeholderUrl,
  withUrl,
  type CreationFlaw,
  type CreationNeighbour,
} from '../../../generators/calls/creationNeighbour.ts';
import type { Json } from '../../../generators/json/json.ts';
import { describeAnswer } from '../../answer.ts';
import { serviceCheck, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { accepted, create, inactive, listedAt } from '../creation.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** Section 4.1: without its wrapper, its type or its url a creation is refused. */
const incomplete = refusal('incomplete', 'CRW-2', {
  id: 'service/creation/incomplete',
  title: 'refuses a creation without data, type or url, and creates nothing',
  hint: 'Validate the body against the schema of the contract before anything is stored, required members included.',
});

/** Sections 4.1 and 2.1: whether the webhook is active has to be said. */
const withoutActive = refusal('without active', 'CRW-7', {
  id: 'service/creation/without-active',
  title: 'refuses a creation that does not say whether the webhook is active',
  weight: 0.2,
  hint: 'The member active is required on create. A default that is filled in hides that a client forgot it.',
});

/** Sections 4.1 and 8: events are at least one, none twice, and all from the catalogue. */
const wrongEvents = refusal('wrong events', 'CRW-4', {
  id: 'service/creation/wrong-events',
  title: 'refuses a creation with no events, an event twice, or an event that does not exist',
  hint:
    'Compare each event with the catalogue exactly (no trimming, no ignoring of case, no wildcards, no pattern whose $ takes a line break too), and refuse an empty ' +
    'list and repeated items rather than tidying them up.',
});

/** Section 4.1: wrong JSON types, no url, malformed headers. */
const malformed = refusal('malformed', 'CRW-5', {
  id: 'service/creation/malformed',
  title: 'refuses a creation with wrong JSON types, an unusable url or malformed headers',
  hint:
    'Do not coerce types ("true", 1), and parse the url with a URL parser and refuse what it does not take. Where a webhook ' +
    'has headers of its own, check that each has a name and a value, and that both are texts.',
});

interface Words {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly weight?: number;
}

function refusal(flaw: CreationFlaw, requirement: RequirementId, { weight = 0.8, ...words }: Words) {
  return serviceCheck<CreationNeighbour>({
    ...words,
    requirements: [requirement],
    needs: [],
    canary: true,
    weight,
    cases: ({ contract, terms }) => creationNeighbourKinds(contract, terms, flaw),
    run: async (kit, { valid, invalid, change }) => {
      const twin = await accepted(kit, withUrl(valid, kit.endpoint().url));
      const { url } = kit.endpoint();
      const place = JSON.stringify(invalid).includes(placeholderUrl) ? url : undefined;
      return expectRefused(kit, withUrl(invalid, url), {
        requirement,
        twin: twin.call,
        difference: change,
        url: place,
      });
    },
  });
}

/** Section 2.1: the endpoint that receives notifications is an HTTPS one. */
const notHttps = serviceCheck<{ scheme: string; host: string }>({
  id: 'service/creation/not-https',
  title: 'refuses a creation whose url is not HTTPS',
  requirements: ['CRW-6'],
  needs: [],
  canary: true,
  weight: 0.1,
  cases: () => [
    ...['http', 'ftp', 'HTTP'].map((scheme) => notHttpsTo(scheme, 'example.com', 'example.org', 'example.net')),
    notHttpsTo('http', 'localhost.example.com'),
    notHttpsTo('http', '127.0.0.1.example.com'),
  ],
  run: async (kit, { scheme, host }) => {
    const rest = `://${host}/hooks/${kit.freshId()}`;
    const twin = await accepted(kit, inactive(kit, `https://${publicHost(host)}/hooks/${kit.freshId()}`));
    const url = scheme + rest;
    const difference = `the url begins with ${scheme}://${host}`;
    return expectRefused(kit, inactive(kit, url), { requirement: 'CRW-6', twin: twin.call, difference, url });
  },
  hint:
    'Parse the url, and refuse every scheme but https when the webhook is created, however it is written; allow http to ' +
    'loopback in development at most, and compare the whole host for that, not its beginning.',
});

function notHttpsTo(scheme: string, ...hosts: readonly string[]) {
  return fc.record({ scheme: fc.constant(scheme), host: fc.constantFrom(...hosts) });
}

/** A service may refuse names that cannot be looked up, with any scheme. */
function publicHost(host: string): string {
  return host.split('.').slice(-2).join('.');
}

/** The checks of this topic, in the order in which they run and are listed. */
export const creationChecks: readonly ServiceCheck[] = [incomplete, wrongEvents, malformed, notHttps, withoutActive];

interface Expectation {
  readonly requirement: RequirementId;
  readonly twin: Call;
  readonly difference: string;
  /** Where a webhook would be, had one been created; nothing where that cannot be known. */
  readonly url: string | undefined;
}

/** The creation must be refused, and no webhook may come of it. */
async function expectRefused(kit: ServiceKit, body: Json, point: Expectation): Promise<ServiceFinding | undefined> {
  const { call } = await create(kit, body);
  const { requirement, twin, difference, url } = point;
  if (!kit.refused(call)) {
    const expected = `a refusal: status ${kit.assumption('refusal.status')}`;
    const actual =
      describeAnswer(call.answer) + (kit.succeeded(call) ? ', which says that the webhook was created' : '');
    return finding(requirement, {
      expected,
      actual,
      exchanges: [call],
      absence: !kit.succeeded(call),
      twin,
      difference,
    });
  }
  const left = url === undefined ? undefined : await listedAt(kit, url);
  if (left === undefined || left.length === 0) return undefined;
  return finding(requirement, {
    expected: 'the refused creation leaves nothing behind',
    actual: `${describeAnswer(call.answer)}, and yet a webhook with this url is listed`,
    exchanges: [call, ...kit.exchanges.slice(-1)],
    twin,
    difference,
    hint: 'Validate the whole creation before anything of it is stored, or undo in one transaction what was stored.',
  });
}
