import { readFileSync } from 'node:fs';

import { parseContractForm } from './contractForm.ts';
import { shippedContracts, type ShippedContract } from './shippedContracts.ts';

/** The headers that hold a digest of the signature, under each contract that ships with the kit. Needs no other document. */
export function shippedSignatures(): readonly (readonly [name: ShippedContract, headers: readonly string[]])[] {
  return shippedContracts.map((name) => {
    const file = new URL(`./contracts/${name}/contract.yaml`, import.meta.url);
    const { signature } = parseContractForm(readFileSync(file, 'utf8'), { trusted: true });
    const headers = Object.entries(signature?.headers ?? {});
    return [name, headers.flatMap(([header, template]) => (template.includes('{digest}') ? [header] : []))] as const;
  });
}
