import { isIP } from 'node:net';

import { commaListKind, type OptionKind } from './optionKinds.ts';
import { BadValue } from './optionKinds.ts';

const texts = commaListKind('<address,...>', 'IP addresses with commas between them, such as 127.0.0.1,127.0.0.3');

/** IP addresses with commas between them, and repeatable. */
export const addressesKind: OptionKind<readonly string[]> = {
  ...texts,
  read: (given) => {
    const addresses = texts.read(given);
    const wrong = addresses.find((address) => isIP(address) === 0);
    if (wrong !== undefined) throw new BadValue(wrong, texts.valid);
    return [...new Set(addresses)];
  },
};
