import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, relative, resolve } from 'node:path';

import type { ReportedAnswer, ReportedBody } from '../../reports/model/exchange.ts';
import type { SavedAttempt } from '../engine/savedCase.ts';
import { hasForm } from '../../spec/delivery.ts';
import { shellWord } from '../../reports/curl/shell.ts';

/** A request of the script. */
export interface ScriptRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Nothing where it cannot be sent by curl; `remark` then says why. */
  readonly body: Buffer | undefined;
  /** What was answered when it was found: `200`, `the connection broke`. */
  readonly answered: string;
  readonly status?: number;
  readonly remark?: string;
  /** Whether it came in parts, or with pauses within it: here it is sent at once. */
  readonly paced?: true;
  /** The address that it is sent from. Default: the system chooses. */
  readonly from?: string;
  /** Seconds by which the timestamp of its signature was ahead of the clock. Default 0. */
  readonly skew?: number;
  /** Milliseconds that were waited before it. */
  readonly waited?: number;
  /** Those with the same number are sent at the same moment. */
  readonly moment?: number;
}

/** A request of a saved case. @param workingDirectory - below which it may name the file of a large body */
export function scriptRequest({ request, answer, ...how }: SavedAttempt, workingDirectory: string): ScriptRequest {
  const { method, url, headers, wire } = request;
  const whole = wire === undefined || isWhole(wire);
  const bytes = whole ? reportedBytes(request.body, workingDirectory) : undefined;
  return {
    method,
    url,
    headers,
    body: bytes,
    answered: answerWords(answer),
    ...(answer.kind === 'answered' && { status: Number(answer.status) }),
    ...(wire?.some((line) => !atOnce.test(line)) && { paced: true }),
    ...(wire !== undefined && !whole && { remark: `written by hand: ${wire.join(', ')}` }),
    ...(typeof how.from === 'string' && isIP(how.from) > 0 && { from: how.from }),
    ...(Number.isInteger(how.skew) && { skew: Number(how.skew) }),
    ...(Number.isInteger(how.waited) && { waited: Number(how.waited) }),
    ...(Number.isInteger(how.moment) && { moment: Number(how.moment) }),
    ...(whole && bytes === undefined && { remark: `its body of ${request.body.bytes} bytes was not kept` }),
  };
}

/** What a plain request does, and what takes time only. */
const atOnce = /^send the headers with a content length$|^send the body$/;

const waiting = /^send nothing (?:for|until) |^wait until all copies /;

const part = /^send the body from ([\d.]+%) to ([\d.]+%)$/;

/** Whether what was written by hand is a whole request all the same: with pauses, or with a body that came in parts. */
function isWhole(wire: readonly string[]): boolean {
  const parts = wire.flatMap((line) => (line === 'send the body' ? [['', '0%', '100%']] : [part.exec(line) ?? []]));
  const sent = parts.filter(({ length }) => length > 0);
  const isComplete = sent.at(-1)?.[2] === '100%' && sent.every(([, from], at) => from === (sent[at - 1]?.[2] ?? '0%'));
  return isComplete && wire.every((line) => atOnce.test(line) || waiting.test(line) || part.test(line));
}

function answerWords(answer: ReportedAnswer): string {
  if (answer.kind === 'answered') return String(Number(answer.status));
  return answer.kind === 'broken' ? 'the connection broke' : 'no answer in time';
}

/**
 * The bytes of a body that a report shows; nothing where they are too many, and not in their file any more. Of files, a
 * report may name those below the working directory.
 */
export function reportedBytes(body: ReportedBody, workingDirectory: string): Buffer | undefined {
  const candidates = [
    () => (body.text === undefined ? undefined : Buffer.from(body.text)),
    () => (body.base64 === undefined ? undefined : Buffer.from(body.base64, 'base64')),
    () => (body.file === undefined ? undefined : readBelow(workingDirectory, body.file)),
  ];
  return candidates.map(readOrNothing).find((bytes) => bytes !== undefined && isBody(bytes, body));
}

function readBelow(folder: string, file: string): Buffer | undefined {
  const path = resolve(folder, file);
  const inside = relative(folder, path);
  const isBelow = !isAbsolute(inside) && !inside.split(/[\\/]/).includes('..');
  return isBelow && statSync(path).isFile() ? readFileSync(path) : undefined;
}

function readOrNothing(read: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isBody(bytes: Buffer, { sha256 }: ReportedBody): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256;
}

/** Lower-case hexadecimal with hyphens, as RFC 9562 writes a UUID. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Places of a uuid that say what kind it is, and its first digit. */
const kept = new Set([0, 14, 19]);

/** Ids that have fewer places to be changed are too few to be new. */
const fewest = 8;

/** The characters that may stand for each other, by the first of them. */
const alphabets = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const;

/** Whether the shell can make others of these ids, that stand to each other as they do. @param form - `uuid`, or a regular expression */
export function canBeFresh(ids: readonly string[], form: string): boolean {
  const isApart = (id: string): boolean => ids.every((other) => other === id || !other.includes(id));
  return ids.every((id) => isApart(id) && kindsOf(id, form) !== undefined);
}

/**
 * What may stand at each place of an id in its place: `x` for a hexadecimal digit, `0`, `a` or `A` for one of their alphabet,
 * `-` for nothing else.
 *
 * @returns nothing where too little of it may be another
 */
function kindsOf(id: string, form: string): string | undefined {
  if (form === 'uuid')
    return uuid.test(id)
      ? Array.from(id, (digit, at) => (digit === '-' || kept.has(at) ? '-' : 'x')).join('')
      : undefined;
  if (!/^[!-~]+$/.test(id) || !hasForm(id, form)) return undefined;
  const kinds = Array.from(id, (character, at) => {
    const alphabet = alphabets.find((each) => each.includes(character)) ?? '';
    const isFree = Array.from(alphabet).every((other) => hasForm(id.slice(0, at) + other + id.slice(at + 1), form));
    return isFree && alphabet !== '' ? alphabet.charAt(0) : '-';
  });
  return kinds.filter((kind) => kind !== '-').length < fewest ? undefined : kinds.join('');
}

/** The name of the shell variable that holds the id of this place, from 0. */
export function idVariable(place: number): string {
  return `id_${place + 1}`;
}

/** Shell lines that define what makes ids fresh. A shell without /dev/urandom takes the time and its own number. */
export const freshIdLines: readonly string[] = [
  '# Prints 32 random digits.',
  'random() {',
  '  digits=$(od -An -N16 -tx1 /dev/urandom 2> /dev/null | tr -d " \\n")',
  '  for n in 1 2 3 4; do',
  '    [ "${#digits}" -lt 32 ] || break',
  '    sum=$(echo "$n $$ $1 $(date)" | cksum)',
  '    digits=$digits$(printf %08x "${sum%% *}")',
  '  done',
  '  echo "$digits"',
  '}',
  '# Prints an id that differs wherever its form allows it. What ids have in common they have in common again.',
  'fresh() {',
  '  old=$1 kinds=$2 rest=$mask new=',
  '  while [ -n "$old" ]; do',
  '    each=${old%"${old#?}"} kind=${kinds%"${kinds#?}"}',
  '    old=${old#?} kinds=${kinds#?} all=',
  '    case $kind in',
  '      x) all=0123456789abcdef ;;',
  ...alphabets.map((alphabet) => `      ${alphabet.charAt(0)}) all=${alphabet} ;;`),
  '      *) new=$new$each ;;',
  '    esac',
  '    [ -n "$all" ] || continue',
  '    [ -n "$rest" ] || rest=$mask',
  '    before=${all%%"$each"*}',
  '    place=$(((${#before} + 0x${rest%"${rest#?}"}) % ${#all}))',
  '    rest=${rest#?}',
  '    while [ "$place" -gt 0 ]; do all=${all#?} place=$((place - 1)); done',
  '    new=$new${all%"${all#?}"}',
  '  done',
  '  echo "$new"',
  '}',
];

/** Shell lines that put fresh ids into variables. @param attempt - a shell word that differs from try to try */
export function newIdLines(ids: readonly string[], form: string, attempt: string): readonly string[] {
  const fresh = ids.map((id, place) => `${idVariable(place)}=$(fresh ${shellWord(id)} ${kindsOf(id, form) ?? ''})`);
  return [`mask=$(random ${attempt})`, ...fresh];
}
