import type { ErrorObject } from 'ajv/dist/2020.js';

import { isRecord } from './jsonSchema.ts';
import { didYouMean, nearest } from './nearest.ts';

/** What is wrong with a contract.yaml, in words: the place, what stands there, what is valid, and what to do. */
export function formProblem(error: ErrorObject): string {
  const { keyword, instancePath, params, data, parentSchema } = error;
  const place = instancePath === '' ? 'contract.yaml' : `${instancePath} of contract.yaml`;
  if (keyword === 'additionalProperties')
    return unknownMember(place, String(params['additionalProperty']), parentSchema);
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    const member: unknown = parentSchema?.['properties']?.[name];
    return `${place} lacks ${name}.${purposeOf(member)} Add it${exampleOf(member, `, for example ${name}: `)}.`;
  }
  return `${place} is ${shown(data)}; valid is ${validOf(error)}.${purposeOf(parentSchema)} Correct it.`;
}

function unknownMember(place: string, name: string, schema: ErrorObject['parentSchema']): string {
  const members = Object.keys((schema?.['properties'] ?? {}) as object);
  const meant = didYouMean(nearest(name, members));
  return `${place} has the member ${JSON.stringify(name)}, which is unknown${meant === undefined ? '.' : `: ${meant}`} Valid are ${members.join(', ')}. Correct its name or remove it.`;
}

function purposeOf(schema: unknown): string {
  const description = isRecord(schema) ? schema['description'] : undefined;
  return typeof description === 'string' ? ` ${description.replace(/\.?$/, '.')}` : '';
}

/** The first example of a schema, as YAML that stands on one line. */
function exampleOf(schema: unknown, before: string): string {
  const examples = isRecord(schema) ? schema['examples'] : undefined;
  if (!Array.isArray(examples) || examples.length === 0) return '';
  return `${before}${examples.map(shown).join(' or ')}`;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 120) ?? 'missing';
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

function validOf({ keyword, params, data, schema, parentSchema }: ErrorObject): string {
  if (keyword === 'enum') {
    const allowed = (params['allowedValues'] as readonly unknown[]).map(String);
    const meant = typeof data === 'string' ? didYouMean(nearest(data, allowed)) : undefined;
    return `one of ${allowed.join(', ')}${meant === undefined ? '' : ` (${meant})`}`;
  }
  if (keyword === 'const') return shown(schema);
  const { minimum, maximum, pattern } = parentSchema ?? {};
  if (keyword === 'minimum' || keyword === 'maximum') return `a whole number from ${minimum} to ${maximum}`;
  const kind = [parentSchema?.['type']]
    .flat()
    .map((type) => kinds[String(type)] ?? 'a value')
    .join(' or ');
  const form = exampleOf(parentSchema, ' such as ');
  return form === '' && typeof pattern === 'string' ? `${kind} of the form ${pattern}` : `${kind}${form}`;
}
