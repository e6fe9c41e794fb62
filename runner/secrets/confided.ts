import type { Header } from '../../suites/delivery.ts';
import { openAddress, withAuthorization } from '../http/openAddress.ts';
import { headerOf, headerStandIns } from './hiddenHeaders.ts';
import { passwordStandIns } from './passwordStandIns.ts';
import { Secrets } from './secrets.ts';
import { secretStandIns, tellingStandIns, tokenVariable, type StandIn } from './standIns.ts';
import { variableStandIns } from './variableStandIns.ts';

/** What a command or a run was given in confidence, wherever it came from. */
export interface Confided {
  readonly secrets?: readonly string[] | undefined;
  readonly token?: string | undefined;
  /** Those of the address included. */
  readonly headers?: readonly Header[] | undefined;
  /** Addresses that may hold a user and a password, and any other text. */
  readonly addresses?: readonly (string | undefined)[] | undefined;
  /** The environment of the target. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What stands for all of it. What can be given again by an option of its own comes first. */
export function confidedStandIns({ secrets = [], token, headers = [], addresses = [], env = {} }: Confided) {
  return [
    ...secretStandIns(secrets),
    ...(token === undefined ? [] : [{ secret: token, shown: `$${tokenVariable}` }]),
    ...tellingStandIns(headerStandIns(headers)),
    ...passwordStandIns(addresses),
    ...variableStandIns(env),
  ];
}

/** The same for the texts of options, as they stand on a command line or in a config file. @param url - the target's */
export function typedStandIns(
  texts: Readonly<Record<string, readonly string[] | undefined>>,
  url: string | undefined,
): readonly StandIn[] {
  const last = (name: string): string | undefined => texts[name]?.at(-1);
  const target = url ?? last('url') ?? last('service') ?? '';
  const variables = (texts['env'] ?? []).map((text) => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)]);
  return confidedStandIns({
    secrets: texts['secret'],
    token: last('token'),
    headers: withAuthorization((texts['header'] ?? []).map(headerOf), openAddress(target)),
    addresses: [last('probe'), last('recover'), last('emit'), last('catcher'), target],
    env: Object.fromEntries(variables) as Record<string, string>,
  });
}

/** These as they are shown in a command. @param all - takes them, too */
export function typedSecrets(
  texts: Parameters<typeof typedStandIns>[0],
  url: string | undefined,
  all: Secrets,
): Secrets {
  const standIns = typedStandIns(texts, url);
  all.add(standIns);
  return new Secrets(standIns);
}

/** What the environment of the kit itself holds: the values of the variables that stand for what is secret. */
export function environmentStandIns(environment: Readonly<Record<string, string | undefined>>): readonly StandIn[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (name === 'SEAWORTHY_SECRET') return secretStandIns(value.split('\n').filter((line) => line !== ''));
    if (!/^SEAWORTHY_(?:SECRET_\d+|TOKEN|HEADER_\w+|PASSWORD(?:_\d+)?)$/.test(name)) return [];
    return [{ secret: value, shown: `$${name}` }];
  });
}
