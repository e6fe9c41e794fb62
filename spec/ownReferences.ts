import type { ContractForm } from './contractForm.ts';
import { isRecord, mapping, type Mapping } from './jsonSchema.ts';
import { below, pointed } from './pointer.ts';

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
