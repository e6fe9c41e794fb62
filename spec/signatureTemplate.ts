/** What a template of a signature may name. */
export type TemplateField = 'body' | 'digest' | 'timestamp' | 'id';

/** A template with what is filled in: `t={timestamp},v1={digest}`. */
type Fields = Readonly<Partial<Record<TemplateField, string>>>;

/** One element of a header's value: all of it, or one of a list. */
export interface ReadElement {
  readonly text: string;
  /** The part of the template that it was read by; nothing where it fits none, such as a signature of another version. */
  readonly part: string | undefined;
  readonly fields: Fields;
}

const placeholder = /\{(body|digest|timestamp|id)\}/;

/** The fields that a template names, in order. */
export function fieldsOf(template: string): readonly TemplateField[] {
  return template.split(placeholder).filter((_, at) => at % 2 === 1) as TemplateField[];
}

/**
 * A template as literal texts with fields between them: first a literal, then a field, and so on to the last literal.
 *
 * @example templatePieces('v0={digest}') // ['v0=', 'digest', '']
 */
export function templatePieces(template: string): readonly string[] {
  return template.split(placeholder);
}

/** The template with each field replaced; a field that is not given is empty. A time in seconds may have a fraction. */
export function fillTemplate(template: string, fields: Fields): string {
  return templatePieces(template)
    .map((piece, at, all) => {
      const isAfterTime = all[at - 1] === 'timestamp' && at % 2 === 0;
      if (at % 2 === 0) return isAfterTime && isInMilliseconds(piece) ? piece.slice(zeros.length) : piece;
      const value = fields[piece as TemplateField] ?? '';
      const counts = piece === 'timestamp' && value !== '' && isInMilliseconds(all[at + 1]);
      return counts ? inMilliseconds(value) : value;
    })
    .join('');
}

/** What follows a time in whole seconds where it is counted in milliseconds. */
const zeros = '000';

/** Whether the literal that follows a time makes milliseconds of it. */
function isInMilliseconds(literal = ''): boolean {
  return /^000(?!\d)/.test(literal);
}

/** What is no time stays as it is, so that anything can be sent there. */
function inMilliseconds(seconds: string): string {
  return /^\d+\.\d{1,3}$/.test(seconds) ? String(Math.round(Number(seconds) * 1000)) : seconds + zeros;
}

/**
 * The parts of a template that stand in a list: `t={timestamp}` and `v1={digest}`.
 *
 * @param separator - what stands between the elements of the list; nothing where the header is none
 */
export function templateParts(template: string, separator: string | undefined): readonly string[] {
  if (separator === undefined) return [template];
  const parts = template.split(separator);
  return parts.every((part) => fieldsOf(part).length > 0) ? parts : [template];
}

/**
 * What divides the parts of a template that has several: the `,` of `t={timestamp},v1={digest}`. Nothing where it has one.
 */
export function separatorIn(template: string): string | undefined {
  const [between] = templatePieces(template).filter((_, at, all) => at % 2 === 0 && at > 0 && at < all.length - 1);
  return /^[,;&|] ?(?=[\w.-]+[=:]$)/.exec(between ?? '')?.[0];
}

/** What a header's value holds, element by element. */
export function readElements(template: string, separator: string | undefined, value: string): readonly ReadElement[] {
  const parts = templateParts(template, separator);
  const elements = separator === undefined ? [value] : value.split(separator);
  return elements.map((text) => {
    for (const part of parts) {
      const fields = readPart(part, text);
      if (fields !== undefined) return { text, part, fields };
    }
    return { text, part: undefined, fields: {} };
  });
}

/** The value with one of its fields changed wherever it stands. */
export function withField(
  template: string,
  separator: string | undefined,
  value: string,
  [field, change]: readonly [TemplateField, (text: string) => string],
): string {
  return readElements(template, separator, value)
    .map(({ text, part, fields }) => {
      const old = fields[field];
      return part === undefined || old === undefined ? text : fillTemplate(part, { ...fields, [field]: change(old) });
    })
    .join(separator);
}

function readPart(part: string, text: string): Fields | undefined {
  const pieces = templatePieces(part);
  const isCounted = (at: number): boolean => pieces[at] === 'timestamp' && isInMilliseconds(pieces[at + 1]);
  const pattern = pieces.map((piece, at) => {
    if (at % 2 === 1) return isCounted(at) ? String.raw`(\d{9,}(?=\d{3})|.*?(?=000))(\d{3})` : '(.*?)()';
    return escaped(isCounted(at - 1) ? piece.slice(zeros.length) : piece);
  });
  const read = new RegExp(`^${pattern.join('')}$`, 's').exec(text);
  if (read === null) return undefined;
  return Object.fromEntries(
    fieldsOf(part).map((field, at) => {
      const [whole = '', thousandths = ''] = read.slice(2 * at + 1);
      return [field, thousandths === '' || thousandths === zeros ? whole : `${whole}.${thousandths}`];
    }),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
