import fc, { type Arbitrary } from 'fast-check';

import { isJsonObject, type Json, type JsonObject } from '../../../generators/json/json.ts';
import { valueAt, without, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { placeOf } from '../../../spec/delivery.ts';
import type { CaseKind } from '../../check.ts';
import type { Draw } from '../../draw.ts';

/** A notification with related resources, and what is unusual about them. */
export interface RelatedCase {
  readonly notification: Notification;
  readonly difference: string;
  /** True where it is larger than what has to be taken. */
  readonly mayBeRefused?: true;
  /** A body of the same size, where it is full of characters beyond ASCII. */
  readonly inAscii?: Notification;
}

/** What is done to each of the related resources, and the words for it. */
type Change = readonly [words: string, change: (resource: JsonObject, place: number) => Json];

const identities: readonly Change[] = [
  ['related resources of nothing but an id and a type', ({ id = '', type = '' }) => ({ id, type })],
  ['related resources without a type', (resource) => without(resource, 'type')],
  ['related resources without an id', (resource) => without(resource, 'id')],
  ['related resources that are empty objects', () => ({})],
  ['ids of related resources that are no uuids', (resource, place) => ({ ...resource, id: `US-${place} (old)` })],
  ['ids of related resources that are numbers', (resource, place) => ({ ...resource, id: place })],
];

const attributes: readonly Change[] = [
  ['related resources without attributes', (resource) => without(resource, 'attributes')],
  ['related resources whose attributes are null', (resource) => ({ ...resource, attributes: null })],
  ['related resources whose attributes are an empty object', (resource) => ({ ...resource, attributes: {} })],
  ['related resources whose every attribute is null', everyAttribute(() => null)],
  ['related resources whose every attribute is an empty text', everyAttribute(() => '')],
  ['related resources whose every attribute is an empty list', everyAttribute(() => [])],
  ['related resources whose every attribute is an empty object', everyAttribute(() => ({}))],
  ['related resources whose texts are numbers, and numbers texts', everyAttribute(ofAnotherType)],
  ['related resources with an object in every attribute', everyAttribute((value) => ({ value, unit: null }))],
  ['related resources with a list in every attribute', everyAttribute((value) => [value, value])],
  ['a text of 300 characters in every attribute', everyAttribute(() => 'long '.repeat(60))],
  ...[0, -1, 0.1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 1e21].map((number): Change => [
    `the number ${number} in every attribute`,
    everyAttribute(() => number),
  ]),
];

const relationships: readonly Change[] = (
  [
    ['without relationships', undefined],
    ['whose relationships are null', null],
    ['whose relationships are an empty object', {}],
    ['with a relationship that is null', { owner: null }],
    ['with a relationship to nothing (its data is null)', { owner: { data: null } }],
    ['with a relationship to an empty list', { owner: { data: [] } }],
    ['with a relationship without data', { owner: { links: { related: '/v2/owners/1' } } }],
    ['with a relationship that is an empty object', { owner: {} }],
    ['with a relationship to a resource that is not there', { owner: { data: { id: 'none', type: 'owner' } } }],
    [
      'with a relationship that has links and meta',
      { owner: { data: null, links: { self: null }, meta: { count: 0 } } },
    ],
  ] as const
).map(([words, value]) => [`related resources ${words}`, withMember('relationships', value)]);

const linksAndMeta: readonly Change[] = [
  ['related resources with links', withMember('links', { self: '/v2/things/1' })],
  ['related resources with links that are objects', withMember('links', { self: { href: '/v2/things/1', meta: {} } })],
  ['related resources with a link that is null', withMember('links', { self: null })],
  ['related resources whose links are null', withMember('links', null)],
  ['related resources with meta', withMember('meta', { count: 0, tags: ['a', null], nested: { deep: { er: true } } })],
  ['related resources whose meta is null', withMember('meta', null)],
];

/** Names that stand for no kind of resource that anybody knows. */
const unnamed = ['rail_segment', 'metro-area', 'CustomsHold', 'x', 'a.b', 'type', 'kind of its own', 'größe', ''];

const kinds: readonly Change[] = unnamed.map((type) => [
  `related resources of the type ${JSON.stringify(type)}`,
  (resource) => ({ ...resource, type }),
]);

/** Related resources as they may also be: of every kind of difference one case, whose variants take turns. */
export function otherResources(draw: Draw): readonly CaseKind<RelatedCase>[] {
  const changed = [identities, attributes, relationships, linksAndMeta, kinds].map((changes) =>
    changes.map((change) => everyResource(draw, change)),
  );
  const twice = listed(draw, 'each related resource twice', (all) => [...all, ...all]);
  return [...changed, [ofOtherEvents(draw), twice, everyResource(draw, longText(draw))]];
}

/** A text that is longer than many a column, in bodies that are no larger than what has to be taken. */
function longText({ judgedSize }: Draw): Change {
  const text = 'long'.repeat(Math.floor(judgedSize / 64));
  const words = `related resources with an attribute of ${text.length} characters`;
  return [words, (resource) => ({ ...resource, attributes: { name: text } })];
}

function everyResource(draw: Draw, [difference, change]: Change): Arbitrary<RelatedCase> {
  return listed(draw, difference, (all) => all.map((resource, place) => change(resource, place)));
}

function listed(
  draw: Draw,
  difference: string,
  change: (resources: readonly JsonObject[]) => readonly Json[],
): Arbitrary<RelatedCase> {
  const included = placeOf(draw.contract, 'included');
  return draw.notification({ included: 'plausible' }).map(({ event, value }) => {
    const resources = ((valueAt(value, included) ?? []) as readonly Json[]).filter(isJsonObject);
    const some = resources.length > 0 ? resources : [{ id: 'one', type: 'thing', attributes: { name: 'one' } }];
    return { difference, notification: { event, value: withPointer(value, included, change(some)) } };
  });
}

/** The related resources that usually come with another event. */
function ofOtherEvents(draw: Draw): Arbitrary<RelatedCase> {
  const included = placeOf(draw.contract, 'included');
  const plausible = draw.notification({ included: 'plausible' });
  return fc.tuple(plausible, plausible).map(([{ event, value }, other]) => ({
    difference: `the related resources of ${other.event}`,
    notification: { event, value: withPointer(value, included, valueAt(other.value, included) ?? []) },
  }));
}

function withMember(name: string, value: Json | undefined) {
  return (resource: JsonObject): JsonObject =>
    value === undefined ? without(resource, name) : { ...resource, [name]: value };
}

/** Where there are no attributes it changes one of its own. */
function everyAttribute(change: (value: Json) => Json) {
  return (resource: JsonObject): JsonObject => {
    const { attributes: known } = resource;
    const own = isJsonObject(known) && Object.keys(known).length > 0 ? known : { name: 'one' };
    const changed = Object.entries(own).map(([name, value]) => [name, change(value)] as const);
    return { ...resource, attributes: Object.fromEntries(changed) };
  };
}

function ofAnotherType(value: Json): Json {
  return typeof value === 'string' ? value.length : JSON.stringify(value);
}
