import type { Json } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import { editPlaces, type RawForm } from '../../generators/spelling/edit.ts';
import type { Contract } from '../../spec/contract.ts';

/**
 * The edits of a form but those that spell the id otherwise where it is a number. Programs read such an id as a 64-bit
 * integer: `1e3` is none to most of them, and nobody writes one so.
 */
export function sparingId({ delivery }: Pick<Contract, 'delivery'>, value: Json, form: RawForm): RawForm {
  const place = delivery.members.id;
  if (place === undefined || typeof valueAt(value, place) !== 'number') return form;
  const places = editPlaces(value, 'number-spelling');
  return form.filter(({ kind, at }) => kind !== 'number-spelling' || places[at % places.length]?.pointer !== place);
}
