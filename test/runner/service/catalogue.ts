import { openContract } from '../../../runner/options/openContract.ts';

const { events, service } = openContract();
const { found = '', unknown = '' } = service?.tracking ?? {};
const names = events.map(({ name }) => name).filter((name) => name !== found);

/** Events of the contract that the tests make happen. */
export const catalogue = { one: names[0]!, other: names[1]!, found, unknown } as const;
