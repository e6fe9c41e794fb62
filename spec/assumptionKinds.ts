import { parseDuration } from './duration.ts';
import { contractScheme, parseScheme, schemeSyntax } from './signatureScheme.ts';
import { parseSize } from './size.ts';

/** A kind of value that an assumption may be set to. */
export type AssumptionKind =
  | 'text'
  | 'one-of'
  | 'list'
  | 'name'
  | 'pointer'
  | 'parameters'
  | 'integer'
  | 'duration'
  | 'durations'
  | 'size'
  | 'header-name'
  | 'media-type'
  | 'scheme'
  | 'operation'
  | 'statuses';

interface Kind {
  /** What is valid, in plain words. */
  readonly accepts: string;
  readonly isValid: (value: string) => boolean;
}

/** The kinds but `one-of`, whose valid values stand with the assumption. */
const kinds: Readonly<Record<Exclude<AssumptionKind, 'one-of'>, Kind>> = {
  text: { accepts: 'any text that is not empty', isValid: (value) => value.trim() !== '' },
  list: { accepts: 'words separated by commas', isValid: (value) => /^[\w.:/-]+(,[\w.:/-]+)*$/.test(value) },
  name: { accepts: 'the name of a JSON member', isValid: (value) => /^[\w.-]+$/.test(value) },
  pointer: {
    accepts: 'a JSON Pointer (/data, /links/next), empty for the whole answer',
    isValid: (value) => /^(\/([^~/\s]|~[01])+)*$/.test(value),
  },
  parameters: {
    accepts: 'two query parameters separated by a comma, the page and its size (page,per_page)',
    isValid: (value) => /^[\w.[\]-]+,[\w.[\]-]+$/.test(value),
  },
  integer: { accepts: 'a whole number from 0 on', isValid: (value) => /^(0|[1-9]\d{0,8})$/.test(value) },
  duration: { accepts: 'a duration (250ms, 10s, 2m, 1h)', isValid: reads(parseDuration) },
  durations: {
    accepts: 'any, or durations separated by commas (1s,5s,30s)',
    isValid: (value) => value === 'any' || value.split(',').every(reads(parseDuration)),
  },
  size: { accepts: 'a size (64KiB, 1MiB, or a number of bytes)', isValid: reads(parseSize) },
  'header-name': {
    accepts: "the name of an HTTP header (RFC 9110: letters, digits and !#$%&'*+-.^_`|~)",
    isValid: (value) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(value),
  },
  'media-type': {
    accepts: 'a media type (application/json, with parameters where needed)',
    isValid: (value) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/.test(value),
  },
  scheme: {
    accepts: `${schemeSyntax}; or ${contractScheme}, for what the contract itself says`,
    isValid: (value) => value === contractScheme || reads(parseScheme)(value),
  },
  operation: {
    accepts: 'a method and a path below the base address, without empty or dotted segments (PATCH /webhooks/{id})',
    isValid: (value) => /^(GET|POST|PUT|PATCH|DELETE) (\/|(\/(?!\.{1,2}(\/|$))[\w\-.~{}]+)+\/?)$/.test(value),
  },
  statuses: {
    accepts: 'statuses or classes separated by commas (201 or 2xx or 401,403)',
    isValid: (value) => /^[1-5](\d\d|xx)(,[1-5](\d\d|xx))*$/.test(value),
  },
};

/** True for the name of a kind. */
export function isAssumptionKind(name: unknown): name is AssumptionKind {
  return typeof name === 'string' && (name === 'one-of' || Object.hasOwn(kinds, name));
}

/** What a value of this kind may be, in plain words. `values` are those of `one-of`. */
export function accepts(kind: AssumptionKind, values: readonly string[]): string {
  return kind === 'one-of' ? `one of: ${values.join(', ')}` : kinds[kind].accepts;
}

/** Whether a text is a value of this kind. `values` are those of `one-of`. */
export function isValidAssumption(kind: AssumptionKind, values: readonly string[], value: string): boolean {
  return kind === 'one-of' ? values.includes(value) : kinds[kind].isValid(value);
}

function reads(parse: (text: string) => unknown): (value: string) => boolean {
  return (value) => {
    try {
      parse(value);
      return true;
    } catch {
      return false;
    }
  };
}
