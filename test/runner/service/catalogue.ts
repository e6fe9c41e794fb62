import { shippedContract } from '../../../runner/options/shippedContract.ts';

const { events, service } = shippedContract();
const names = events.map(({ name }) => name).filter((name) => name !== service?.tracking.found);

/** Events of the contract that the tests make happen. */
export const catalogue = { one: names[0]!, other: names[1]!, found: service?.tracking.found ?? '' } as const;
