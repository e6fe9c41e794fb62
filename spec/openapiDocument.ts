import { jsonpath } from 'json-p3';

import type { Compile, CompiledSchema } from './compile.ts';
import { ContractError } from './contractError.ts';
import type { ContractForm, OverlayAction } from './contractForm.ts';
import { below, type Dereference } from './pointer.ts';
import { isRecord, type Mapping } from './jsonSchema.ts';
import { gapsOf } from './operations.ts';
import { parseJson } from './parseJson.ts';
import { holdsHalfCharacters, readYaml } from './parseYaml.ts';
import type { Gap } from './requirement.ts';
import { messageOf } from './messageOf.ts';

/**
 * Compiles every schema below `components.schemas`, whether or not anything refers to it.
 *
 * @throws ContractError for a schema that does not compile or whose references cannot be written out
 */
export function parseSchemas(
  document: Mapping,
  dereference: Dereference,
  compile: Compile,
): ReadonlyMap<string, CompiledSchema> {
  const components = document['components'];
  const schemas = isRecord(components) && isRecord(components['schemas']) ? components['schemas'] : {};
  return new Map(
    Object.keys(schemas).map((name) => {
      const reference = below('#/components/schemas', name);
      return [name, compile(reference, dereference({ $ref: reference }))];
    }),
  );
}

/**
 * Compiles every schema of parameters, headers and bodies within a part of the document, used or not.
 *
 * @param part - with its references written out inline
 * @param where - a JSON Pointer to the part, for messages
 * @throws ContractError for a schema that does not compile
 */
export function compileWithin(part: unknown, where: string, compile: Compile): void {
  if (Array.isArray(part)) {
    part.forEach((item, index) => {
      compileWithin(item, `${where}/${index}`, compile);
    });
  }
  if (!isRecord(part)) return;
  for (const [name, value] of Object.entries(part)) {
    const place = below(where, name);
    if (name === 'schema') compile(place, value);
    else if (!/^(x-.*|examples?)$/.test(name)) compileWithin(value, place, compile);
  }
}

/** An OpenAPI document as it was read, references as they stand. */
export interface OpenedDocument {
  readonly root: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly version: string;
}

/**
 * Reads an OpenAPI 3.1 document.
 *
 * @param text - YAML (or JSON, which is YAML); nothing where `contract.yaml` says all that there is
 * @param form - whose title and version go before the document's
 * @param gaps - the gaps that its `x-gap` marks may name; nothing where a test has proven that it names no other
 * @throws ContractError for another version, a missing title or version, or a mark for a gap that is not listed
 */
export function openDocument(text: string | undefined, form: ContractForm, gaps?: readonly Gap[]): OpenedDocument {
  const root = text === undefined ? withoutDocument(form) : readDocument(text);
  const { openapi, info } = root;
  const { title, version } = { ...named(form), ...(isRecord(info) ? info : {}) };
  const [known, valid] = form.strict === true ? [/^3\.1\.\d+$/, '3.1.1'] : [/^3\.\d+\.\d+/, '3.1.1, or 3.0.3'];
  if (root['contract'] !== undefined && root['event'] !== undefined)
    throw invalid('is a contract.yaml', 'an OpenAPI document, with webhooks');
  if (typeof openapi !== 'string' || !known.test(openapi)) {
    const version = openapi ?? root['swagger'];
    throw invalid(
      version === undefined ? 'names no version' : `has the version ${JSON.stringify(version)}`,
      `openapi: ${valid}`,
    );
  }
  if (typeof title !== 'string' || typeof version !== 'string') {
    throw invalid('has no info.title or info.version', 'a text for each of them');
  }
  if (form.strict === true && gaps !== undefined) refuseUnknownGaps(root, gaps);
  return { root, title: form.title ?? title, version: form.version ?? version };
}

/** What a contract itself says of its title and version. */
function named({ title, version, strict }: ContractForm): { readonly title?: string; readonly version?: string } {
  const usual = strict === true ? {} : { version: '1' };
  return { ...usual, ...(title !== undefined && { title }), ...(version !== undefined && { version }) };
}

/**
 * The mapping that a document holds. JSON is YAML, but a reader of JSON takes a tenth of the time for a large document.
 *
 * @param name - what the message calls it
 * @throws ContractError (`contract/unreadable`)
 */
export function readDocument(text: string, name = 'the OpenAPI document'): OpenedDocument['root'] {
  if (!text.trimStart().startsWith('{')) return readYaml(name, text);
  try {
    const value = parseJson(text);
    if (isRecord(value) && !holdsHalfCharacters(value, text)) return value;
  } catch {
    // YAML in flow style begins like JSON, and says more of what is wrong.
  }
  return readYaml(name, text);
}

function withoutDocument({ title = 'Webhooks', version = '1' }: ContractForm): OpenedDocument['root'] {
  return { openapi: '3.1.1', info: { title, version } };
}

function refuseUnknownGaps(root: unknown, gaps: readonly Gap[]): void {
  const stray = marks(root).find((id) => !gaps.some((gap) => gap.id === id));
  if (stray === undefined) return;
  throw new ContractError(
    'contract/gap-unknown',
    `openapi.yaml marks something with the gap ${stray}, which requirements.yaml does not list. Correct the mark, or add the gap.`,
  );
}

function marks(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(marks);
  if (!isRecord(part)) return [];
  return Object.entries(part).flatMap(([name, value]) => (name === 'x-gap' ? gapsOf(value) : marks(value)));
}

function invalid(what: string, valid: string): ContractError {
  return new ContractError(
    'contract/openapi-version',
    `the OpenAPI document ${what}; valid is ${valid}. Correct its head.`,
  );
}

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
    throw invalidTarget(place, target, 'selects nothing in the document; valid is a JSONPath to what is there');
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
    const why = messageOf(cause);
    throw invalidTarget(place, target, `is no JSONPath (RFC 9535): ${why}`);
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

function invalidTarget(place: string, target: string, what: string): ContractError {
  return new ContractError('contract/form', `${place}/target, ${JSON.stringify(target)}, ${what}. Correct it.`);
}
