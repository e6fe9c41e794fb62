import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

import type { Json } from '../../../generators/json/json.ts';
import { withPointer } from '../../../generators/json/withPointer.ts';
import type { ServiceTerms } from '../../../spec/serviceTerms.ts';
import { serviceCheck, Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { attributeNamed } from '../attributeNamed.ts';
import { broken } from '../broken.ts';
import { accepted, create, listedAt } from '../creation.ts';

/** Sections 1 and 4.1: where the answer to a creation is XML, it holds the same webhook. */
export const xml = serviceCheck<readonly string[]>({
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
    const { url } = kit.endpoint();
    const body = kit.creation(kit.plainAttributes(url, { active: false, events }));
    const { call } = await create(kit, body, { accept: mediaType });
    if (!kit.succeeded(call) || call.answer.kind !== 'answered' || !/[/+]xml$/.test(kit.mediaType(call))) {
      throw new Unobservable(`the service does not answer a creation as ${mediaType}`);
    }
    const problem = XMLValidator.validate(call.answer.body);
    if (problem !== true) {
      const actual = `${problem.err.msg} (line ${problem.err.line})`;
      return broken('SVC-8', { expected: 'well-formed XML', actual, exchanges: [call] });
    }
    const twin = await accepted(kit, kit.creation(kit.plainAttributes(kit.endpoint().url, { active: false, events })));
    const missing = await missingTexts(kit, call, { url, events, twin: twin.resource ?? null });
    if (missing.length === 0) return undefined;
    return broken('SVC-8', {
      expected: 'the XML holds the same webhook as the JSON would',
      actual: `it does not hold ${missing.join(', ')}`,
      exchanges: [call],
      twin: twin.call,
      difference: `the answer is asked for as ${mediaType}`,
    });
  },
  hint: 'Write XML with a library that escapes texts, from the same resource as the JSON.',
});

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
  const [id, active, others] = [kit.member(own ?? null, 'id'), kit.member(twin, 'active'), kit.member(twin, 'events')];
  const names = Array.isArray(others) ? others.filter((event) => typeof event === 'string') : [];
  const isWhole = events.every((event) => holds('events', event));
  const absent = isWhole ? [] : names.filter((event) => !holds('events', event));
  return [
    ...(typeof id !== 'string' || holds('id', id) ? [] : ['its id']),
    ...(holds('url', url) ? [] : ['its url']),
    ...(typeof active !== 'boolean' || holds('active', String(active)) ? [] : [`that active is ${active}`]),
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
