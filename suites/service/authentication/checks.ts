import fc, { type Arbitrary } from 'fast-check';

import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceDraw } from '../../draw.ts';
import type { ServiceKit, CallOptions } from '../../serviceKit.ts';
import {
  badAuthorization,
  describeBadAuthorization,
  missingAuthorizations,
  wrongAuthorizations,
  type BadAuthorization,
} from './badAuthorization.ts';
import { finding } from '../../finding.ts';
import { isJsonObject } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { create, inactive, listedAt, notAccepted } from '../creation.ts';
import { lists } from '../lists/checks.ts';
import { sampleOf } from '../sampling.ts';
import { contractSuites } from '../../contracts/index.ts';
import type { OperationChoice } from '../../../spec/contract.ts';
import { idText } from '../../../spec/delivery.ts';
import type { OperationRole, RequirementId } from '../../../spec/names.ts';
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
    'Check it for each request, also on a connection that brought the right key before.',
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
    const actual = `${describeAnswer(call.answer)}, and yet ${left}`;
    const exchanges = [call, ...kit.exchanges.slice(-1)];
    return finding(requirement, {
      expected: 'the refused call has no effect',
      actual,
      exchanges,
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

/** How one operation is called with the right key and with a wrong one. */
interface SecuredCall {
  /**
   * The call with the right key, of which the other differs in the key alone. Not the same body where the right one
   * would do more than the case needs.
   */
  readonly twin: () => Promise<Call>;
  readonly unauthorized: (authorization: string | null) => Promise<Call>;
  /** What the call without a right key brought about all the same, in words; nothing where nothing is seen. */
  readonly effect: () => Promise<string | undefined>;
  /** True: the twin comes last, since nothing is left after it. */
  readonly twinLast?: boolean;
}

type Preparation = (kit: ServiceKit) => Promise<SecuredCall> | SecuredCall;

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

/** The query that asks for the second page of a list: one that has no query is the first, too. */
function aPage(kit: ServiceKit): Readonly<Record<string, string>> {
  const [page = '', size = ''] = kit.assumption('list.paging').split(',');
  return { [page]: String(Number(kit.assumption('list.firstPage')) + 1), [size]: kit.assumption('list.pageSize') };
}

/** How to call an operation of the contract so that it is accepted. @throws Unobservable where it is not known how */
async function securedCall(
  kit: ServiceKit,
  { operationId, paged }: Pick<Attempted, 'operationId' | 'paged'>,
): Promise<SecuredCall> {
  const role = roleOfOperation(kit.contract, operationId);
  const prepare = role && preparations[role];
  if (prepare) return prepare(kit);
  const [own] = Object.values(contractSuites).flatMap(({ calls }) => (role && calls[role]) ?? []);
  if (own) {
    const { body, idle = body } = own(kit);
    return { ...plain(kit, { operationId }, { body }), twin: () => kit.call({ operationId }, { body: idle }) };
  }
  const { request, path } = kit.contract.operation({ operationId });
  if (Object.keys(request).length === 0 && !path.includes('{'))
    return plain(kit, { operationId }, paged ? { query: aPage(kit) } : {});
  throw new Unobservable(`nothing is known of how ${operationId} is called`);
}

const preparations: Readonly<Partial<Record<OperationRole, Preparation>>> = {
  create: (kit) => {
    const { url } = kit.endpoint();
    return {
      twin: async () => (await create(kit, inactive(kit, kit.endpoint().url))).call,
      unauthorized: async (authorization) => (await create(kit, inactive(kit, url), { authorization })).call,
      effect: async () => ((await listedAt(kit, url)) ?? []).map(() => 'a webhook with this url is listed').at(0),
    };
  },
  sample: (kit) =>
    plain(kit, 'sample', {
      body: sampleOf(kit, { url: kit.endpoint().url, event: kit.contract.events[0].name }),
    }),
  read: async (kit) => plain(kit, 'read', { parameters: { id: (await kit.register({ active: false })).id } }),
  update: async (kit) => {
    const webhook = await kit.register({ active: false });
    const { request } = await kit.update(webhook, { ...kit.plainAttributes(webhook.endpoint.url, { active: false }) });
    return plain(kit, 'update', { body: request.body, parameters: { id: webhook.id } });
  },
  delete: (kit) => deletion(kit),
};

function plain(kit: ServiceKit, operation: OperationChoice, how: CallOptions): SecuredCall {
  return {
    twin: () => kit.call(operation, how),
    unauthorized: (authorization) => kit.call(operation, { ...how, authorization }),
    effect: async () => undefined,
  };
}

/** The webhook is the kit's to remove where the twin does not. */
async function deletion(kit: ServiceKit): Promise<SecuredCall> {
  const creation = await kit.call('create', { body: inactive(kit, kit.endpoint().url) });
  const id = idText(valueAt(kit.json(creation) ?? null, kit.terms.webhook.wrapper + kit.terms.webhook.members.id));
  if (id === undefined) throw notAccepted(creation);
  const twin = async (): Promise<Call> => {
    const call = await kit.call('delete', { parameters: { id } });
    if (!kit.succeeded(call)) kit.adopt(creation);
    return call;
  };
  return { ...plain(kit, 'delete', { parameters: { id } }), twin, twinLast: true };
}
