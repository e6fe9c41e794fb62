import type { Header } from '../../suites/delivery.ts';
import { openAddress, withAuthorization, decoded } from '../http/openAddress.ts';
import { headerOf, headerStandIns, confidential, secretStandIns, tellingStandIns, tokenVariable } from './standIns.ts';
import type { StandIn } from './standIns.ts';
import { Secrets } from './secrets.ts';
import type { ProcessSpec } from '../process/targetProcess.ts';
import type { ServicePlan } from '../service/plan.ts';
import type { ReceiverPlan } from '../receiver/plan.ts';

/** All that a run of a receiver was given in confidence. */
export function secretsOf({ secrets, headers, probe, api, targetProcess, reset }: ReceiverPlan): Secrets {
  const addresses = [textOf(probe), textOf(api?.recover), commandOf(targetProcess), reset];
  return new Secrets(confidedStandIns({ secrets, headers, addresses, env: targetProcess?.env }));
}

/** All that a run of a service was given in confidence. */
export function secretsOfService({ named, token, emit, catcher, targetProcess, reset }: ServicePlan): Secrets {
  const addresses = [named, textOf(emit), catcher?.href, commandOf(targetProcess), reset];
  return new Secrets(confidedStandIns({ token, addresses, env: targetProcess?.env }));
}

function commandOf(spec: ProcessSpec | undefined): string | undefined {
  return spec?.kind === 'command' ? spec.command : undefined;
}

/** What a function does is not written anywhere. */
function textOf(given: string | ((...args: never) => unknown) | undefined): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

/** What a command or a run was given in confidence, wherever it came from. */
export interface Confided {
  readonly secrets?: readonly string[] | undefined;
  readonly token?: string | undefined;
  /** Those of the address included. */
  readonly headers?: readonly Header[] | undefined;
  /** Addresses that may hold a user and a password, commands that may hold such addresses, and any other text. */
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

/**
 * The same for the texts of options, as they stand on a command line or in a config file.
 *
 * @param url - the target's
 * @param others - that were typed beside them
 */
export function typedStandIns(
  texts: Readonly<Record<string, readonly string[] | undefined>>,
  url: string | undefined,
  others: readonly string[] = [],
): readonly StandIn[] {
  const last = (name: string): string | undefined => texts[name]?.at(-1);
  const target = url ?? last('url') ?? last('service') ?? '';
  const variables = (texts['env'] ?? []).map((text) => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)]);
  return confidedStandIns({
    secrets: texts['secret'],
    token: last('token'),
    headers: withAuthorization((texts['header'] ?? []).map(headerOf), openAddress(target)),
    addresses: [
      last('probe'),
      last('recover'),
      last('emit'),
      last('catcher'),
      target,
      // An address may stand where it does not belong, and is shown as what was received there.
      ...Object.values(texts).flatMap((each) => each ?? []),
      ...others,
    ],
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

/** Shorter values are no secrets, whatever the name of the variable. */
const shortest = 6;

/** So long a line of a value is looked for by itself: output is read line by line. */
const telling = 16;

/** Names of variables that say where a secret is, and not what it is. */
const place = /(?:FILE|PATH|DIR|DIRECTORY|NAME|ID)$/i;

/** Values that give nothing away: words, numbers and times, paths, addresses without a query or a password. */
const open = [
  /^[a-z]+(?:[-_.,: ](?:[a-z]+|\d{1,5}))*$/i,
  /^\d+(?:[.:_-]\d+)*[a-z]{0,2}(?:[,; ]\d+(?:[.:_-]\d+)*[a-z]{0,2})*$/i,
  /^(?:[a-z]:)?[.~]{0,2}[\\/][\w.@/\\ -]*$/i,
  /^[\w.-]+(?:\/[\w.-]+)+$/,
  /^[a-z][\w+.-]*:\/\/[^/?#@\s]*(?:\/[^?#\s]*)?$/i,
];

/**
 * What is shown in place of the values that the environment of a target has: `$NAME`. A value that is no secret stays, for
 * example `production`, `3000`, `/var/lib/db`, `http://localhost:4010/v2`; under a name such as `API_KEY` it is one.
 */
export function variableStandIns(env: Readonly<Record<string, string>>): readonly StandIn[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value.length < shortest || !isSecret(name, value)) return [];
    const shown = `$${name.replaceAll(/\W/g, '_')}`;
    const lines = value.split(/\r?\n/).filter((line) => line !== value && line.length >= telling);
    return [value, ...lines, ...passwordIn(value)].map((secret) => ({ secret, shown }));
  });
}

function isSecret(name: string, value: string): boolean {
  if ((confidential.test(name) || /pass|pwd|private/i.test(name)) && !place.test(name)) return true;
  return !open.some((pattern) => pattern.test(value));
}

/** The password in an address of any scheme: `postgres://me:s3cret@localhost/db`. */
function passwordIn(value: string): readonly string[] {
  const password = URL.parse(value)?.password ?? '';
  const forms = [password, decoded(password)];
  return [...new Set(forms)].filter((form) => form.length >= shortest);
}

/** The environment variable that stands for a password in an address that the user gave beside the target's. */
const passwordVariable = 'SEAWORTHY_PASSWORD';

/** The addresses with a password in a text, such as a command; the text itself where it is an address with a user. */
function addressesIn(text: string): readonly string[] {
  if (openAddress(text).authorization !== undefined) return [text];
  return text.match(/\b[a-z][\w+.-]*:\/\/[^\s/?#'"`:@]*:[^\s/?#'"`@]+@[^\s'"`]*/gi) ?? [];
}

/** The user, and the password where there is one. */
const credentials = /^[\w+.-]+:\/\/([^/?#:]*)(?::([^/?#]*))?@/;

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
 * @param texts - addresses, and texts that hold some with a password, such as commands
 */
export function passwordStandIns(texts: readonly (string | undefined)[]): readonly StandIn[] {
  const addresses = [...new Set(texts)].flatMap((text) => (text === undefined ? [] : addressesIn(text)));
  const found = addresses.flatMap((text) => [text, URL.parse(text)?.href ?? text].map(credentialsOf));
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
