/** The contracts that ship with the kit, the default first. */
export const shippedContracts = ['tracking', 'github', 'stripe', 'standard-webhooks', 'shopify', 'slack'] as const;

export type ShippedContract = (typeof shippedContracts)[number];

/** True for the name of a contract that ships with the kit. */
export function isShippedContract(name: string): name is ShippedContract {
  return (shippedContracts as readonly string[]).includes(name);
}
