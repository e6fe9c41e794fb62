import fc, { type Arbitrary } from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification, NotificationOptions } from '../../../generators/notification/notification.ts';
import {
  type Edit,
  type EditKind,
  editKinds,
  type EditPlace,
  editPlaces,
  type RawForm,
} from '../../../generators/spelling/edit.ts';
import { type Gap, numberSpellings } from '../../../generators/spelling/jsonPen.ts';
import { describeEdit, describeEditIn, editSites, rawForm } from '../../../generators/spelling/rawForm.ts';
import type { CaseKind } from '../../check.ts';
import { type Draw, mayPass, passing } from '../../draw.ts';
import { itemOf } from '../../items.ts';

/** A notification and another spelling of its body, which says the same in other bytes. */
export interface Respelling {
  readonly form: RawForm;
  readonly notification: Notification;
}

/** An edit at a place of one sort. */
interface Sort {
  readonly kind: EditKind;
  readonly text?: string;
  readonly suits?: (place: EditPlace) => boolean;
}

/** Every kind of spelling, each with notifications that can be spelt so: all sorts of places of each, and several edits at once. */
export function respelling(draw: Draw): readonly CaseKind<Respelling>[] {
  const others = editKinds.filter((kind) => kind !== 'whitespace');
  const bodies = written(draw);
  const single = others.map((kind) => sortsOf(draw, kind).flatMap((sort) => edited(bodies, sort)));
  const kinds = [
    whiteSpace(draw, bodies),
    spacedThroughout(bodies),
    ...single,
    [...several(draw), ...several(draw, ['whitespace'], 60)],
    escapedNames(draw),
  ];
  return kinds.filter((variants) => variants.length > 0);
}

/** Two edits or more in one body. */
function several(draw: Draw, kinds: readonly EditKind[] = editKinds, maxEdits = 8): readonly Arbitrary<Respelling>[] {
  return passing(
    fc.record({ form: rawForm({ kinds, minEdits: 2, maxEdits }), notification: written(draw) }).map((drawn) => ({
      ...drawn,
      form: sparing(drawn.notification.value, drawn.form),
    })),
    ({ form, notification }) => form.some(({ kind }) => editSites(notification.value, kind) > 0),
  );
}

const gaps: readonly Gap[] = [
  'before-document',
  'after-document',
  'inside-empty',
  'before-name',
  'before-colon',
  'after-colon',
  'after-member',
  'before-item',
  'after-item',
];

/** Every kind of white space beside every kind of token. */
function whiteSpace(draw: Draw, bodies: Arbitrary<Notification>): readonly Arbitrary<Respelling>[] {
  const withEmpty = written(draw, { included: 'empty' });
  return [' ', '\t', '\n', '\r', '\r\n'].flatMap((text) =>
    gaps.flatMap((gap) =>
      edited(gap === 'inside-empty' ? withEmpty : bodies, {
        kind: 'whitespace',
        text,
        suits: (place) => place.gap === gap,
      }),
    ),
  );
}

/** White space in every gap of a sort, as serialisers write it: a pattern over the body has none, or another. */
function spacedThroughout(bodies: Arbitrary<Notification>): readonly Arbitrary<Respelling>[] {
  return (['after-colon', 'before-name', 'before-colon'] as const).flatMap((gap) =>
    passing(
      bodies.map((notification) => ({
        notification,
        form: [...editPlaces(notification.value, 'whitespace').entries()].flatMap(([at, place]): readonly Edit[] =>
          place.gap === gap ? [{ kind: 'whitespace', at, text: ' ' }] : [],
        ),
      })),
      ({ form }) => form.length > 0,
    ),
  );
}

/** The sorts of places for one kind of edit; those of white space come by themselves. */
function sortsOf({ contract }: Draw, kind: Exclude<EditKind, 'whitespace'>): readonly Sort[] {
  const { id, included } = contract.delivery.members;
  const tops = [...new Set([id, included].flatMap((pointer) => pointer?.split('/')[1] ?? []))];
  const within = (top: string) => (place: EditPlace) => place.within === top;
  const digits = ['lower', 'upper'];
  switch (kind) {
    case 'trailing-newline':
      return ['\n', '\r\n'].map((text) => ({ kind, text }));
    case 'key-order':
      return ['', ...tops].map((top) => ({ kind, suits: within(top) }));
    case 'unicode-escape':
      return tops.flatMap((top) =>
        digits.map((text) => ({ kind, text, suits: (place) => place.role === 'value' && within(top)(place) })),
      );
    case 'non-ascii-escape':
      return digits.flatMap((text) =>
        [1, 2].map((units) => ({ kind, text, suits: ({ character }: EditPlace) => character?.length === units })),
      );
    case 'number-spelling':
      return numberSpellings.map((text) => ({ kind, text }));
    case 'solidus-escape':
      return [{ kind }];
  }
}

/** An escape in every name of a member: a receiver looks for few of them. */
function escapedNames(draw: Draw): readonly Arbitrary<Respelling>[] {
  return ['lower', 'upper'].flatMap((text) => {
    const drawn = fc.record({ which: fc.nat({ max: 0xffff }), notification: written(draw) });
    const escaped = drawn.map(({ which, notification }): Respelling => {
      const places = Map.groupBy(editPlaces(notification.value, 'unicode-escape').entries(), ([, { role, pointer }]) =>
        role === 'name' ? pointer : undefined,
      );
      places.delete(undefined);
      const form = Array.from(places.values(), (name): Edit => {
        const [at] = itemOf(name, which % name.length);
        return { kind: 'unicode-escape', at, text };
      });
      return { notification, form };
    });
    return passing(escaped, ({ form }) => form.length > 0);
  });
}

/** One edit of this sort, at any of the places that suit it. */
function edited(bodies: Arbitrary<Notification>, sort: Sort): readonly Arbitrary<Respelling>[] {
  const isPossible = ({ value }: Notification) =>
    spellTyped.has(sort.kind) ? sitesOf(value, sort).length > 0 : editSites(value, sort.kind) > 0;
  if (!mayPass(bodies, isPossible)) return [];
  const drawn = fc.record({ which: fc.nat({ max: 0xffff }), notification: bodies });
  const possible = drawn.filter(({ notification }) => isPossible(notification));
  return [
    possible.map(({ which, notification }) => {
      const sites = sitesOf(notification.value, sort);
      const { kind, text } = sort;
      const at = sites[which % sites.length] ?? 0;
      return { notification, form: [text === undefined ? { kind, at } : { kind, at, text }] };
    }),
  ];
}

/** The places of this sort; all of its kind where a notification has none of the sort. */
function sitesOf(value: Json, { kind, suits }: Sort): readonly number[] {
  const places = [...editPlaces(value, kind).entries()].filter(([, place]) => !isTyped(value, place));
  const suiting = suits === undefined ? [] : places.filter(([, place]) => suits(place));
  return (suiting.length > 0 ? suiting : places).map(([at]) => at);
}

/** Notifications with text that leaves a choice, outside of the id: a delivery has a fresh one, in which the choice is gone. */
function written(draw: Draw, options: NotificationOptions = {}): Arbitrary<Notification> {
  const place = draw.contract.delivery.members.id;
  return draw.notification({ text: 'unicode', ...options }).map((notification) => {
    const id = place === undefined ? undefined : valueAt(notification.value, place);
    if (place === undefined || typeof id !== 'string' || id.search(special) < 0) return notification;
    return { ...notification, value: withPointer(notification.value, place, id.replaceAll(special, 'x')) };
  });
}

/** What may be written as it is or as an escape, and what is no printable ASCII. */
const special = /[^\x20-\x2e\x30-\x7e]/gu;

/** Edits that are named one by one. */
const named = 4;

/** The spelling in plain words, with the places where it differs from compact JSON. */
export function describeForm({ value }: Notification, form: RawForm): string {
  const edits = form.filter(({ kind }) => editSites(value, kind) > 0);
  const words = edits.slice(0, named).map((edit, place) => {
    const [what, before] = [edit, edits[place - 1]].map((each) => each && describeEdit(each));
    return describeEditIn(value, edit).slice(what === before ? `${what} `.length : 0);
  });
  return [...words, ...(edits.length > named ? [`${edits.length - named} more of such changes`] : [])].join('; ');
}

/** Notifications that every receiver must take, and that are larger than many a buffer. */
export function large(draw: Draw): Arbitrary<Notification> {
  return draw.notification({ included: { bytes: Math.floor(draw.judgedSize * 0.75) } });
}

/** The edits of a form but those that spell what is {@link isTyped}. */
export function sparing(value: Json, form: RawForm): RawForm {
  const kinds = new Set(form.map(({ kind }) => kind).filter((kind) => spellTyped.has(kind)));
  const places = new Map([...kinds].map((kind) => [kind, editPlaces(value, kind)]));
  return form.filter(({ kind, at }) => {
    const ofKind = places.get(kind) ?? [];
    const place = ofKind[at % ofKind.length];
    return place === undefined || !isTyped(value, place);
  });
}

const spellTyped: ReadonlySet<EditKind> = new Set(['number-spelling', 'unicode-escape']);

/**
 * Whether programs with types read what stands there as it stands. To Go, Rust and others a whole number is a 64-bit integer,
 * and neither `1e3` nor `7.0` is one. A point of time is parsed without a look at escapes, by Go's `time.Time` for one. No
 * sender spells either otherwise.
 */
function isTyped(value: Json, { pointer, role }: EditPlace): boolean {
  if (pointer === undefined || role === 'name') return false;
  const typed = valueAt(value, pointer);
  return typeof typed === 'string' ? pointOfTime.test(typed) : Number.isInteger(typed);
}

const pointOfTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
