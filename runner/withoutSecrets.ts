/** Secrets shorter than this are looked for as whole words only: they may be parts of others. */
const shortest = 6;

/** The environment variable that a secret is given by, which stands for it wherever it would be shown. */
export const secretVariable = 'SEAWORTHY_SECRET';

/** Something secret, and what is shown in its place. */
export interface StandIn {
  readonly secret: string;
  readonly shown: string;
}

/** Members of events that hold names of the kit, never texts of the user or the target. */
export const kitNames: ReadonlySet<string> = new Set('type check requirements operationId outcome key gap'.split(' '));

/** These, and members that name a place or are used again as they stand; in `curl`, variables stand already. */
export const keptMembers: ReadonlySet<string> = new Set([
  ...kitNames,
  ...'url file subject step kind id curl'.split(' '),
]);

/**
 * The same value with a variable in place of each secret, in every text of it: `$SEAWORTHY_SECRET`, then
 * `$SEAWORTHY_SECRET_2`. For what may hold a secret because it came from the user or the target: commands, output.
 *
 * @param variable - the one that stands for the first secret
 */
export function withoutSecrets<T>(value: T, secrets: readonly string[], variable = secretVariable): T {
  return withStandIns(value, secretStandIns(secrets, variable));
}

/** What {@link withoutSecrets} shows in place of these secrets. */
export function secretStandIns(secrets: readonly string[], variable = secretVariable): readonly StandIn[] {
  return secrets.map((secret, index) => ({ secret, shown: variableOf(variable, index) }));
}

/**
 * The same value with what is shown in place of each secret, in every text of it. The longest are looked for first: another
 * one may be a part of them.
 *
 * @param except - members of objects that are left as they are
 */
export function withStandIns<T>(value: T, standIns: readonly StandIn[], except: ReadonlySet<string> = new Set()): T {
  const ordered = standIns.toSorted((a, b) => b.secret.length - a.secret.length);
  return ordered.length === 0 ? value : (hidden(value, ordered, except) as T);
}

/** Those of them that are long enough to be no part of anything else. */
export function tellingStandIns(standIns: readonly StandIn[]): readonly StandIn[] {
  return standIns.filter(({ secret }) => secret.length >= shortest);
}

/** The text as it was before {@link withoutSecrets}, where the secrets are the same. */
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

function hidden(value: unknown, standIns: readonly StandIn[], except: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return standIns.reduce(hiddenIn, value);
  if (Array.isArray(value)) return value.map((item) => hidden(item, standIns, except));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    return [name, except.has(name) ? (member as unknown) : hidden(member, standIns, except)] as const;
  });
  return Object.fromEntries(entries);
}

function hiddenIn(text: string, { secret, shown }: StandIn): string {
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = secret.length < shortest ? `(?<![\\w-])${literal}(?![\\w-])` : literal;
  return text.replaceAll(new RegExp(pattern, 'g'), (found: string, at: number) => {
    const next = text.slice(at + found.length, at + found.length + 1);
    return /\w/.test(next) ? inBraces(shown) : shown;
  });
}

/** With its name in braces, where it is a variable: what follows would be taken for more of the name. */
function inBraces(shown: string): string {
  return shown.replace(/\$(\w+)$/, '${$1}');
}

function variableOf(variable: string, index: number): string {
  return `$${variable}${index === 0 ? '' : `_${index + 1}`}`;
}
