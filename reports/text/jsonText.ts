import { hidden } from './visible.ts';

/** A value as JSON, indented by two spaces, and a line feed. Whatever shows nothing, or something else, is escaped. */
export function jsonText(value: unknown): string {
  return `${quiet(JSON.stringify(value, null, 2))}\n`;
}

/** The same on one line. */
export function jsonLine(value: unknown): string {
  return `${quiet(JSON.stringify(value))}\n`;
}

/** JSON with the same value: no line of it begins with a colon, and no log takes anything in it for a workflow command. */
function quiet(json: string): string {
  return json
    .replaceAll('##[', '#\\u0023[')
    .replace(hidden, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
