import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding, Unobservable, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { accepted, create, inactive, notAccepted, listedAt, attributeNamed } from '../creation.ts';
import { sampleOf } from '../sampling.ts';
import type { Json } from '../../../generators/json/json.ts';
import { withPointer } from '../../../generators/json/jsonPointer.ts';
import { idText } from '../../../spec/delivery.ts';
import { stateOf, type ServiceTerms } from '../../../spec/serviceTerms.ts';
import type { OperationRole, RequirementId } from '../../../spec/names.ts';

/** How an operation is called with one media type. */
type Calling = (kit: ServiceKit, mediaType: string) => Promise<Call>;

/** Section 1: resource endpoints take the media type that the contract declares first. */
const resources = serviceCheck<'created' | 'updated' | 'listed'>({
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
const plainJson = serviceCheck<string>({
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
const answer = serviceCheck<{ mediaType: string; accept: string | undefined }>({
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
    return finding('SVC-5', {
      expected: `the Content-Type ${expected}`,
      actual: seen === '' ? 'there is none' : `it is ${seen}`,
      exchanges: [call],
    });
  },
  hint: 'Answer a creation with the media type that the contract names for it, whatever media type the request had.',
});

/** Sections 1 and 4.2: the trigger endpoint takes plain JSON. */
const trigger = serviceCheck<null>({
  id: 'service/media-types/trigger',
  title: 'takes plain JSON at the trigger endpoint',
  requirements: ['SVC-7'],
  about: ['operation:sample'],
  needs: [],
  weight: 0.01,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const [declared = ''] = declaredTypes(kit, 'sample');
    const [other = ''] = declaredTypes(kit, 'create').filter((type) => type !== declared);
    const calling: Calling = (_, mediaType) =>
      kit.call('sample', {
        body: sampleOf(kit, { url: kit.endpoint().url, event: kit.contract.events[0].name }),
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
    return finding(requirement, { expected, actual, exchanges: [call], twin, difference, absence: !unsupported });
  }
  if (unsupported) return finding(requirement, { expected, actual, exchanges: [call] });
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

/** Sections 1 and 4.1: where the answer to a creation is XML, it holds the same webhook. */
const xml = serviceCheck<readonly string[]>({
  id: 'service/media-types/xml',
  title: 'answers a creation with well-formed XML that says the same, where it offers XML',
  requirements: ['SVC-8'],
  needs: [],
  weight: 0.1,
  cases: ({ contract }) => [
    fc.subarray(
      contract.events.map(({ name }) => name),
      { minLength: 2, maxLength: 5 },
    ),
  ],
  run: async (kit, events) => {
    const mediaType = declaredXml(kit);
    // What XML has to escape; a service may refuse such a url, and XML with it.
    const url = `${kit.endpoint().url}?fleet=north&mode=any`;
    const body = kit.creation(kit.plainAttributes(url, { active: false, events }));
    const { call } = await create(kit, body, { accept: mediaType });
    if (!kit.succeeded(call) || call.answer.kind !== 'answered' || !/[/+]xml$/.test(kit.mediaType(call))) {
      throw new Unobservable(`the service does not answer a creation as ${mediaType}`);
    }
    const problem = XMLValidator.validate(call.answer.body);
    if (problem !== true) {
      const actual = `the XML is not well-formed, line ${problem.err.line}: ${problem.err.msg}`;
      return finding('SVC-8', { expected: 'well-formed XML', actual, exchanges: [call] });
    }
    const twin = await accepted(kit, kit.creation(kit.plainAttributes(kit.endpoint().url, { active: false, events })));
    const missing = await missingTexts(kit, call, { url, events, twin: twin.resource ?? null });
    if (missing.length === 0) return undefined;
    return finding('SVC-8', {
      expected: 'the XML holds the same webhook as the JSON would',
      actual: `it has no ${missing.join(', ')}`,
      exchanges: [call],
      twin: twin.call,
      difference: `the answer is asked for as ${mediaType}`,
    });
  },
  hint: 'Write XML with a library that escapes texts, from the same resource as the JSON.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const mediaTypesChecks: readonly ServiceCheck[] = [resources, plainJson, answer, trigger, xml];

interface Given {
  readonly url: string;
  readonly events: readonly string[];
  /** A webhook with the same attributes, as JSON shows it. */
  readonly twin: Json;
}

/** What is in the webhook, as it was given and as JSON shows it, and not in the XML. It is removed in the end. */
async function missingTexts(kit: ServiceKit, call: Call, { url, events, twin }: Given): Promise<readonly string[]> {
  const tree = treeOf(call);
  const [own] = (await listedAt(kit, url)) ?? [];
  if (own !== undefined) adopt(kit, call, own);
  const holds = (name: keyof ServiceTerms['webhook']['members'], text: string): boolean =>
    textsBelow(tree, attributeNamed(kit.terms, name)).includes(text);
  const [id, active, others] = [
    idText(kit.member(own ?? null, 'id')),
    kit.member(twin, 'active'),
    kit.member(twin, 'events'),
  ];
  const names = Array.isArray(others) ? others.filter((event) => typeof event === 'string') : [];
  const isWhole = events.every((event) => holds('events', event));
  const absent = isWhole ? [] : names.filter((event) => !holds('events', event));
  return [
    ...(id === undefined || holds('id', id) ? [] : ['its id']),
    ...(holds('url', url) ? [] : ['its url']),
    ...(typeof active !== 'boolean' || holds('active', String(stateOf(kit.terms, active)))
      ? []
      : [`that active is ${active}`]),
    ...absent.map((event) => `the event ${event}`),
    ...(textsBelow(tree, attributeNamed(kit.terms, 'secret')).some((text) => text !== '') ? [] : ['its secret']),
  ];
}

/** All that the XML says, every text as it stands there. */
function treeOf({ answer }: Call): unknown {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false });
  return answer.kind === 'answered' ? parser.parse(answer.body) : undefined;
}

/** All texts in elements of this name, however deep. */
function textsBelow(tree: unknown, name: string): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([member, value]) =>
    member === name ? textsIn(value) : textsBelow(value as unknown, name),
  );
}

function textsIn(tree: unknown): readonly string[] {
  if (typeof tree === 'string') return [tree];
  return typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(textsIn) : [];
}

/** Has a webhook removed whose creation was not answered as JSON. */
function adopt(kit: ServiceKit, call: Call, resource: Json): void {
  if (call.answer.kind !== 'answered') return;
  const body = JSON.stringify(withPointer({}, kit.terms.webhook.wrapper, resource));
  kit.adopt({ ...call, answer: { ...call.answer, body } });
}

function declaredXml(kit: ServiceKit): string {
  const operation = kit.contract.operation('create');
  const types = Object.values(operation.responses).flatMap((content) => Object.keys(content));
  const xmlType = types.find((type) => /[/+]xml$/.test(type));
  if (xmlType !== undefined) return xmlType;
  throw new Unobservable('the contract declares no XML');
}
