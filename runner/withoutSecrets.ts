/** Secrets shorter than this are looked for as whole words only: they may be parts of others. */
const shortest = 6;

/** The environment variable that a secret is given by, which stands for it wherever it would be shown. */
export const secretVariable = 'SEAWORTHY_SECRET';

/**
 * The same value with a variable in place of each secret, in every text of it: `$SEAWORTHY_SECRET`, then
 * `$SEAWORTHY_SECRET_2`. For what may hold a secret because it came from the user or the target: commands, output.
 *
 * @param variable - the one that stands for the first secret
 */
export function withoutSecrets<T>(value: T, secrets: readonly string[], variable = secretVariable): T {
  return secrets.length === 0 ? value : (hidden(value, secrets, variable) as T);
}

/** The text as it was before {@link withoutSecrets}, where the secrets are the same. */
export function withSecrets(text: string, secrets: readonly string[], variable = secretVariable): string {
  return secrets.reduceRight(
    (filled, secret, index) => filled.replaceAll(variableOf(variable, index), () => secret),
    text,
  );
}

function hidden(value: unknown, secrets: readonly string[], variable: string): unknown {
  if (typeof value === 'string')
    return secrets.reduce((text, secret, index) => hiddenIn(text, secret, variableOf(variable, index)), value);
  if (Array.isArray(value)) return value.map((item) => hidden(item, secrets, variable));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(member, secrets, variable)]));
}

function hiddenIn(text: string, secret: string, variable: string): string {
  const shown = secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = secret.length < shortest ? `(?<![\\w-])${shown}(?![\\w-])` : shown;
  return text.replaceAll(new RegExp(pattern, 'g'), () => variable);
}

function variableOf(variable: string, index: number): string {
  return `$${variable}${index === 0 ? '' : `_${index + 1}`}`;
}
