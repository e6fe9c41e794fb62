import { openAddress } from './openAddress.ts';
import { secretStandIns, tellingStandIns, type StandIn } from './withoutSecrets.ts';

/** The environment variable that stands for a password in an address that the user gave beside the target's. */
const passwordVariable = 'SEAWORTHY_PASSWORD';

/** The user, and the password where there is one. */
const credentials = /^\w+:\/\/([^/?#:]*)(?::([^/?#]*))?@/;

/**
 * What is shown in place of the passwords in these texts; the name of a user without a password is one.
 *
 * @param texts - addresses; of anything else nothing is known
 */
export function passwordStandIns(texts: readonly (string | undefined)[]): readonly StandIn[] {
  const found = texts.flatMap((text) => {
    if (text === undefined || openAddress(text).authorization === undefined) return [];
    const [, user = '', password = ''] = credentials.exec(text) ?? [];
    return [{ before: password === '' ? '' : `${user}:`, password: password === '' ? user : password }];
  });
  const known = secretStandIns([...new Set(found.map(({ password }) => password))], passwordVariable);
  return [
    ...found.flatMap(({ before, password }) => {
      const shown = known.find(({ secret }) => secret === password)?.shown;
      return shown === undefined ? [] : [{ secret: `//${before}${password}@`, shown: `//${before}${shown}@` }];
    }),
    ...tellingStandIns(known),
  ];
}
