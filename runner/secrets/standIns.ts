import type { Header } from '../../suites/delivery.ts';

/** The environment variable that a secret is given by, which stands for it wherever it would be shown. */
export const secretVariable = 'SEAWORTHY_SECRET';

/** The environment variable that stands for the API key of a service. */
export const tokenVariable = 'SEAWORTHY_TOKEN';

/** Something secret, and what is shown in its place. */
export interface StandIn {
  readonly secret: string;
  readonly shown: string;
}

/** A variable in place of each of these secrets: `$SEAWORTHY_SECRET`, then `$SEAWORTHY_SECRET_2`. */
export function secretStandIns(secrets: readonly string[], variable = secretVariable): readonly StandIn[] {
  return secrets.map((secret, index) => ({ secret, shown: variableOf(variable, index) }));
}

/** Secrets shorter than this may be parts of anything. */
const shortest = 6;

/** Those of them that are long enough to be no part of anything else. */
export function tellingStandIns(standIns: readonly StandIn[]): readonly StandIn[] {
  return standIns.filter(({ secret }) => secret.length >= shortest);
}

/** A text with the secrets in place of the variables that stand for them. */
export function withSecrets(text: string, secrets: readonly string[], variable = secretVariable): string {
  return secrets.reduceRight(
    (filled, secret, index) =>
      [inBraces, String].reduce(
        (rest, form) => rest.replaceAll(form(variableOf(variable, index)), () => secret),
        filled,
      ),
    text,
  );
}

/** With its name in braces, where it is a variable: what follows would be taken for more of the name. */
export function inBraces(shown: string): string {
  return shown.replace(/\$(\w+)$/, '${$1}');
}

function variableOf(variable: string, index: number): string {
  return `$${variable}${index === 0 ? '' : `_${index + 1}`}`;
}

/** Headers that say what is sent and by whom: nobody keeps a secret in them. */
const open = /^(?:accept(?:-\w+)?|content-\w+|user-agent)$/i;

/** Names of headers that are made for credentials, and values that begin with a scheme of authentication. */
export const confidential = /auth|key|token|secret|cookie|signature|password|credential|session/i;
const scheme = /^(?:basic|bearer|digest|token|api-?key) \S/i;

const prefix = 'SEAWORTHY_HEADER_';
/** Ends the name of the variable for the password alone, where a header holds one. */
const passwordSuffix = '_PASSWORD';

/**
 * The environment variable of each of these headers, which stands for its value wherever it would be shown; nothing where
 * the value is no secret.
 *
 * @example headerVariables(['X-Api-Key']) // ['SEAWORTHY_HEADER_X_API_KEY']
 */
function headerVariables(names: readonly string[]): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return names.map((name) => {
    if (open.test(name)) return undefined;
    const plain = `${prefix}${name.toUpperCase().replaceAll(/\W/g, '_')}`;
    let variable = plain;
    for (let number = 2; taken.has(variable); number++) variable = `${plain}_${number}`;
    taken.add(variable);
    return variable;
  });
}

/** The headers with variables in place of their values. */
export function hiddenHeaders(headers: readonly Header[]): readonly Header[] {
  const variables = headerVariables(headers.map(([name]) => name));
  return headers.map((header, at) => (variables[at] === undefined ? header : [header[0], `$${variables[at]}`]));
}

/** The same for headers as the option takes them: `X-Api-Key: $SEAWORTHY_HEADER_X_API_KEY`. */
export function hiddenHeaderTexts(texts: readonly string[]): readonly string[] {
  return hiddenHeaders(texts.map(headerOf)).map((header) => header.join(': '));
}

/** The values of the variables that stand for these headers, and for the passwords in them. */
export function headerValues(headers: readonly Header[]): Readonly<Record<string, string>> {
  const variables = headerVariables(headers.map(([name]) => name));
  const entries = headers.flatMap(([, value], at) => {
    const variable = variables[at];
    if (variable === undefined) return [];
    const password = basicPassword(value);
    return [[variable, value], ...(password === undefined ? [] : [[`${variable}${passwordSuffix}`, password]])];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The value of a variable of {@link headerValues}, where only that of its header is known. */
export function valueOfHeader(name: string, values: Readonly<Record<string, string | undefined>>): string | undefined {
  if (values[name] !== undefined || !name.endsWith(passwordSuffix)) return values[name];
  return basicPassword(values[name.slice(0, -passwordSuffix.length)] ?? '');
}

/**
 * What is shown in any other text in place of the values of headers that look like credentials; any other value may be a
 * part of an address, of a path or of the contract's own words, and is hidden in its header alone. Of `Bearer <token>` the
 * token is looked for, too, and of `Basic <credentials>` the password in them.
 */
export function headerStandIns(headers: readonly Header[]): readonly StandIn[] {
  const variables = headerVariables(headers.map(([name]) => name));
  return headers.flatMap(([name, value], at) => {
    const variable = variables[at];
    return variable === undefined || !isCredential(name, value) ? [] : standInsOf(variable, value);
  });
}

function standInsOf(variable: string, value: string): readonly StandIn[] {
  const [, credentials] = /^[\w-]+ (\S{6,})$/.exec(value) ?? [];
  const password = basicPassword(value);
  return [
    { secret: value, shown: `$${variable}` },
    ...(credentials === undefined ? [] : [{ secret: credentials, shown: `\${${variable}#* }` }]),
    ...(password === undefined ? [] : [{ secret: password, shown: `$${variable}${passwordSuffix}` }]),
  ];
}

function isCredential(name: string, value: string): boolean {
  if (value === '') return false;
  return confidential.test(name) || scheme.test(value) || looksDrawn(value);
}

/** Whether a long part of it has letters and digits mixed, as keys and tokens have. */
function looksDrawn(value: string): boolean {
  const parts = value.match(/[\w+/=-]{20,}/g) ?? [];
  return parts.some((part) => (part.match(/\d(?=[a-z])|[a-z](?=\d)/gi) ?? []).length >= 3);
}

/** A header as the option takes it, where it is one. */
export function headerOf(text: string): Header {
  const [name = '', ...rest] = text.split(':');
  return [name, rest.join(':').trim()];
}

/**
 * The password that the value of an `Authorization` header holds; where it holds a user alone, the name is as good as one.
 *
 * @returns nothing for any other scheme than Basic
 * @see RFC 7617, the Basic authentication scheme
 * @example basicPassword('Basic bWU6czNjcmV0') // 's3cret'
 */
function basicPassword(value: string): string | undefined {
  const [, encoded] = /^basic +([\w+/-]+={0,2})$/i.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return password.join(':') || user || undefined;
}
