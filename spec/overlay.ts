import { jsonpath } from 'json-p3';

import { ContractError } from './contractError.ts';
import type { OverlayAction } from './contractForm.ts';
import { isRecord } from './jsonSchema.ts';

type Mapping = Readonly<Record<string, unknown>>;

/**
 * A copy of a document that the actions of an OpenAPI Overlay (1.0, 3.4) have changed, in their order.
 *
 * @throws ContractError (`contract/form`) for a target that is no JSONPath (RFC 9535), or selects nothing
 */
export function overlaid(document: Mapping, actions: readonly OverlayAction[]): Mapping {
  const copy = structuredClone(document);
  actions.forEach((action, index) => {
    apply(copy, action, `/overlay/${index}`);
  });
  return copy;
}

function apply(document: Mapping, { target, remove = false, update }: OverlayAction, place: string): void {
  const nodes = selected(document, target, place);
  if (nodes.length === 0)
    throw invalid(place, target, 'selects nothing in the document; valid is a JSONPath to what is there');
  // From the last one on: removing an item moves those behind it.
  for (const { location, value } of nodes.toReversed()) {
    const parent = location.slice(0, -1).reduce<unknown>((at, name) => (at as never)[name], document);
    const name = location.at(-1);
    if (remove) removeMember(parent, name);
    else if (update !== undefined) setMember(parent, name, merged(value, update));
  }
}

function selected(document: Mapping, target: string, place: string) {
  try {
    return [...jsonpath.query(target, document as never)] as { location: (string | number)[]; value: unknown }[];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalid(place, target, `is no JSONPath (RFC 9535): ${why}`);
  }
}

function removeMember(parent: unknown, name: string | number | undefined): void {
  if (Array.isArray(parent) && typeof name === 'number') parent.splice(name, 1);
  else if (isRecord(parent) && name !== undefined) delete (parent as Record<string, unknown>)[name];
}

function setMember(parent: unknown, name: string | number | undefined, value: unknown): void {
  if (name !== undefined) (parent as Record<string | number, unknown>)[name] = value;
}

/** Objects are merged, lists get the new item, anything else is replaced. */
function merged(value: unknown, update: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[]), update];
  if (!isRecord(value) || !isRecord(update)) return update;
  const members = Object.entries(update).map(([name, each]) => [
    name,
    name in value ? merged(value[name], each) : each,
  ]);
  return { ...value, ...Object.fromEntries(members) };
}

function invalid(place: string, target: string, what: string): ContractError {
  return new ContractError('contract/form', `${place}/target, ${JSON.stringify(target)}, ${what}. Correct it.`);
}
