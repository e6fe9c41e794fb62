import fc, { type Arbitrary } from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceDraw } from '../../serviceDraw.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import {
  badAuthorization,
  describeBadAuthorization,
  missingAuthorizations,
  wrongAuthorizations,
  type BadAuthorization,
} from './badAuthorization.ts';
import { broken } from '../broken.ts';
import { isAmong } from '../isAmong.ts';
import { securedCall } from './securedCall.ts';

interface Attempted {
  readonly operationId: string;
  readonly bad: BadAuthorization;
}

/** Sections 4 and 5.1: every endpoint needs the Authorization header. */
export const noKey = serviceCheck<Attempted>({
  id: 'service/authentication/no-key',
  title: 'refuses every call without the Authorization header',
  requirements: ['API-1'],
  needs: [],
  weight: 0.5,
  cases: (draw) =>
    secured(draw).flatMap((operationId) =>
      missingAuthorizations.map((bad) => attempted(fc.constant(operationId), bad)),
    ),
  run: (kit, value) => expectUnauthorized(kit, value, 'API-1'),
  hint: 'Check the key before routing, for all paths at once, so that no endpoint can be forgotten.',
});

/** Section 5.1: the scheme and the key have to be right. */
export const wrongKey = serviceCheck<Attempted>({
  id: 'service/authentication/wrong-key',
  title: 'refuses every call with another scheme or a wrong key',
  requirements: ['API-2'],
  needs: [],
  weight: 1.5,
  cases: (draw) => {
    const operations = secured(draw);
    return [
      ...wrongAuthorizations.map((bad) => attempted(fc.constantFrom(...operations), bad)),
      ...operations.map((operationId) => attempted(fc.constant(operationId), fc.oneof(...wrongAuthorizations))),
    ];
  },
  run: (kit, value) => expectUnauthorized(kit, value, 'API-2'),
  hint: 'Compare the whole header: the scheme of the contract, a space, and the whole key, byte by byte.',
});

/** The operations that need a key, the lists first: they are the simplest to call. */
function secured({ contract }: ServiceDraw): readonly string[] {
  const operations = contract.operations.filter((operation) => operation.secured);
  const bare = (path: string, method: string): number => Number(path.includes('{')) + Number(method !== 'GET');
  const sorted = operations.toSorted((one, other) => bare(one.path, one.method) - bare(other.path, other.method));
  return sorted.map(({ operationId }) => operationId);
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
  { operationId, bad }: Attempted,
  requirement: string,
): Promise<ServiceFinding | undefined> {
  const authorization = badAuthorization(bad, kit.authorization);
  if (kit.authorization.endsWith(' ')) throw new Unobservable('no API key was given: give --token');
  if (authorization === undefined) throw new Unobservable('the API key cannot be spoilt in this way');
  const { twin, unauthorized, effect, twinLast } = await securedCall(kit, operationId);
  const first = twinLast === true ? undefined : await expectOffered(kit, twin);
  const call = await unauthorized(authorization);
  const point = { difference: describeBadAuthorization(bad) };
  if (!isAmong(kit, call, 'refusal.unauthorized')) {
    return broken(requirement, {
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
    return broken(requirement, {
      expected: 'the refused call has no effect',
      actual,
      exchanges,
      ...point,
      twin: first,
    });
  }
  const right = first ?? (await expectOffered(kit, twin));
  if (kit.succeeded(right) || describeAnswer(right.answer) !== describeAnswer(call.answer)) return undefined;
  throw new Unproven(`with the right key too, ${operationId} is answered with ${describeAnswer(right.answer)}`);
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
