import { readFileSync } from 'node:fs';

import type { ContractTexts } from './contract.ts';
import { parseContractForm } from './contractForm.ts';

/** The contracts that ship with the kit, the default first. */
export const shippedContracts = ['tracking', 'github', 'stripe', 'standard-webhooks', 'shopify', 'slack'] as const;

export type ShippedContract = (typeof shippedContracts)[number];

/** The texts of a contract that ships with the kit. Read afresh at each call. */
export function shippedTexts(name?: 'tracking'): Required<ContractTexts>;
export function shippedTexts(name: ShippedContract): ContractTexts;
export function shippedTexts(name: ShippedContract = 'tracking'): ContractTexts {
  return textsBeside(new URL(`./contracts/${name}/contract.yaml`, import.meta.url), { trusted: true });
}

/**
 * The texts of a contract: `contract.yaml`, and the files that it names beside it.
 *
 * @param file - of `contract.yaml`
 * @param options.trusted - it ships with the kit. Default: false
 * @throws ContractError where `contract.yaml` is not what it should be; Error where a file cannot be read
 */
export function textsBeside(file: URL, { trusted = false } = {}): ContractTexts {
  const contract = readFileSync(file, 'utf8');
  const { openapi, requirements, assumptions } = parseContractForm(contract, { trusted });
  const beside = (name: string): string => readFileSync(new URL(name, file), 'utf8');
  return {
    contract,
    ...(openapi !== undefined && { openapi: beside(openapi) }),
    ...(typeof requirements === 'string' && { requirements: beside(requirements) }),
    ...(assumptions !== undefined && { assumptions: beside(assumptions) }),
  };
}
