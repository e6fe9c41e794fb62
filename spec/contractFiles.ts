import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ContractError } from './contractError.ts';
import { parseContractForm } from './contractForm.ts';
import { readTextFile, UnreadableFile } from './readTextFile.ts';
import { type ShippedContract, shippedContracts } from './shippedContracts.ts';

/** The texts of a contract: `contract.yaml`, and what it names. All are YAML, of which JSON is a part. */
export interface ContractTexts {
  readonly contract: string;
  /** Nothing where `contract.yaml` gives an envelope and events of its own. */
  readonly openapi?: string;
  /** All requirements and gaps. Default: the general requirements, as `contract.yaml` changes them. */
  readonly requirements?: string;
  /** All assumptions. Default: the general ones. */
  readonly assumptions?: string;
}

/** From where files are read that do not lie beside `contract.yaml`. */
export interface ContractPlace {
  /** The OpenAPI document in place of the one that `contract.yaml` names: a path, or `npm:<package>/<path>`. */
  readonly openapi?: string;
  /** Where packages are looked for, and relative paths begin. Default: the folder of `contract.yaml` */
  readonly directory?: string;
}

/**
 * The texts of a contract that ships with the kit. Read afresh at each call.
 *
 * @throws ContractError (`contract/unreadable`) where a document of somebody else is not there
 */
export function shippedTexts(name?: 'tracking'): Required<ContractTexts>;
export function shippedTexts(name: ShippedContract, place?: ContractPlace): ContractTexts;
export function shippedTexts(name: ShippedContract = 'tracking', place: ContractPlace = {}): ContractTexts {
  return textsBeside(new URL(`./contracts/${name}/contract.yaml`, import.meta.url), { ...place, trusted: true });
}

/**
 * The texts of a contract: `contract.yaml`, and the files that it names.
 *
 * @param file - of `contract.yaml`
 * @param options.trusted - it ships with the kit. Default: false
 * @throws ContractError where `contract.yaml` is not what it should be, or a file cannot be read
 */
export function textsBeside(
  file: URL,
  { trusted = false, openapi: given, directory }: ContractPlace & { readonly trusted?: boolean } = {},
): ContractTexts {
  const folder = dirname(fileURLToPath(file));
  const contract = readText(fileURLToPath(file));
  const { openapi, requirements, assumptions } = parseContractForm(contract, { trusted });
  const beside = (name: string): string => readText(resolve(folder, name));
  const document = documentText({ given, named: openapi, folder, directory: directory ?? folder });
  return {
    contract,
    ...(document !== undefined && { openapi: document }),
    ...(typeof requirements === 'string' && { requirements: beside(requirements) }),
    ...(assumptions !== undefined && { assumptions: beside(assumptions) }),
  };
}

interface Document {
  readonly given: string | undefined;
  readonly named: string | undefined;
  readonly folder: string;
  readonly directory: string;
}

function documentText({ given, named, folder, directory }: Document): string | undefined {
  const [path, from] = given === undefined ? [named, folder] : [given, directory];
  if (path === undefined) return undefined;
  if (/^https?:/i.test(path)) throw notHere(path);
  return readText(path.startsWith('npm:') ? inPackage(path.slice('npm:'.length), directory) : resolve(from, path));
}

/** Where a file of an installed package lies: in the nearest `node_modules` from the folder up. */
function inPackage(path: string, directory: string): string {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', path);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw notInstalled(path, directory);
  }
}

function notInstalled(path: string, directory: string): ContractError {
  const [, name = path] = /^((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return new ContractError(
    'contract/unreadable',
    `The contract takes its document from the package ${name}, which is not installed in ${directory} or above. Install it (npm install --save-dev ${name}), or give the document with --openapi <file>.`,
  );
}

function notHere(address: string): ContractError {
  return new ContractError(
    'contract/unreadable',
    `The OpenAPI document is ${address}; valid is the path of a file, or npm:<package>/<path>: nothing is fetched. Save the document beside the contract, and name the file.`,
  );
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (cause) {
    throw new ContractError(
      'contract/unreadable',
      `${file} cannot be read (${reasonOf(cause)}). Correct the path, or make the file readable.`,
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof UnreadableFile) return cause.message;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
}

/** The headers that hold a digest of the signature, under each contract that ships with the kit. Needs no other document. */
export function shippedSignatures(): readonly (readonly [name: ShippedContract, headers: readonly string[]])[] {
  return shippedContracts.map((name) => {
    const file = new URL(`./contracts/${name}/contract.yaml`, import.meta.url);
    const { signature } = parseContractForm(readFileSync(file, 'utf8'), { trusted: true });
    const headers = Object.entries(signature?.headers ?? {});
    return [name, headers.flatMap(([header, template]) => (template.includes('{digest}') ? [header] : []))] as const;
  });
}
