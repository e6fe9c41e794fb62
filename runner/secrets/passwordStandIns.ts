import { decoded, openAddress } from '../http/openAddress.ts';
import { secretStandIns, tellingStandIns, type StandIn } from './standIns.ts';

/** The environment variable that stands for a password in an address that the user gave beside the target's. */
const passwordVariable = 'SEAWORTHY_PASSWORD';

/** The user, and the password where there is one. */
const credentials = /^\w+:\/\/([^/?#:]*)(?::([^/?#]*))?@/;

/** The user and the password of an address, as they stand there. */
interface Credentials {
  /** What stands before the password: the user, if there is one beside it. */
  readonly before: string;
  readonly password: string;
}

/**
 * What is shown in place of the passwords in these texts; the name of a user without a password is one. A password is
 * known percent-encoded, too.
 *
 * @param texts - addresses; of anything else nothing is known
 */
export function passwordStandIns(texts: readonly (string | undefined)[]): readonly StandIn[] {
  const found = texts.flatMap((text) =>
    text === undefined || openAddress(text).authorization === undefined
      ? []
      : [text, URL.parse(text)?.href ?? text].map(credentialsOf),
  );
  const plain = [...new Set(found.map(({ password }) => decoded(password)))];
  const variables = new Map(secretStandIns(plain, passwordVariable).map(({ secret, shown }) => [secret, shown]));
  return found.flatMap(({ before, password }) => {
    const shown = variables.get(decoded(password)) ?? '';
    return [
      { secret: `//${before}${password}@`, shown: `//${before}${shown}@` },
      ...tellingStandIns([...new Set([password, decoded(password)])].map((secret) => ({ secret, shown }))),
    ];
  });
}

function credentialsOf(text: string): Credentials {
  const [, user = '', password = ''] = credentials.exec(text) ?? [];
  return { before: password === '' ? '' : `${user}:`, password: password === '' ? user : password };
}
