import { readFileSync } from 'node:fs';

import { type ErrorObject, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { ContractError } from './contractError.ts';
import { readYaml } from './parseYaml.ts';
import type { Level } from './requirement.ts';
import { isRecord } from './jsonSchema.ts';
import { didYouMean, nearest } from './nearest.ts';
import { exampleOf, shownValue, validOf } from './schemaErrors.ts';
import { within } from './serviceTerms.ts';

/** What differs of a general requirement in one contract. */
export interface RequirementChange {
  readonly level?: Level;
  readonly section?: string;
  readonly statement?: string;
}

/** The signature of a contract, as it is written down. Defaults: sha256, hex, the key as UTF-8, `{body}`. */
export interface SignatureForm {
  readonly algorithm?: string;
  readonly digest?: string;
  readonly key?: string;
  readonly signed?: string;
  readonly several?: string;
  readonly tolerance?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One action of an OpenAPI Overlay (1.0, 3.4.3). */
export interface OverlayAction {
  readonly target: string;
  readonly remove?: boolean;
  readonly update?: unknown;
}

interface At {
  readonly at: string;
}

/** `contract.yaml`, as it is written down; `contract.schema.json` describes every member. */
export interface ContractForm {
  readonly title?: string;
  readonly version?: string;
  readonly source?: string;
  readonly openapi?: string;
  readonly overlay?: readonly OverlayAction[];
  readonly envelope?: unknown;
  readonly events?: Readonly<Record<string, unknown>>;
  readonly requirements?: string | Readonly<Record<string, false | RequirementChange>>;
  readonly assumptions?: string;
  readonly strict?: boolean;
  readonly method?: string;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly redeliveryHeaders?: Readonly<Record<string, string>>;
  readonly event: At & { readonly value?: string; readonly catalogue?: string };
  readonly id?: At & { readonly form?: string; readonly signed?: boolean };
  readonly type?: At;
  readonly object?: At;
  readonly status?: At;
  readonly createdAt?: At & { readonly form?: 'rfc3339' | 'unix' | 'unixMilliseconds' };
  readonly related?: At & { readonly form?: 'json-api' };
  readonly accepts?: readonly (number | string)[];
  readonly retries?: number;
  readonly timeout?: string;
  readonly signature?: SignatureForm;
  readonly service?: Readonly<Record<string, unknown>>;
}

/**
 * Reads a `contract.yaml`.
 *
 * @param text - YAML (or JSON, which is YAML)
 * @param trusted - the text is known to be right: it ships with the kit, and a test has proven it. Default: false
 * @throws ContractError (`contract/unreadable`, `contract/form`) that names the place, what stands there and what is valid
 */
export function parseContractForm(text: string, { trusted = false } = {}): ContractForm {
  const root = readYaml('it', text);
  if (!trusted) requireForm(root);
  return root as unknown as ContractForm;
}

/** The JSON Schema of the form, for editors and for the documentation. */
export function contractFormSchema(): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL('./contract.schema.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

function requireForm(root: Readonly<Record<string, unknown>>): void {
  refuseDocument(root);
  const validate = formValidator();
  if (validate(root)) {
    requireIdForms(root as unknown as ContractForm);
    return;
  }
  const errors = (validate.errors ?? []).toSorted((a, b) => depth(b) - depth(a));
  // Of each member one: what else is wrong with it may follow from that.
  const ofMembers = Object.values(Object.groupBy(errors, ({ instancePath }) => instancePath.split('/', 2).join('/')));
  const problems = ofMembers.flatMap((ofOne = []) => ofOne.slice(0, 1).map(formProblem));
  throw new ContractError('contract/form', problems.slice(0, mostProblems).join(' '));
}

/** What a text of one line may say at once. */
const mostProblems = 3;

let validator: ValidateFunction | undefined;

/** Compiled at the first form that is read: it takes longer than to read one. That it is a schema is tested. */
function formValidator(): ValidateFunction {
  const how = { allErrors: true, strict: false, verbose: true, validateSchema: false, code: { optimize: false } };
  return (validator ??= new Ajv2020(how).compile(contractFormSchema()));
}

/** What a schema of the form cannot say of it. */
function requireIdForms({ id, service }: ContractForm): void {
  const webhook = within(within(service, 'webhook'), 'form');
  const forms = [['/id/form', id?.form] as const, ['/service/webhook/form', webhook] as const];
  for (const [place, form] of forms) {
    const problem = typeof form === 'string' ? idFormProblem(form) : undefined;
    if (problem === undefined) continue;
    throw new ContractError('contract/form', `${place} is ${JSON.stringify(form)}; valid is ${problem}. Correct it.`);
  }
}

/** An OpenAPI document is what most people have at hand. */
function refuseDocument({ contract, openapi, swagger }: Readonly<Record<string, unknown>>): void {
  const version = swagger ?? openapi;
  if (contract !== undefined || typeof version !== 'string' || !/^[23]\.\d/.test(version)) return;
  throw new ContractError(
    'contract/form',
    `It is an OpenAPI document (${version}) and no contract.yaml; valid is a file that begins with contract: 1. Draft one from the document: seaworthy contract init <document> -o contract.yaml`,
  );
}

/** An error says the more the deeper it lies; that none of several forms fits says most where they have a description. */
function depth({ keyword, instancePath, parentSchema }: ErrorObject): number {
  const depth = instancePath.split('/').length * 3;
  // A name that is misspelt is missing, too.
  if (keyword === 'additionalProperties') return depth + 1;
  if (keyword === 'anyOf') return parentSchema?.['description'] === undefined ? depth - 1 : depth + 1;
  return ['const', 'type'].includes(keyword) ? depth - 1 : depth;
}

/** What is wrong with a contract.yaml, in words: the place, what stands there, what is valid, and what to do. */
function formProblem(error: ErrorObject): string {
  const { keyword, instancePath, params, data, parentSchema } = error;
  const place = instancePath === '' ? 'it' : instancePath;
  if (keyword === 'additionalProperties')
    return unknownMember(place, String(params['additionalProperty']), parentSchema);
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    const member: unknown = parentSchema?.['properties']?.[name];
    return `${place} lacks ${name}.${purposeOf(member)} Add it${exampleOf(member, `, for example ${name}: `)}.`;
  }
  return `${place} is ${shownValue(data)}; valid is ${validOf(error)}.${purposeOf(parentSchema)} Correct it.`;
}

function unknownMember(place: string, name: string, schema: ErrorObject['parentSchema']): string {
  const known = Object.entries((schema?.['properties'] ?? {}) as Readonly<Record<string, unknown>>);
  const members = known.map(([member]) => member);
  const others = known.filter(([, member]) => otherNames(member).some((each) => isSameName(each, name)));
  const meant = didYouMean(others.length > 0 ? others.map(([member]) => member) : nearest(name, members));
  return `${place} has the member ${JSON.stringify(name)}, which is unknown${meant === undefined ? '.' : `: ${meant}`} Valid are ${members.join(', ')}. Correct its name or remove it.`;
}

/** What people call a member who know another program. */
function otherNames(member: unknown): readonly string[] {
  const also = isRecord(member) ? member['x-also'] : undefined;
  return Array.isArray(also) ? also.map(String) : [];
}

/** The same words, whether as `maxRetries`, `max_retries` or `max-retries`. */
function isSameName(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.replaceAll(/[_-]/g, '').toLowerCase());
  return a === b;
}

function purposeOf(schema: unknown): string {
  const description = isRecord(schema) ? schema['description'] : undefined;
  return typeof description === 'string' ? ` ${description.replace(/\.?$/, '.')}` : '';
}

/** Forms of ids that have a name. */
const named = ['uuid', 'integer'] as const;

/**
 * What is wrong with a form of ids, as a clause that says what is valid; nothing where it is `uuid`, `integer`, or a regular
 * expression that more than one text matches.
 */
function idFormProblem(form: string): string | undefined {
  const valid = `uuid, integer, or a regular expression for the whole id, such as evt_[a-z0-9]{20}`;
  if (named.some((name) => name === form)) return undefined;
  try {
    void new RegExp(`^(?:${form})$`, 'u');
  } catch (cause) {
    return `${valid} (${cause instanceof Error ? cause.message : ''})`;
  }
  if (/[[\\.({*+?|]/.test(form)) return undefined;
  const meant = didYouMean(nearest(form, named));
  return `${valid}: this one stands for itself alone, and every delivery would have the same id${meant === undefined ? '' : ` (${meant})`}`;
}
