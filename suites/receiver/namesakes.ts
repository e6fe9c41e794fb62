import { isJsonObject, type Json, type JsonObject } from '../../generators/json/json.ts';
import { fromPointer, valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import { withId, type Notification } from '../../generators/notification/notification.ts';
import type { Contract } from '../../spec/contract.ts';
import { placeOf } from '../../spec/delivery.ts';
import { parentOf } from '../../spec/pointer.ts';

/** A change of a body that changes nothing of what the contract says. */
export interface Change {
  readonly words: string;
  /** What stands there, and whether a search through the text comes upon it before the real one. Default: none of these. */
  readonly sort?: 'an id before' | 'an id elsewhere' | 'an event';
  /** How a receiver usually gets it wrong, where that is a mistake of its own. */
  readonly hint?: string;
  /**
   * Whether nothing stands there yet, where the contract has room for it: what it has there would be replaced. Default: in every
   * notification.
   */
  readonly fits?: (notification: Notification) => boolean;
  /** @param other - the id of a notification that was accepted before */
  readonly apply: (notification: Notification, other: string) => Notification;
}

/** A member, and the object (JSON Pointer) that gets it. */
interface NewMember {
  readonly holder: string;
  readonly name: string;
  readonly value: Json;
  /** True where it stands before the others. Default: after them. */
  readonly first?: boolean;
}

const hint =
  'Parse the body as JSON, and read each member where the contract has it. A search for the first (or the last) member of ' +
  'a name, in the text or at any depth, finds those of other objects, too.';

/** The name of an event that nobody knows. */
const unknown = 'nothing.of.the.kind';

/** Names that the contract knows, with other values at places that it does not know, before the real ones and after them. */
export function namesakes(contract: Contract): readonly (Change & Required<Pick<Change, 'fits'>>)[] {
  const { members } = contract.delivery;
  const { id: idPlace, event: eventPlace, included } = members;
  if (idPlace === undefined || eventPlace === undefined) return [];
  const [id, event] = [nameAt(idPlace), nameAt(eventPlace)];
  const [top = ''] = fromPointer(idPlace);
  const [near, far] = [parentOf(idPlace), parentOf(eventPlace)];
  const another = (notification: Notification, other: string): Json =>
    withPointer(withId(contract, notification, other).value, eventPlace, unknown);
  const changes = [
    ...added('another event at the top', () => ({ holder: '', name: event, value: unknown }), 'an event'),
    ...added(`another event ${within(near)}`, () => ({ holder: near, name: event, value: unknown }), 'an event'),
    ...added('the id of another notification at the top', (_, other) => ({ holder: '', name: id, value: other })),
    ...added(
      `the id of another notification ${within(far)}`,
      (_, other) => ({ holder: far, name: id, value: other }),
      'an id behind',
    ),
    ...added('another notification in a member at the top', (notification, other) => ({
      holder: '',
      name: 'x_previous',
      value: another(notification, other),
    })),
    ...outOfTheWay({ far, top }, another),
    ...added(`a relationship to another notification ${within(near)}`, (_, other) => relationshipTo(other, near)),
    ...(included === undefined ? [] : amongResources({ id: idPlace, included }, another)),
  ];
  const own = ({ value }: Notification): string => String(valueAt(value, idPlace) as string | number);
  return changes.map((change) => ({
    ...change,
    fits: (drawn) => (change.fits?.(drawn) ?? true) && isAllowed(contract, change.apply(drawn, own(drawn))),
  }));
}

/** Whether the contract allows this body: a receiver may refuse members for which a schema has no room. */
export function isAllowed({ events }: Contract, { event, value }: Notification): boolean {
  return events.find(({ name }) => name === event)?.validate(value) ?? false;
}

/** Another notification where a search through the text finds the id of this one before it, or finds no id. */
function outOfTheWay(
  { far, top }: { readonly far: string; readonly top: string },
  another: (notification: Notification, other: string) => Json,
): readonly Change[] {
  const whole = (notification: Notification, other: string) => valueAt(another(notification, other), `/${top}`) ?? null;
  const text = (notification: Notification, other: string) => JSON.stringify(another(notification, other));
  return [
    ...added(
      `another notification in a member ${far === '' ? 'at the top' : `of ${far}`}`,
      (...of) => ({ holder: far, name: top, value: whole(...of) }),
      'an id behind',
    ),
    ...added(
      'the text of another notification in a member',
      (...of) => ({ holder: '', name: 'x_text', value: text(...of) }),
      'an id behind',
    ),
  ];
}

/** A member that stands before the others, and the same after them. */
function added(
  words: string,
  member: (notification: Notification, other: string) => Omit<NewMember, 'first'>,
  what: 'an id' | 'an id behind' | 'an event' = 'an id',
): readonly Change[] {
  return [true, false].map((first) => ({
    words: `${words}, ${first ? 'before' : 'after'} the other members`,
    sort: what === 'an event' ? what : first && what === 'an id' ? 'an id before' : 'an id elsewhere',
    hint,
    fits: (notification) => isFree(notification, member(notification, '')),
    apply: (notification, other) => withMember(notification, { ...member(notification, other), first }),
  }));
}

function relationshipTo(id: string, holder: string): NewMember {
  return { holder, name: 'relationships', value: { previous: { data: { id, type: 'x_previous' } } } };
}

/** Another notification among the related resources, which come before the rest of the body, or after it. */
function amongResources(
  { id, included }: { readonly id: string; readonly included: string },
  another: (notification: Notification, other: string) => Json,
): readonly Change[] {
  const [holder, name] = [parentOf(included), nameAt(included)];
  return [true, false].map((first) => ({
    words: `another notification among the related resources, which stand ${first ? 'before' : 'after'} the other members`,
    sort: first ? 'an id before' : 'an id elsewhere',
    hint,
    apply: (notification, other) => {
      const resources = (valueAt(notification.value, included) ?? []) as readonly Json[];
      const resource = valueAt(another(notification, other), parentOf(id)) ?? null;
      return withMember(notification, { holder, name, value: [resource, ...resources], first });
    },
  }));
}

/** The notification with its related resources before the other members. */
export function resourcesFirst(notification: Notification, contract: Contract): Notification {
  const included = placeOf(contract, 'included');
  const value = valueAt(notification.value, included) ?? [];
  return withMember(notification, { holder: parentOf(included), name: nameAt(included), value, first: true });
}

function isFree({ value }: Notification, { holder, name }: NewMember): boolean {
  const object = valueAt(value, holder);
  return isJsonObject(object) && !Object.hasOwn(object, name);
}

/** The place of an object, in words: the root has no name. */
export function within(holder: string): string {
  return holder === '' ? 'at the top' : `in ${holder}`;
}

function nameAt(pointer: string): string {
  return fromPointer(pointer).at(-1) ?? '';
}

/** The notification with one more member, whatever its name. One of that name is replaced. */
export function withMember({ event, value }: Notification, member: NewMember): Notification {
  const { holder, name, value: added, first = false } = member;
  const object = valueAt(value, holder);
  if (!isJsonObject(object)) return { event, value };
  const others = Object.entries(object).filter(([other]) => other !== name);
  const entries: readonly (readonly [string, Json])[] = first ? [[name, added], ...others] : [...others, [name, added]];
  return { event, value: withPointer(value, holder, Object.fromEntries(entries) as JsonObject) };
}
