import { readFileSync } from 'node:fs';

import type { ErrorObject } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { ContractError } from './contractError.ts';
import { didYouMean, nearest } from './nearest.ts';
import { readYaml } from './readYaml.ts';
import type { Level } from './requirements.ts';

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
  readonly vocabulary?: 'shipping';
  readonly method?: string;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly event: At & { readonly value?: string; readonly catalogue?: string };
  readonly id?: At & { readonly form?: string; readonly signed?: boolean };
  readonly type?: At;
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
  const root = readYaml('contract.yaml', text);
  if (!trusted) requireForm(root);
  return root as unknown as ContractForm;
}

/** The JSON Schema of the form, for editors and for the documentation. */
export function contractFormSchema(): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL('./contract.schema.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

function requireForm(root: unknown): void {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  const validate = ajv.compile(contractFormSchema());
  if (validate(root)) return;
  const [first] = (validate.errors ?? []).toSorted((a, b) => telling(b) - telling(a));
  throw new ContractError('contract/form', first === undefined ? 'contract.yaml is not valid.' : described(first));
}

/** An error is the more telling the deeper it lies; that none of several forms fits says the least. */
function telling({ keyword, instancePath }: ErrorObject): number {
  const depth = instancePath.split('/').length * 2;
  return ['anyOf', 'const', 'type'].includes(keyword) ? depth - 1 : depth;
}

function described(error: ErrorObject): string {
  const { keyword, instancePath, params, data, parentSchema } = error;
  const place = instancePath === '' ? 'contract.yaml' : `${instancePath} of contract.yaml`;
  const members = Object.keys((parentSchema?.['properties'] ?? {}) as object);
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const meant = didYouMean(nearest(name, members));
    return `${place} has the member ${JSON.stringify(name)}, which is unknown${meant === undefined ? '' : `: ${meant}`}. Valid are ${members.join(', ')}. Correct its name or remove it.`;
  }
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    return `${place} lacks ${missing}${purposeOf(parentSchema, missing)}. Add it.`;
  }
  const valid = validOf(error);
  return `${place} is ${JSON.stringify(data)?.slice(0, 80) ?? 'missing'}; valid is ${valid}. Correct it.`;
}

function purposeOf(schema: ErrorObject['parentSchema'], member: string): string {
  const description: unknown = schema?.['properties']?.[member]?.['description'];
  return typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : '';
}

function validOf({ keyword, params, data, message, parentSchema }: ErrorObject): string {
  const description: unknown = parentSchema?.['description'];
  if (keyword === 'enum') {
    const allowed = params['allowedValues'] as readonly unknown[];
    const meant = typeof data === 'string' ? didYouMean(nearest(data, allowed.map(String))) : undefined;
    return `one of ${allowed.join(', ')}${meant === undefined ? '' : ` (${meant})`}`;
  }
  if (typeof description === 'string') return description.replace(/\.$/, '');
  return `what ${message ?? 'the form asks for'}`.replace('what must be', 'what is');
}
