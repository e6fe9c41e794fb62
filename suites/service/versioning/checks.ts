import fc from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { CallOptions, ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { notAccepted } from '../creation.ts';
import type { Contract, Operation } from '../../../spec/contract.ts';

/** Sections 1 and 9: all paths stand below a base address that ends in the version. */
const basePath = serviceCheck<string>({
  id: 'service/versioning/base-path',
  title: 'answers every described operation below the base address with the version',
  requirements: ['SVC-6'],
  needs: [],
  weight: 0.01,
  cases: ({ contract }) => describedOperations(contract).map(({ operationId }) => fc.constant(operationId)),
  run: async (kit, operationId) => {
    const version = versionOf(kit);
    const segment = new URL(kit.base).pathname.split('/').findLast((part) => part !== '') ?? '';
    // An empty body is refused by a service that knows the operation, and does no harm.
    const takesBody = Object.keys(kit.contract.operation({ operationId }).request).length > 0;
    const call = await kit.call({ operationId }, takesBody ? { body: {} } : {});
    if (segment !== version) {
      return finding('SVC-6', {
        expected: `a base address that ends in /${version}`,
        actual: `it is ${kit.base}`,
        exchanges: [call],
      });
    }
    if (!kit.missing(call)) return undefined;
    return finding('SVC-6', {
      expected: `${call.request.method} ${call.request.path} below ${kit.base}`,
      actual: describeAnswer(call.answer),
      exchanges: [call],
    });
  },
  hint: 'Mount every route below the segment with the version, and leave none outside.',
});

interface Asked {
  readonly how: CallOptions;
  readonly words: string;
}

/** How often both calls are made again: a service may answer by turns, to whatever asks. */
const repeats = 4;

/** Section 9: nothing but the path decides the version. */
const onlyInPath = serviceCheck<Asked>({
  id: 'service/versioning/only-in-path',
  title: 'does not answer otherwise because a header or the query asks for another version',
  requirements: ['VER-1'],
  about: ['operation:list'],
  needs: [],
  weight: 0.2,
  cases: () => askings.map((ask) => fc.constantFrom('1', 'v1', '2', '99', '2019-01-01').map(ask)),
  run: async (kit, { how, words }) => {
    const twin = await kit.call('list');
    if (!kit.succeeded(twin)) throw notAccepted(twin);
    const call = await kit.call('list', how);
    // That a service does not know a member of the query, and says so, says nothing about versions.
    if (isSameForm(kit, twin, call) || (how.query !== undefined && kit.refused(call))) return undefined;
    for (let again = 0; again < repeats; again++) {
      const isSame =
        isSameForm(kit, call, await kit.call('list', how)) && isSameForm(kit, twin, await kit.call('list'));
      if (!isSame)
        throw new Unproven('the same call was answered otherwise a moment later: what differs shows nothing');
    }
    return finding('VER-1', {
      expected: `the same answer as without it: ${describeAnswer(twin.answer)}, ${formOf(kit, twin)}`,
      actual: `${describeAnswer(call.answer)}, ${formOf(kit, call)}`,
      exchanges: [call],
      twin,
      difference: words,
    });
  },
  hint: 'The segment in the path is the one way to choose a version: ignore headers and parameters that look like one.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const versioningChecks: readonly ServiceCheck[] = [basePath, onlyInPath];

const askings: readonly ((version: string) => Asked)[] = [
  ...['Accept-Version', 'Api-Version', 'X-Api-Version', 'X-Version'].map((name) => (version: string): Asked => ({
    how: { headers: [[name, version]] },
    words: `the header ${name}: ${version}`,
  })),
  ...['version', 'api_version', 'v'].map((name) => (version: string): Asked => ({
    how: { query: { [name]: version } },
    words: `${name}=${version} in the query`,
  })),
];

/** The last segment of the address that the contract gives the service. */
function versionOf({ contract }: ServiceKit): string {
  return (contract.document.servers?.[0]?.url ?? '').split('/').findLast((part) => part !== '') ?? '';
}

function isSameForm(kit: ServiceKit, one: Call, other: Call): boolean {
  const status = ({ answer }: Call) => (answer.kind === 'answered' ? answer.status : answer.kind);
  return status(one) === status(other) && formOf(kit, one) === formOf(kit, other);
}

/** What an answer looks like, without what may change from call to call. */
function formOf(kit: ServiceKit, call: Call): string {
  const json = kit.json(call);
  if (json === undefined) return 'no JSON';
  if (Array.isArray(json)) return 'a JSON array';
  if (typeof json !== 'object' || json === null) return `JSON: ${typeof json}`;
  const lists = Object.entries(json).flatMap(([name, value]) => (Array.isArray(value) ? [name] : []));
  return lists.length === 0 ? 'a JSON object without a list' : `a JSON object with a list in ${lists.join(', ')}`;
}

/** The operations whose method and path the contract describes; the others are there by assumption. */
function describedOperations(contract: Contract): readonly Operation[] {
  const assumed = contract.assumptions.flatMap(({ operation }) => (operation === undefined ? [] : [operation]));
  return contract.operations.filter(({ operationId }) => !assumed.includes(operationId));
}
