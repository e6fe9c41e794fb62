import type { ContractForm } from './contractForm.ts';
import { isRecord, mapping, type Mapping } from './jsonSchema.ts';
import { below, pointed } from './pointer.ts';
import { ContractError } from './contractError.ts';
import { contradictionsIn, fits, isType, kept, kindNames, kindOf, shown, silent, types } from './foreign/keywords.ts';
import { readPattern } from './foreign/strings.ts';
import { isHeaderValue } from './headerText.ts';
import { didYouMean, nearest } from './nearest.ts';

/** Keywords whose values are data: a `$ref` in there refers to nothing. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);

/** A schema of a contract's own, and where it stands in the document that the events are read from. */
interface OwnSchema {
  readonly schema: unknown;
  readonly at: string;
}

/**
 * The form with references to `$defs` of its own schemas (`#/$defs/Money`) written as references into the document that
 * the events are read from: a JSON Schema refers to its own parts. A schema of `events` may refer to those of `envelope`, too.
 */
export function withOwnReferences(form: ContractForm): ContractForm {
  const { envelope, events } = form;
  const whole: OwnSchema = { schema: envelope, at: envelopePointer };
  return {
    ...form,
    ...(envelope !== undefined && { envelope: relocated(envelope, [whole]) }),
    ...(events !== undefined && {
      events: Object.fromEntries(
        Object.entries(events).map(([name, schema]) => {
          return [name, relocated(schema, [{ schema, at: eventPointer(form, name) }, whole])];
        }),
      ),
    }),
  };
}

/** Where the envelope stands in that document. */
export const envelopePointer = '#/envelope';

/** The content of an event that a contract lists itself. */
export const ownMediaType = 'application/json';

function eventPointer({ method = 'POST' }: ContractForm, name: string): string {
  return below('#/webhooks', name, method.toLowerCase(), 'requestBody', 'content', ownMediaType, 'schema');
}

function relocated(part: unknown, roots: readonly OwnSchema[]): unknown {
  if (Array.isArray(part)) return part.map((each) => relocated(each, roots));
  if (!isRecord(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (name === '$ref' && typeof value === 'string') return [name, target(value, roots)];
      return [name, data.has(name) ? value : relocated(value, roots)];
    }),
  );
}

/** What leads nowhere stays as it is written, for the error that says so. */
function target(reference: string, roots: readonly OwnSchema[]): string {
  if (!reference.startsWith('#/$defs/')) return reference;
  const root = roots.find(({ schema }) => leads(reference, mapping(schema)));
  return root === undefined ? reference : `${root.at}${reference.slice(1)}`;
}

function leads(reference: string, schema: Mapping): boolean {
  try {
    return pointed(schema, reference) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Requires that the schemas of a contract itself, `envelope` and `events`, are JSON Schema 2020-12. A document of somebody
 * else is read as far as it can be; a mistake in a contract of your own is an error instead.
 *
 * @param document - the OpenAPI document, to which references lead
 * @throws ContractError (`contract/form`) that names the place, what stands there and what is valid
 */
export function requireSchemas({ envelope = true, event, events = {} }: ContractForm, document: Mapping): void {
  requireSchema(envelope, '/envelope', document);
  const isNamedByHeader = event.at.startsWith('$request.header.');
  for (const [name, schema] of Object.entries(events)) {
    if (isNamedByHeader && !isHeaderValue(name))
      throw wrong('/events', name, 'a name in visible ASCII, for a header carries it');
    requireSchema(schema, below('/events', name), document);
  }
}

function requireSchema(schema: unknown, place: string, document: Mapping): void {
  if (!isRecord(schema)) {
    if (typeof schema === 'boolean') return;
    throw wrong(place, schema, 'a schema: a mapping of keywords, or true or false');
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = kindOf.get(keyword);
    if (kind === undefined) {
      requireKnown(keyword, place);
      continue;
    }
    const at = below(place, keyword);
    if (!fits[kind](value)) throw wrong(at, value, kindNames[kind]);
    if (kind === 'schema') requireSchema(value, at, document);
    else if (kind === 'schemas' || kind === 'named')
      for (const [name, each] of Object.entries(value as object)) requireSchema(each, below(at, name), document);
  }
  requireValues(schema, place, document);
}

/** Keywords that say nothing about what is valid may stand there. */
function requireKnown(keyword: string, place: string): void {
  if (kept.has(keyword) || silent.has(keyword) || keyword.startsWith('x-')) return;
  const meant = didYouMean(nearest(keyword, [...kindOf.keys(), ...kept]));
  throw new ContractError(
    'contract/form',
    `${place} has the keyword ${JSON.stringify(keyword)}, which is unknown${meant === undefined ? '.' : `: ${meant}`} Valid are those of JSON Schema 2020-12, without $dynamicRef, $dynamicAnchor and unevaluatedItems. Correct its name or remove it.`,
  );
}

/** What the kind of a keyword does not say: the names of types, the syntax of patterns, where references lead. */
function requireValues(schema: Mapping, place: string, document: Mapping): void {
  const { type, pattern, patternProperties, $ref: reference } = schema;
  const strange = [type].flat().find((each) => each !== undefined && !isType(each));
  if (strange !== undefined) throw wrong(below(place, 'type'), type, typesInWords(strange));
  const patterns = [pattern ?? [], Object.keys(patternProperties ?? {})].flat().map(String);
  const broken = patterns.find((each) => readPattern(each).pattern === undefined);
  if (broken !== undefined) throw wrong(below(place, 'pattern'), broken, 'a regular expression (ECMA-262)');
  const [lower, upper] = contradictionsIn(schema)[0] ?? [];
  if (lower !== undefined && upper !== undefined)
    throw wrong(below(place, lower), schema[lower], `no more than ${upper}, which is ${shown(schema[upper])}`);
  if (typeof reference === 'string') requireTarget(reference, below(place, '$ref'), document);
}

function typesInWords(strange: unknown): string {
  const meant = typeof strange === 'string' ? didYouMean(nearest(strange, types)) : undefined;
  return `one of ${types.join(', ')}, or a list of them${meant === undefined ? '' : ` (${meant})`}`;
}

function requireTarget(reference: string, place: string, document: Mapping): void {
  try {
    pointed(document, reference);
  } catch (cause) {
    const valid =
      'a pointer that leads somewhere: into the $defs of this schema or of the envelope (#/$defs/Name), or into the OpenAPI document (#/components/schemas/Name). Files of their own are not read: copy what stands there into $defs';
    throw wrong(place, reference, valid, cause);
  }
}

function wrong(place: string, received: unknown, valid: string, cause?: unknown): ContractError {
  return new ContractError('contract/form', `${place} is ${shown(received)}; valid is ${valid}. Correct it.`, {
    cause,
  });
}
