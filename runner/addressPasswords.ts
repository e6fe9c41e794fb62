import { openAddress } from './openAddress.ts';
import type { StandIn } from './withoutSecrets.ts';
import { secretStandIns } from './withoutSecrets.ts';

/** The environment variable that stands for a password in an address that the user gave beside the target's. */
export const passwordVariable = 'SEAWORTHY_PASSWORD';

/**
 * What is shown in place of the passwords in these texts; the name of a user without a password is one.
 *
 * @param texts - addresses; of anything else nothing is known
 */
export function passwordStandIns(texts: readonly (string | undefined)[]): readonly StandIn[] {
  const passwords = texts.flatMap((text) => {
    if (text === undefined || openAddress(text).authorization === undefined) return [];
    const [, user = '', password] = /^\w+:\/\/([^/?#:]*)(?::([^/?#]*))?@/.exec(text) ?? [];
    return [password || user];
  });
  return secretStandIns([...new Set(passwords)].filter((text) => text !== ''), passwordVariable);
}
