import fc, { type Arbitrary } from 'fast-check';

import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceDraw } from '../../draw.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import {
  badAuthorization,
  describeBadAuthorization,
  missingAuthorizations,
  wrongAuthorizations,
  type BadAuthorization,
} from './badAuthorization.ts';
import { finding } from '../../finding.ts';
import { isJsonObject } from '../../../generators/json/json.ts';
import { lists } from '../lists/checks.ts';
import { securedCall } from './securedCall.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { roleOfOperation } from '../../../spec/serviceTerms.ts';

interface Attempted {
  readonly operationId: string;
  readonly bad: BadAuthorization;
  /** True: the call asks for a page, as a list takes it. */
  readonly paged?: true;
  /** Another spelling of the path, which a service may route as well. */
  readonly spelling?: Spelling;
}

const spellings = {
  'with a slash behind its path': (path: string): string => `${path}/`,
  'with its path in capitals': (path: string): string => path.toUpperCase(),
} as const;

type Spelling = keyof typeof spellings;

/** Sections 4 and 5.1: every endpoint needs the Authorization header. */
const noKey = serviceCheck<Attempted>({
  id: 'service/authentication/no-key',
  title: 'refuses every call without the Authorization header',
  requirements: ['API-1'],
  needs: [],
  canary: true,
  weight: 0.5,
  cases: (draw) => [
    ...secured(draw).flatMap((operationId) =>
      missingAuthorizations.map((bad) => attempted(fc.constant(operationId), bad)),
    ),
    ...listsOf(draw).map((operationId) =>
      fc.constant<Attempted>({ operationId, bad: { kind: 'no header' }, paged: true }),
    ),
    ...spelledLists(draw),
  ],
  run: (kit, value) => (value.spelling ? expectNothingListed(kit, value) : expectUnauthorized(kit, value, 'API-1')),
  hint:
    'Check the key before routing, for all paths at once, whatever their query and spelling, so that none is forgotten. ' +
    'Check it for each request, also on a connection that brought the right key before. ' +
    'Refuse with 401 or another 4xx: a redirect to a login, or a page with 200, is no refusal to a client of an API.',
});

/** Section 5.1: the scheme and the key have to be right. */
const wrongKey = serviceCheck<Attempted>({
  id: 'service/authentication/wrong-key',
  title: 'refuses every call with another scheme or a wrong key',
  requirements: ['API-2'],
  needs: [],
  canary: true,
  weight: 1.5,
  cases: (draw) => {
    const operations = secured(draw);
    if (operations.length === 0) return [];
    const wrong = wrongAuthorizations(draw.terms.authorization);
    return [
      ...wrong.map((bad) => attempted(fc.constantFrom(...operations), bad)),
      ...operations.map((operationId) => attempted(fc.constant(operationId), fc.oneof(...wrong))),
    ];
  },
  run: (kit, value) => expectUnauthorized(kit, value, 'API-2'),
  hint: 'Compare the whole header: the scheme of the contract, a space, and the whole key, byte by byte.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const authenticationChecks: readonly ServiceCheck[] = [noKey, wrongKey];

/** The operations that need a key, the lists first: they are the simplest to call. */
function secured({ contract }: ServiceDraw): readonly string[] {
  // A document may describe much besides; what plays no part is nothing that the contract is about.
  const operations = contract.operations.filter(
    ({ secured: isSecured, operationId }) => isSecured && roleOfOperation(contract, operationId) !== undefined,
  );
  const bare = (path: string, method: string): number => Number(path.includes('{')) + Number(method !== 'GET');
  const sorted = operations.toSorted((one, other) => bare(one.path, one.method) - bare(other.path, other.method));
  return sorted.map(({ operationId }) => operationId);
}

/** Those of them that answer with a list, whose pages are calls as well. */
function listsOf(draw: ServiceDraw): readonly string[] {
  const roles = lists.map(([role]) => role);
  return secured(draw).filter((operationId) =>
    roles.some((role) => role === roleOfOperation(draw.contract, operationId)),
  );
}

/** Lists without a key, by paths that a router may take for theirs while what compares keys does not. */
function spelledLists(draw: ServiceDraw): readonly Arbitrary<Attempted>[] {
  const operations = listsOf(draw);
  if (operations.length === 0) return [];
  return (Object.keys(spellings) as Spelling[]).map((spelling) =>
    fc.record({
      operationId: fc.constantFrom(...operations),
      bad: fc.constant({ kind: 'no header' }),
      spelling: fc.constant(spelling),
    }),
  );
}

/** Any refusal will do, and none is needed: a path that leads nowhere may be answered as the service likes. */
async function expectNothingListed(kit: ServiceKit, value: Attempted): Promise<ServiceFinding | undefined> {
  const { operationId, spelling } = value;
  const call = await kit.call(
    { operationId },
    { authorization: null, ...(spelling && { respell: spellings[spelling] }) },
  );
  if (!kit.succeeded(call)) return undefined;
  const members = membersOf(kit, call);
  const right = await kit.call({ operationId });
  if (members === undefined || !kit.succeeded(right) || members !== membersOf(kit, right)) return undefined;
  return finding('API-1', {
    expected: 'a refusal, or no such path',
    actual: `${describeAnswer(call.answer)}, with the list`,
    exchanges: [call],
    absence: false,
    difference: differenceOf(value),
    twin: right,
  });
}

/** The names at the top of a document, by which a list is known from a page of another kind. */
function membersOf(kit: ServiceKit, call: Call): string | undefined {
  const document = kit.json(call);
  return isJsonObject(document) ? Object.keys(document).toSorted().join(' ') : undefined;
}

function attempted(operationId: Arbitrary<string>, bad: Arbitrary<BadAuthorization>): Arbitrary<Attempted> {
  return fc.record({ operationId, bad });
}

/**
 * The call must be refused for its key. That it is for its key shows in the same call with the right key, which is
 * accepted, or at least answered otherwise.
 */
async function expectUnauthorized(
  kit: ServiceKit,
  value: Attempted,
  requirement: RequirementId,
): Promise<ServiceFinding | undefined> {
  const authorization = spoilt(kit, value.bad);
  const { twin, unauthorized, effect, twinLast } = await securedCall(kit, value);
  const first = twinLast === true ? undefined : await expectOffered(kit, twin);
  const call = await unauthorized(authorization);
  const point = { difference: differenceOf(value) };
  if (!isAmong(kit, call, 'refusal.unauthorized')) {
    return finding(requirement, {
      expected: `a refusal: status ${kit.assumption('refusal.unauthorized')}`,
      actual: describeAnswer(call.answer),
      exchanges: [call],
      absence: !kit.succeeded(call),
      ...point,
      twin: first,
    });
  }
  const left = await effect();
  if (left !== undefined) {
    const actual = `${describeAnswer(call.answer)}, and yet ${left.what}`;
    const exchanges = [call, ...kit.exchanges.slice(-1)];
    return finding(requirement, {
      expected: 'the refused call has no effect',
      actual,
      exchanges,
      absence: left.absence,
      ...point,
      twin: first,
    });
  }
  const right = first ?? (await expectOffered(kit, twin));
  if (kit.succeeded(right) || describeAnswer(right.answer) !== describeAnswer(call.answer)) return undefined;
  throw new Unproven(`with the right key too, ${value.operationId} is answered with ${describeAnswer(right.answer)}`);
}

/** The call with the right key. @throws Unobservable where the operation is not there */
async function expectOffered(kit: ServiceKit, twin: () => Promise<Call>): Promise<Call> {
  const call = await twin();
  if (!kit.missing(call)) return call;
  const { method, path } = call.request;
  throw new Unobservable(
    `the service does not offer ${method} ${path}; --assume names another path for what is assumed`,
  );
}

/** @throws Unobservable where there is no key that could be spoilt in this way */
function spoilt(kit: ServiceKit, bad: BadAuthorization): string | null {
  const authorization = badAuthorization(bad, kit.authorization, kit.terms.authorization.scheme);
  if (kit.authorization === '' || kit.authorization.endsWith(' '))
    throw new Unobservable('no API key was given: give --token');
  if (authorization === undefined) throw new Unobservable('the API key cannot be spoilt in this way');
  return authorization;
}

function differenceOf({ bad, paged, spelling }: Attempted): string {
  const where = paged ? 'in a call for a page' : spelling;
  return describeBadAuthorization(bad) + (where === undefined ? '' : `, ${where}`);
}
