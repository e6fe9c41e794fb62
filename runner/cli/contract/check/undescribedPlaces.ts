import { schemasAt } from '../../../../generators/schema/schemaReference.ts';
import type { Contract } from '../../../../spec/contract.ts';
import type { Location } from '../../../../spec/delivery.ts';
import { addedName } from '../../../../spec/foreignEvents.ts';
import type { JsonSchema } from '../../../../spec/jsonSchema.ts';
import { nearest } from '../../../../spec/nearest.ts';

/** A place in the body that no event's schema describes. */
export interface UndescribedPlace {
  /** What the contract places there: `id`, `event`, ... */
  readonly name: string;
  readonly pointer: string;
  /** The nearest member that is described there. */
  readonly near?: string;
}

/** Members that the contract places in the body where no event's schema has any: most likely a misspelt pointer. */
export function undescribedPlaces({ delivery: { id, event, members }, events }: Contract): readonly UndescribedPlace[] {
  const inBody = (location: Location | undefined) => (location?.in === 'body' ? location.pointer : undefined);
  const { createdAt, status, type } = members;
  const places = { event: inBody(event), id: inBody(id?.at), type, createdAt, status };
  return Object.entries(places).flatMap(([name, pointer]) => {
    if (pointer === undefined || events.some(({ schema }) => isDescribed(schema, pointer))) return [];
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    const siblings = events.flatMap(({ schema }) => membersAt(schema, parent));
    const [near] = nearest(pointer.slice(parent.length + 1), siblings);
    return [{ name, pointer, ...(near !== undefined && { near: `${parent}/${near}` }) }];
  });
}

function isDescribed(schema: JsonSchema, pointer: string): boolean {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  return membersAt(schema, parent).includes(pointer.slice(parent.length + 1));
}

/** The members that a schema itself names at a place. */
function membersAt(schema: JsonSchema, pointer: string): readonly string[] {
  return schemasAt(schema, pointer).flatMap(({ properties = {}, required = [] }) => {
    const described = Object.entries(properties).flatMap(([name, each]) => (isAdded(each) ? [] : [name]));
    const isOwn = Object.keys(properties).length === 0 || described.length > 0;
    return isOwn ? [...described, ...required] : [];
  });
}

/** Whether it stands there only because the kit put the event's name there, or leads to it. */
function isAdded(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  if (schema['$comment'] === addedName) return true;
  const inner = Object.values(schema.properties ?? {});
  return inner.length === 1 && inner.every(isAdded);
}
