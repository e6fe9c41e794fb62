import { headerOf, headerValues, valueOfHeader } from '../secrets/hiddenHeaders.ts';
import { openAddress } from '../http/openAddress.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { CommandLine } from '../options/settings.ts';
import { shellWord } from '../../reports/curl/shell.ts';

/** A variable that stands in the options of a saved case for what no file holds; `#* ` leaves out the first word. */
const variable =
  /\$\{(SEAWORTHY_HEADER_\w+)#\* \}|\$(SEAWORTHY_(?:HEADER_\w+|PASSWORD(?:_\d+)?))|\$\{(SEAWORTHY_(?:HEADER_\w+|PASSWORD(?:_\d+)?))\}/g;

/**
 * A text of a saved case with the values of its variables. Those that nobody gave stay as they are.
 *
 * @param given - what was given anew: headers, or an address with a user and a password, are values too
 */
export function filledText(
  text: string,
  given: CommandLine,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { authorization } = openAddress(given['url']?.at(-1) ?? '');
  const headers = [...(authorization ? [authorization] : []), ...(given['header'] ?? []).map(headerOf)];
  const values = { ...environment, ...headerValues(headers) };
  return text.replaceAll(variable, (word: string, shortened?: string, whole?: string, braced?: string) => {
    const value = valueOfHeader(whole ?? braced ?? shortened ?? '', values);
    if (value === undefined || value === '') return word;
    return shortened === undefined ? value : value.replace(/^\S* /, '');
  });
}

/** What has to be given before these options count, in words; nothing where they are whole. */
export function missingValue(options: CommandLine): string | undefined {
  for (const [name, texts = []] of Object.entries(options)) {
    const [found] = texts.flatMap((text) => Array.from(text.matchAll(variable)));
    const missing = found && nameOf(found);
    if (missing === undefined) continue;
    const headers = (options['header'] ?? []).map((text) => `--header ${shellWord(`${headerOf(text)[0]}: ...`)}`);
    const way = missing.startsWith('SEAWORTHY_HEADER_') ? headers.join(' ') : `--${name}`;
    return `the options in the file hold $${missing}: give ${way} (or ${missing} in the environment)`;
  }
  return undefined;
}

/** The variables that stand in a saved case for what no file holds, beside secrets and keys. */
export function hiddenVariables({ options }: Pick<SavedCase, 'options'>): readonly string[] {
  const found = Object.values(options).flatMap((texts) => texts.flatMap((text) => Array.from(text.matchAll(variable))));
  return [...new Set(found.map(nameOf))];
}

function nameOf([, shortened, whole, braced]: RegExpExecArray): string {
  return whole ?? braced ?? shortened ?? '';
}
