import fc, { type Arbitrary } from 'fast-check';

import { largeNat } from '../../../generators/arbitraries.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { contractSuites } from '../../contracts/index.ts';
import { serviceCheck, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit, CallOptions } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { inactive, sentSafely } from '../creation.ts';
import { hostileBodies, polluted, type HostileBody } from './hostileBodies.ts';
import { roleOfOperation } from '../../../spec/serviceTerms.ts';
import type { OperationRole } from '../../../spec/names.ts';
import type { Contract } from '../../../spec/contract.ts';

/** A call without a body that is meant to do harm. */
interface HostileRequest {
  readonly operationId: string;
  /** @param assumed - the names of the parameters for the page and its size, separated by a comma */
  readonly ask: (assumed: { readonly page: string }) => CallOptions;
  readonly difference: string;
}

const numbers = [
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'abc',
  '1;DROP TABLE webhooks',
  "1' OR '1'='1",
  '',
  '\0',
  '1.5',
];

/** Pages whose numbers fit into an integer, of 32 bits or of 64, and where they begin does not. */
const distant = ['99999999', '9223372036854775807'];

const strangeIds = [
  '%2e%2e%2f%2e%2e%2fetc',
  "' OR '1'='1",
  '\0',
  '__proto__',
  'constructor',
  'undefined',
  '-1',
  '\u{1f6a2}',
  'a'.repeat(2000),
];

const headers: readonly (readonly [name: string, value: string])[] = [
  ['Accept', ';;;,,=/q'],
  ['Accept-Encoding', 'q=q;,,'],
  ['X-Long', 'x'.repeat(100_000)],
  ['Cookie', '__proto__=1; constructor=2; '.repeat(200)],
  ['X-Forwarded-For', "' OR '1'='1"],
  ['Range', 'bytes=-1-'],
];

/** Hostile pages of every list, hostile ids where one webhook is read, and hostile headers: one arbitrary for each. */
function hostileRequests(contract: Contract): readonly Arbitrary<HostileRequest>[] {
  const ids = [`..${contract.operation('create').path}`, ...strangeIds];
  const reading = contract.operations.filter(({ method }) => method === 'GET');
  const roles = new Map(reading.map(({ operationId }) => [operationId, roleOfOperation(contract, operationId)]));
  const lists = reading.filter(({ operationId }) => listRoles.includes(roles.get(operationId)));
  const byId = reading.filter(({ operationId, path }) => roles.get(operationId) === 'read' && path.includes('{'));
  return [
    ...lists.flatMap(({ operationId }) => [
      pages(operationId, 0),
      pages(operationId, 1),
      pages(operationId, 0, distant),
    ]),
    ...byId.map(({ operationId }) => hostileIds(operationId, ids)),
    ...(lists.length === 0 ? [] : headers).map(([name, value]) =>
      hostileHeader(
        lists.map(({ operationId }) => operationId),
        name,
        value,
      ),
    ),
  ];
}

/** The parts of operations that answer with a list. */
const listRoles: readonly (OperationRole | undefined)[] = [
  'list',
  'notifications',
  'senders',
  ...Object.values(contractSuites).flatMap(({ lists }) => lists.map(([role]) => role)),
];

/** @param which - 0: the number of the page, 1: its size */
function pages(operationId: string, which: 0 | 1, values = numbers): Arbitrary<HostileRequest> {
  return fc.constantFrom(...values).map((value) => ({
    operationId,
    ask: ({ page }) => ({ query: { [page.split(',')[which] ?? 'page']: value } }),
    difference: `${JSON.stringify(value)} as the ${which === 0 ? 'number of the page' : 'size of a page'}`,
  }));
}

function hostileIds(operationId: string, ids: readonly string[]): Arbitrary<HostileRequest> {
  return fc.constantFrom(...ids).map((id) => ({
    operationId,
    ask: () => ({ parameters: { id } }),
    difference: `${id.length > 40 ? `${id.length} characters` : JSON.stringify(id)} as the id`,
  }));
}

function hostileHeader(operationIds: readonly string[], name: string, value: string): Arbitrary<HostileRequest> {
  const words = value.length > 40 ? `${value.length} characters` : value;
  return fc.constantFrom(...operationIds).map((operationId) => ({
    operationId,
    ask: () => (name === 'Accept' ? { accept: value } : { headers: [[name, value]] }),
    difference: `the header ${name}: ${words}`,
  }));
}

const requirement = 'ROB-2';

const strict =
  'Read a body with a strict JSON parser, and to its end. Many are lenient unless an option says otherwise: they take ' +
  'single quotes, a string without an end, or what stands behind the value, and others read something else there.';

/** Section 4: a hostile body is refused or cut off, and the service goes on serving. */
const bodies = serviceCheck<{ hostile: HostileBody; scale: number }>({
  id: 'service/robustness/hostile-bodies',
  title: 'refuses or survives malformed, deep, oversized and poisonous bodies, and goes on serving',
  requirements: [requirement],
  needs: [],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: () => hostileBodies.map((hostile) => fc.record({ hostile: fc.constant(hostile), scale: largeNat(50_000) })),
  run: async (kit, { hostile, scale }) => {
    const { url } = kit.endpoint();
    const body = Buffer.from(hostile.make(JSON.stringify(inactive(kit, url)), scale));
    const call = await sentSafely(kit, body, hostile.how);
    const difference = hostile.name;
    if (kit.succeeded(call) && !hostile.taken) {
      const actual = `${describeAnswer(call.answer)}, which says that a webhook was created of it`;
      return finding(requirement, {
        expected: 'a refusal: any 4xx status',
        actual,
        hint: strict,
        exchanges: [call],
        difference,
      });
    }
    return (await expectServing(kit, call, difference)) ?? expectNoCrash(call, difference);
  },
  hint:
    'Bound the size of a body, catch what the parser throws and answer 400, validate before anything is done with a value, ' +
    'and never merge a body into an object of your own. A refusal that shows what it refuses has to write that: half of a ' +
    'surrogate pair is no UTF-8, and a number that became infinite is no JSON.',
});

/** Section 4: hostile paths, queries and headers end in no error of the server. */
const requests = serviceCheck<HostileRequest>({
  id: 'service/robustness/hostile-requests',
  title: 'answers hostile ids, queries and headers without an error of its own, and goes on serving',
  requirements: [requirement],
  needs: [],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: ({ contract }) => hostileRequests(contract),
  run: async (kit, { operationId, ask, difference }) => {
    const call = await kit.attempt({ operationId }, ask({ page: kit.assumption('list.paging') }));
    return (await expectServing(kit, call, difference)) ?? expectNoCrash(call, difference);
  },
  hint:
    'Validate ids and the numbers of pages like everything else, and answer 400 or 404 to what they cannot be. A page ' +
    'that fits into an integer has an offset that may not.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const robustnessChecks: readonly ServiceCheck[] = [requests, bodies];

/** An error of the server, or none at all, says that the call was not expected. */
function expectNoCrash(call: Call, difference: string): ServiceFinding | undefined {
  const { answer } = call;
  const isOffered = answer.kind !== 'answered' || answer.status !== 501;
  const crashed = hasStatusClass(answer, 5) && isOffered;
  if (!crashed && answer.kind !== 'timed-out') return undefined;
  return finding(requirement, {
    expected: 'an answer that is no error of the server, or the connection closed',
    actual: describeAnswer(answer),
    exchanges: [call],
    absence: answer.kind === 'timed-out',
    difference,
  });
}

const leftBehind =
  'Try a plain creation without the hostile call. If that fails as well, correct that first: service/registration/created ' +
  'is about it. Else see what the call left behind: a lock, a connection that is not given back, a worker that ended.';

/** A plain creation afterwards is accepted, and shows its own values and nothing of the hostile call. */
async function expectServing(kit: ServiceKit, hostile: Call, difference: string): Promise<ServiceFinding | undefined> {
  const plain = await sentSafely(kit, inactive(kit, kit.endpoint().url));
  const expected = 'a plain creation is still accepted afterwards, with its own values';
  const point = { expected, exchanges: [hostile, plain], difference };
  if (!kit.succeeded(plain))
    return finding(requirement, {
      ...point,
      actual: `then, to a plain creation, ${describeAnswer(plain.answer)}`,
      hint: leftBehind,
      absence: true,
    });
  if (plain.answer.kind !== 'answered' || !plain.answer.body.includes(polluted)) return undefined;
  return finding(requirement, { ...point, actual: 'its answer shows what the hostile call sent' });
}
