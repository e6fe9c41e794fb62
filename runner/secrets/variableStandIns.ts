import { decoded } from '../http/openAddress.ts';
import { confidential } from './hiddenHeaders.ts';
import type { StandIn } from './standIns.ts';

/** Shorter values are no secrets, whatever the name of the variable. */
const shortest = 6;
/** So long a line of a value is looked for by itself: output is read line by line. */
const telling = 16;

/** Names of variables that say where a secret is, and not what it is. */
const place = /(?:FILE|PATH|DIR|DIRECTORY|NAME|ID)$/i;

/** Values that tell nothing of themselves: words, numbers and times, paths, addresses without a query or a password. */
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
