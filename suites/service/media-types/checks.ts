import fc from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { accepted, create, inactive, notAccepted } from '../creation.ts';
import { sampleOf } from '../sampling.ts';
import type { RequirementId, OperationRole } from '../../../spec/names.ts';

/** How an operation is called with one media type. */
type Calling = (kit: ServiceKit, mediaType: string) => Promise<Call>;

/** Section 1: resource endpoints take the media type that the contract declares first. */
export const resources = serviceCheck<'created' | 'updated' | 'listed'>({
  id: 'service/media-types/resources',
  title: 'takes the media type of resources',
  requirements: ['SVC-3'],
  needs: [],
  weight: 0.1,
  cases: () => [fc.constant('created'), fc.constant('updated'), fc.constant('listed')],
  run: async (kit, what) => {
    const [declared = ''] = declaredTypes(kit, what === 'updated' ? 'update' : 'create');
    const other = kit.contract.delivery.mediaType;
    const calling = what === 'updated' ? await updatedAs(kit) : what === 'created' ? createdAs : listedAs;
    return expectTaken(kit, 'SVC-3', declared, calling, other);
  },
  hint: 'Register the parser for JSON for the media type of resources too, and accept it in the Accept header of a list.',
});

/** Sections 1 and 4.1: a webhook is created from plain JSON too. */
export const plainJson = serviceCheck<string>({
  id: 'service/media-types/plain-json',
  title: 'creates a webhook from every declared media type',
  requirements: ['SVC-4'],
  needs: [],
  weight: 0.1,
  cases: ({ contract }) => [fc.constant(contract.delivery.mediaType)],
  run: async (kit, mediaType) => {
    const [other = ''] = declaredTypes(kit, 'create').filter((type) => type !== mediaType);
    return expectTaken(kit, 'SVC-4', mediaType, createdAs, other);
  },
  hint: 'A webhook may be created from plain JSON as well as from the media type of resources.',
});

/** Sections 1 and 4.1: the answer to a creation is declared as plain JSON. */
export const answer = serviceCheck<{ mediaType: string; accept: string | undefined }>({
  id: 'service/media-types/answer',
  title: 'answers a creation with the declared media type',
  requirements: ['SVC-5'],
  needs: [],
  weight: 0.2,
  cases: ({ contract }) => {
    const declared = contract.operation('create');
    const accepts = [undefined, contract.delivery.mediaType, '*/*'];
    return Object.keys(declared?.request ?? {}).flatMap((mediaType) =>
      accepts.map((accept) => fc.record({ mediaType: fc.constant(mediaType), accept: fc.constant(accept) })),
    );
  },
  run: async (kit, { mediaType, accept }) => {
    const body = inactive(kit, kit.endpoint().url);
    const { call } = await accepted(kit, body, { mediaType, ...(accept !== undefined && { accept }) });
    const expected = answeredAs(kit);
    const seen = kit.mediaType(call);
    if (seen === expected) return undefined;
    return broken('SVC-5', {
      expected: `the Content-Type ${expected}`,
      actual: seen === '' ? 'there is none' : `it is ${seen}`,
      exchanges: [call],
    });
  },
  hint: 'Answer a creation with the media type that the contract names for it, whatever media type the request had.',
});

/** Sections 1 and 4.2: the trigger endpoint takes plain JSON. */
export const trigger = serviceCheck<null>({
  id: 'service/media-types/trigger',
  title: 'takes plain JSON at the trigger endpoint',
  requirements: ['SVC-7'],
  needs: [],
  weight: 0.01,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const [declared = ''] = declaredTypes(kit, 'sample');
    const [other = ''] = declaredTypes(kit, 'create').filter((type) => type !== declared);
    const calling: Calling = (_, mediaType) =>
      kit.call('sample', {
        body: sampleOf(kit, { url: kit.endpoint().url, event: kit.contract.events[0]!.name }),
        mediaType,
      });
    return expectTaken(kit, 'SVC-7', declared, calling, other);
  },
  hint: 'Offer the call for a sample where the contract has it, and take the media type that it names there.',
});

/** The call must be accepted with one media type. It is compared with another: which, does not matter. */
async function expectTaken(
  kit: ServiceKit,
  requirement: RequirementId,
  mediaType: string,
  calling: Calling,
  other: string,
): Promise<ServiceFinding | undefined> {
  const call = await calling(kit, mediaType);
  if (kit.succeeded(call)) return undefined;
  const expected = `the media type ${mediaType} is taken`;
  const actual = describeAnswer(call.answer);
  const unsupported = call.answer.kind === 'answered' && [406, 415].includes(call.answer.status);
  const twin = await calling(kit, other);
  if (kit.succeeded(twin)) {
    const difference = `the media type is ${mediaType}, not ${other}`;
    return broken(requirement, { expected, actual, exchanges: [call], twin, difference });
  }
  if (unsupported) return broken(requirement, { expected, actual, exchanges: [call] });
  throw notAccepted(call);
}

const createdAs: Calling = async (kit, mediaType) => {
  const { call } = await create(kit, inactive(kit, kit.endpoint().url), { mediaType });
  return call;
};

const listedAs: Calling = (kit, mediaType) =>
  kit.call('list', { accept: mediaType, headers: [['Content-Type', mediaType]] });

/** The same update again, with another media type. @throws Unobservable where updates are not offered as assumed */
async function updatedAs(kit: ServiceKit): Promise<Calling> {
  const webhook = await kit.register({ active: false });
  return async (_, mediaType) => {
    const { request } = await kit.update(webhook, { active: false });
    return kit.call('update', { body: request.body, mediaType, parameters: { id: webhook.id } });
  };
}

function declaredTypes(kit: ServiceKit, role: OperationRole): readonly string[] {
  const { operationId, request } = kit.contract.operation(role);
  const types = Object.keys(request);
  if (types.length > 0) return types;
  throw new Unproven(`the contract declares no media type for ${operationId}`);
}

/** The first media type that the contract declares for the answer to a creation. */
function answeredAs(kit: ServiceKit): string {
  const operation = kit.contract.operation('create');
  const content = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  return Object.keys(content ?? {})[0] ?? '';
}
