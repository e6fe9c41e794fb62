import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Contract, ContractError, loadContract } from '../../spec/contract.ts';
import { shippedTexts, textsBeside } from '../../spec/contractFiles.ts';
import { isShippedContract, shippedContracts } from '../../spec/shippedContracts.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';
import { KitError, UsageError } from '../errors.ts';

/** Which contract a run is about: what `--contract` and `--openapi` say. */
export interface ContractSettings {
  /** A name of {@link shippedContracts}, or the path of a `contract.yaml` or of its folder. Default: `tracking` */
  readonly contract?: string | undefined;
  /** The document in place of the one that the contract names, or beside what it lists. */
  readonly openapi?: string | undefined;
}

/** Each is loaded once: it takes a tenth of a second, and what is generated from it is kept with it. */
const loaded = new Map<string, Contract>();

/**
 * The contract that was asked for.
 *
 * @throws UsageError where there is none of that name, or it cannot be read or used
 * @throws KitError where one that ships with the kit does not load
 */
export function openContract({ contract = 'tracking', openapi }: ContractSettings = {}): Contract {
  const key = JSON.stringify([contract, openapi]);
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const opened = open(contract, openapi);
  loaded.set(key, opened);
  return opened;
}

function open(contract: string, openapi: string | undefined): Contract {
  const isShipped = isShippedContract(contract);
  try {
    if (contract === 'tracking' && openapi === undefined) return loadContract();
    const directory = process.cwd();
    const given = openapi === undefined ? {} : { openapi };
    if (isShipped) return loadContract(shippedTexts(contract, { ...given, directory }), { name: contract });
    const file = fileOf(contract);
    return loadContract(textsBeside(pathToFileURL(file), { ...given, directory }), { name: file });
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    if (isShipped && openapi === undefined && cause.code !== 'contract/unreadable') throw broken(cause);
    throw new UsageError(
      'SW_CONTRACT_INVALID',
      {
        received: `the contract ${contract} cannot be used: ${cause.message}`,
        valid: isShipped
          ? 'an OpenAPI document that can be read and has the webhooks of the provider'
          : 'a contract in the form that docs/contract-form.md of the package describes',
        next: isShipped
          ? `${openapi === undefined ? 'install that package, or give the' : 'give another'} document with --openapi <file>`
          : `correct it, and check it with: seaworthy contract check ${contract}`,
      },
      { cause },
    );
  }
}

/** Whether a user gave an address where the path of a file belongs. */
export function isAddress(path: string): boolean {
  return /^[a-z]+:\/\//i.test(path);
}

/** What to do where an address was given. */
export const saveFirst = 'save what is there in a file, and give its path: nothing is fetched';

/** @throws UsageError where nothing is there */
function fileOf(path: string): string {
  const file = resolve(path);
  if (!existsSync(file)) throw missing(path);
  return statSync(file).isDirectory() ? join(file, 'contract.yaml') : file;
}

function missing(received: string): UsageError {
  const meant = didYouMean(nearest(received, shippedContracts));
  return new UsageError('SW_CONTRACT_INVALID', {
    received: `there is no contract "${received}"${meant === undefined ? '' : `: ${meant}`}`,
    valid: `${shippedContracts.join(', ')}, or the path of a contract.yaml`,
    next: isAddress(received)
      ? saveFirst
      : 'correct the name or the path; seaworthy contract init drafts a contract from an OpenAPI document',
  });
}

function broken(cause: ContractError): KitError {
  const next = 'install the package again; where that does not help, report it';
  return new KitError(
    'SW_CONTRACT_BROKEN',
    { received: `the contract does not load: ${cause.message}`, next },
    { cause },
  );
}
