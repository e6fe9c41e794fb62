import { numberFormats, numberRanges, stringFormats } from './keywords.ts';
import { isPattern, readPattern } from './pattern.ts';
import type { ForeignReading, Members } from './reading.ts';
import { isRecord } from '../jsonSchema.ts';
import { below } from '../pointer.ts';

/** Takes a `format` that is a regular expression for a pattern, and leaves out one that is not known. */
export function readFormat(members: Members, pointer: string, { say }: ForeignReading): Members {
  const { format, ...rest } = members;
  if (typeof format !== 'string' || isKnown(format, members['type'])) return members;
  const place = below(pointer, 'format');
  if (isPattern(format)) {
    say(
      place,
      'format',
      'translated',
      `The format "${format}" is a regular expression. It is taken as the pattern.`,
      format,
    );
    return { pattern: format, ...rest };
  }
  const range = speaksOfText(members['type']) ? undefined : rangeOf(format);
  if (range !== undefined) return withRange(rest, range, format, place, say);
  const taken = speaksOfText(members['type']) ? 'Any text' : 'Any number';
  say(
    place,
    'format',
    'loosened',
    `The format "${format}" is not known here. ${taken} is taken for it.`,
    `format ${format}`,
  );
  return rest;
}

function rangeOf(format: string): readonly [number, number] | undefined {
  return Object.hasOwn(numberRanges, format) ? numberRanges[format] : undefined;
}

/** Bounds of its own are narrower, or meant to be. */
function withRange(
  members: Members,
  [minimum, maximum]: readonly [number, number],
  format: string,
  place: string,
  say: ForeignReading['say'],
): Members {
  const message = `The format "${format}" is taken for a number from ${minimum} to ${maximum}, where no bounds stand beside it.`;
  say(place, 'format', 'translated', message, `format ${format}`);
  const isBounded = Object.keys(members).some((keyword) => /^(exclusive)?(minimum|maximum)$/i.test(keyword));
  return isBounded ? members : { minimum, maximum, ...members };
}

function isKnown(format: string, type: unknown): boolean {
  return stringFormats.has(format) || (numberFormats.has(format) && !speaksOfText(type));
}

function speaksOfText(type: unknown): boolean {
  return type === undefined || [type].flat().includes('string');
}

/** Takes patterns as they were meant, and leaves out those that are no regular expressions. */
export function readStringKeywords(members: Members, pointer: string, reading: ForeignReading): Members {
  const { pattern, patternProperties, ...rest } = members;
  const isTold = members['format'] !== undefined;
  const own = typeof pattern === 'string' ? taken(pattern, below(pointer, 'pattern'), isTold, reading) : undefined;
  return {
    ...rest,
    ...(own !== undefined && { pattern: own }),
    ...(isRecord(patternProperties) && { patternProperties: takenNames(patternProperties, pointer, reading) }),
  };
}

function takenNames(named: Members, pointer: string, reading: ForeignReading): Members {
  const entries = Object.entries(named).flatMap(([name, schema]) => {
    const pattern = taken(name, below(pointer, 'patternProperties', name), false, reading);
    return pattern === undefined ? [] : [[pattern, schema] as const];
  });
  return Object.fromEntries(entries);
}

/** @param isTold - a format beside it says what the text looks like, so that a mask is not needed */
function taken(text: string, pointer: string, isTold: boolean, { say }: ForeignReading): string | undefined {
  const { pattern, problem } = readPattern(text);
  if (problem === undefined) return pattern;
  const used = isTold && problem.includes('mask') ? undefined : pattern;
  const done = used === undefined ? 'It was left out.' : `It is taken for "${used}".`;
  say(pointer, 'pattern', used === undefined ? 'loosened' : 'translated', `The pattern "${text}" ${problem}. ${done}`);
  return used;
}
