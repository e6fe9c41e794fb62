import { isJsonObject, type Json, type JsonObject } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import type { Delivery } from '../../delivery.ts';
import { sparingId } from '../../receiver/sparingId.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { RawForm } from '../../../generators/spelling/edit.ts';

/** Text that makes a body larger: so many bytes of one character. */
export interface Padding {
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
  const said = saying(kit, writing);
  return kit.compose(said, {
    id,
    ...(form && { form: sparingId(kit.contract, said.value, form) }),
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

function saying({ contract }: ReceiverKit, { notification, padding, status }: Writing): Notification {
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
