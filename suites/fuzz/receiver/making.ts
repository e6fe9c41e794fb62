import fc, { type Arbitrary } from 'fast-check';

import { isJsonObject, type Json, type JsonObject } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { largeNat } from '../../../generators/arbitraries.ts';
import type { RawForm } from '../../../generators/spelling/edit.ts';
import { rawForm } from '../../../generators/spelling/rawForm.ts';
import type { Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { sparing } from '../../receiver/signature/respelling.ts';
import { describeNearId, nearId, type NearId, slot, type Slot } from './slot.ts';
import { defined } from '../../../spec/defined.ts';

/** Text that makes a body larger: so many bytes of one character. */
interface Padding {
  readonly bytes: number;
  readonly character: string;
}

/** A notification and how it is put into bytes. What is left out is as plain as can be. */
export interface Writing {
  readonly notification: Notification;
  /** Whether it says what the plain notification of its event says. */
  readonly plain: boolean;
  readonly padding?: Padding;
  readonly status?: string;
  readonly form?: RawForm;
  readonly mediaType?: string;
  /** Which of the receiver's secrets signs it, from 0. Default: the first. */
  readonly secret?: number;
}

/** What a writing has beyond the plain one. */
export type Feature = 'mediaType' | 'secret' | 'form' | 'status' | 'padding';

/** The delivery of it, under a fresh id where none is given. */
export function written(kit: ReceiverKit, writing: Writing, id: string = kit.freshId()): Delivery {
  const { form, mediaType, secret = 0 } = writing;
  const key = kit.secrets[secret % Math.max(1, kit.secrets.length)];
  const notification = said(kit, writing);
  return kit.compose(notification, {
    id,
    ...(form && { form: sparing(notification.value, form) }),
    ...(mediaType !== undefined && { contentType: mediaType }),
    ...(key !== undefined && { secret: key }),
  });
}

/** The same without one of its features. */
export function without(writing: Writing, feature: Feature): Writing {
  const copy: { -readonly [K in keyof Writing]: Writing[K] } = { ...writing };
  delete copy[feature];
  return copy;
}

function said({ contract }: ReceiverKit, { notification, padding, status }: Writing): Notification {
  const { members } = contract.delivery;
  const { event, value } = notification;
  const { included, status: place } = members;
  const reported = status === undefined || place === undefined ? value : withPointer(value, place, status);
  const isPadded = padding !== undefined && included !== undefined;
  return { event, value: isPadded ? padded(reported, included, padding) : reported };
}

/** The last related resource gets the text; where there is none, one that holds nothing else. */
function padded(body: Json, pointer: string, { bytes, character }: Padding): Json {
  const listed = valueAt(body, pointer);
  const resources: readonly Json[] = Array.isArray(listed) ? listed : [];
  const last = resources.at(-1);
  const resource: JsonObject = isJsonObject(last) ? last : { id: '1', type: 'note' };
  const text = character.repeat(Math.floor(bytes / Buffer.byteLength(character)));
  return withPointer(body, pointer, [...resources.slice(0, -1), { ...resource, meta: { padding: text } }]);
}

/** How a new notification is made, as data. What is left out is as plain as can be. */
export interface Making {
  /** The event, and all that it says; without `value` the plain notification of that event. */
  readonly says?: { readonly event: string; readonly value?: Json };
  /** It says what that of this slot says, where there is one. */
  readonly like?: { readonly slot: Slot };
  readonly id?: NearId;
  readonly padding?: Padding;
  readonly form?: RawForm;
  readonly mediaType?: string;
  readonly secret?: number;
}

/** Makings. Shrinks to the plain notification of any event, and then to nothing special at all. */
export function making(draw: Draw): Arbitrary<Making> {
  const { id, members } = draw.contract.delivery;
  return sparseRecord<object, Making>(
    {},
    {
      says: [3, saying(draw)],
      like: [8, fc.record({ slot }, { noNullPrototype: true })],
      id: id?.form === 'uuid' ? [4, nearId] : never,
      // It is written into a related resource.
      padding: members.included === undefined ? never : [8, padding],
      ...wording(draw, 6),
    },
  );
}

type Worded = Pick<Making, 'form' | 'mediaType' | 'secret'>;
type Wording = { readonly [K in keyof Worded]-?: readonly [number, Arbitrary<Exclude<Worded[K], undefined>>] };

/** How a notification is put into bytes, each part of it once in so many. What the run cannot vary is left plain. */
export function wording(draw: Draw, rarity: number): Wording {
  const { mediaTypes, secrets } = draw;
  return {
    form: [rarity, form],
    mediaType: mediaTypes.length > 0 ? [2 * rarity, fc.constantFrom(...mediaTypes)] : never,
    secret: secrets.length > 1 ? [rarity, fc.integer({ min: 1, max: secrets.length - 1 })] : never,
  };
}

/** A part that the run or its contract does not have. */
export const never = [1_000_000_000, fc.constant(undefined as never)] as const;

/** The first neighbours to change places are the members of the body itself. */
const form: Arbitrary<RawForm> = fc.oneof(
  fc.constant<RawForm>([{ kind: 'key-order', at: 0 }]),
  rawForm({ maxEdits: 3 }),
);

/** Above 64 KiB a receiver may say that a body is too large (GAP-23); all stay below 1 MiB. */
const padding: Arbitrary<Padding> = fc.record(
  {
    bytes: fc.oneof(largeNat(2000), largeNat(24_000), largeNat(64_000), largeNat(140_000), largeNat(400_000)),
    character: fc.constantFrom('.', '\u{1f6a2}', 'é', '中'),
  },
  { noNullPrototype: true },
);

function saying(draw: Draw): Arbitrary<NonNullable<Making['says']>> {
  const drawn = [
    draw.notification({ statuses: 'any' }),
    draw.notification({ statuses: 'any', text: 'unicode', timestamps: 'any' }),
    draw.notification({ statuses: 'any', included: 'none' }),
  ];
  const event = fc.constantFrom(...draw.subscribed.map(({ name }) => name));
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.record({ event }, { noNullPrototype: true }), weight: 2 },
    ...drawn.map((arbitrary) => ({ arbitrary, weight: 1 })),
  );
}

/**
 * What a making makes, all but its id.
 *
 * @param like - what the slot that it names holds, if it does
 */
export function writingOf(kit: ReceiverKit, made: Making, like: Writing | undefined): Writing {
  const { form: spelling, mediaType, secret, padding: text } = made;
  return {
    ...content(kit, made, like),
    ...(text && { padding: text }),
    ...(spelling && { form: spelling }),
    ...(mediaType !== undefined && { mediaType }),
    ...(secret !== undefined && { secret }),
  };
}

function content(
  kit: ReceiverKit,
  { says }: Making,
  like: Writing | undefined,
): Pick<Writing, 'notification' | 'plain'> {
  if (like !== undefined) return { notification: like.notification, plain: like.plain };
  if (says?.value !== undefined) return { notification: { event: says.event, value: says.value }, plain: false };
  return { notification: plainOf(kit, says?.event), plain: true };
}

/** The plain notification of the event; of one whose effects can be judged where none is named. */
function plainOf(kit: ReceiverKit, event?: string): Notification {
  const effective = () => kit.contract.events.find(({ name }) => kit.isEffective(name))?.name;
  return kit.plain({ event: event ?? effective() ?? kit.control.event, value: null });
}

/** What is special about it, a few words each; empty where nothing is. */
export function describeMaking(made: Making): readonly string[] {
  const { says, like, id, padding: text } = made;
  return [
    ...(like ? [`the same content as in ${like.slot}`] : says ? [describeContent(says)] : []),
    ...(id ? [describeNearId(id)] : []),
    ...(text ? [`${text.bytes} bytes of the character ${JSON.stringify(text.character)} in it`] : []),
    ...describeWording(made),
  ];
}

/** How it is put into bytes, a few words each. */
export function describeWording({ form: spelling, mediaType, secret }: Worded): readonly string[] {
  return [
    ...(spelling ? [describeForm(spelling)] : []),
    ...(mediaType === undefined ? [] : [`Content-Type: ${mediaType}`]),
    ...(secret === undefined ? [] : [`signed with secret ${secret + 1}`]),
  ];
}

function describeContent({ event, value }: NonNullable<Making['says']>): string {
  return value === undefined ? event : `content of its own (${event})`;
}

function describeForm(spelling: RawForm): string {
  if (spelling.length === 1 && spelling[0]?.kind === 'key-order' && spelling[0].at === 0)
    return 'the members of the body in the other order';
  return `another spelling of the body (${[...new Set(spelling.map(({ kind }) => kind))].join(', ')})`;
}

type Required<R> = { readonly [K in keyof R]: Arbitrary<R[K]> };

/** A member that is there once in so many records, on average. */
type Seldom<O> = { readonly [K in keyof O]-?: readonly [rarity: number, Arbitrary<Exclude<O[K], undefined>>] };

/**
 * For records of which most members are left out most of the time: what is there says what is special. They survive JSON
 * unchanged. Shrinks to the record without the optional members.
 *
 * @param optional - each with its rarity: 4 means that it is there in one of four
 */
export function sparseRecord<R extends object, O extends object>(
  required: Required<R>,
  optional: Seldom<O>,
): Arbitrary<R & O> {
  const members = Object.entries<readonly [number, Arbitrary<unknown>]>(optional).map(
    ([name, [rarity, arbitrary]]) => [name, seldom(rarity, arbitrary)] as const,
  );
  const all: Record<string, Arbitrary<unknown>> = { ...required, ...Object.fromEntries(members) };
  return fc.record(all, { noNullPrototype: true }).map(defined) as Arbitrary<R & O>;
}

function seldom(rarity: number, arbitrary: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(undefined), weight: rarity - 1 },
    { arbitrary, weight: 1 },
  );
}
