import { openContract } from '../../../runner/options/openContract.ts';

const { events, service } = openContract();
const names = events.map(({ name }) => name).filter((name) => name !== service?.tracking?.found);

/** Events of the contract that the tests make happen. */
export const catalogue = { one: names[0]!, other: names[1]!, found: service?.tracking?.found ?? '' } as const;
