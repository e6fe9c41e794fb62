import { type Resigning, resigning, signAgain, type Signing } from '../../reports/curl/resigning.ts';
import { withinQuotes } from '../../reports/curl/shell.ts';
import { hasTimestamp, readSignature, signatureHeaderName, signatureHeaders } from '../../spec/signature.ts';
import { headerValue, isSameName } from '../../spec/headerText.ts';

interface Signed {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly skew?: number;
}

/** How the shell signs a request whose body it changes, or whose signature has become too old. */
interface SignedAnew {
  /** Shell lines that put the time into `$t`, and the signature of what the function `body` prints into `$s`. */
  readonly lines: readonly string[];
  /** What stands within double quotes in place of the value of a header; nothing where it stays. */
  valueOf(name: string, value: string): string | undefined;
}

/** Characters that a forged signature has in common with the genuine one, where it was made of it. */
const related = 8;

/**
 * How a request is signed anew.
 *
 * @param word - a shell word for the notification's id, where it is not the one of the request
 * @returns `no` where it carries no signature; `stale` where it carries one of which the shell cannot make another that is wrong
 * in the same way
 */
export function signedAnew(request: Signed, signing: Signing, word?: string): SignedAnew | 'no' | 'stale' {
  const name = signatureHeaderName(signing.scheme, signing.header);
  const values = request.headers.flatMap(([each, value]) =>
    isSameName(each, name) && value.trim() !== '' ? [value] : [],
  );
  const how = resigning(request, signing);
  if (hasTimestamp(signing.scheme) || values.length === 0) {
    if (how === 'impossible') return values.length === 0 ? 'no' : 'stale';
    if (how === 'no') return 'no';
    return { lines: linesOf(how, word), valueOf: how.valueOf };
  }
  const around = digestAround(signing);
  for (const secret of signing.secrets) {
    const genuine = genuineHeaders(request, signing, secret);
    const own = resigning({ ...request, headers: genuine }, signing);
    const words = new Map(values.map((value) => [value, relatedWord(value, genuine[0]?.[1] ?? '', around)]));
    if (typeof own !== 'object' || [...words.values()].includes(undefined)) continue;
    return {
      lines: linesOf(own, word),
      valueOf: (each, value) => (isSameName(each, name) ? words.get(value) : undefined),
    };
  }
  return 'stale';
}

/** The headers of the right signature, for the id that the request names. */
function genuineHeaders(request: Signed, { scheme, header }: Signing, secret: string) {
  const { body } = request;
  const id = readSignature(scheme, header, (name) => headerValue(request.headers, name))?.id ?? '';
  return signatureHeaders(scheme, header, { secret, body, id, timestamp: 0 });
}

interface Around {
  readonly before: string;
  readonly behind: string;
}

/** The literal text around the digest in its header. */
function digestAround({ scheme }: Signing): Around {
  const [before = '', behind = ''] = scheme.headers[0].template.split('{digest}');
  return { before, behind };
}

/** A value as parts of the genuine one and what was put between them; nothing where it has too little of it. */
function relatedWord(value: string, genuine: string, { before: prefix, behind }: Around): string | undefined {
  const shorter = Math.min(value.length, genuine.length);
  const start = common(shorter, (at) => value[at] === genuine[at]);
  const end = common(shorter - start, (at) => value.at(-1 - at) === genuine.at(-1 - at));
  if (start === genuine.length && value.length === start) return `${withinQuotes(prefix)}$s${withinQuotes(behind)}`;
  const digits = start - prefix.length;
  if (behind !== '' || digits < 0 || digits + end < related) return undefined;
  const head = digits === 0 ? '' : `$(printf %.${digits}s "$s")`;
  const tail = end === 0 ? '' : `$(printf %s "$s" | tail -c ${end})`;
  const made = (middle: string): string => `${head}${withinQuotes(middle)}${tail}`;
  const middle = value.slice(start, value.length - end);
  if (value.length !== genuine.length || middle === '') return `${withinQuotes(prefix)}${made(middle)}`;
  // What differs from the one signature may be a part of the other.
  const other = `${middle.startsWith('0') ? '1' : '0'}${middle.slice(1)}`;
  return `${withinQuotes(prefix)}$(f="${made(middle)}"; [ "$f" != "$s" ] || f="${made(other)}"; printf %s "$f")`;
}

function common(most: number, isEqual: (at: number) => boolean): number {
  let count = 0;
  while (count < most && isEqual(count)) count += 1;
  return count;
}

function linesOf(signed: Resigning, word: string | undefined): readonly string[] {
  const variable = signed.secret === 0 ? 'SEAWORTHY_SECRET' : `SEAWORTHY_SECRET_${signed.secret + 1}`;
  return signAgain(signed, word)
    .filter((line) => !line.startsWith(':'))
    .map((line) => line.replaceAll('SEAWORTHY_SECRET', variable));
}
