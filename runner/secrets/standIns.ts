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
