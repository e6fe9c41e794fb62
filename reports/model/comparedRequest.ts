import { bodyText } from '../text/visible.ts';
import { isCaught } from './exchange.ts';
import type { Counterexample, ReportedExchange, ReportedRequest, ReportedHeader } from './exchange.ts';

/** A text cut where it differs from another: `before` and `after` say the same in both. */
export interface CutText {
  readonly before: string;
  readonly changed: string;
  readonly after: string;
}

/** Two texts cut at the one place where they differ. */
export interface DifferingPart {
  readonly first: CutText;
  readonly second: CutText;
}

/**
 * Where two texts differ. What every request has of its own is taken for equal: identifiers (UUIDs of one version), times that
 * are minutes apart, and the addresses of the kit's endpoints.
 *
 * @param ids - of the first and of the second, where they have ids that are no UUIDs
 * @returns nothing where the texts say the same
 * @example differingPart('{"a":1}', '{"a":2}') .second // { before: '{"a":', changed: '2', after: '}' }
 */
function differingPart(first: string, second: string, ids: OwnIds = []): DifferingPart | undefined {
  const isOwn: Same = (left, right) => left !== undefined && left === ids[0] && right === ids[1];
  return between(first, second, (left, right) => isOwn(left, right) || saysTheSame(left, right), ids);
}

/** The ids of two requests; none where they have none, or UUIDs. */
type OwnIds = readonly [] | readonly [first: string, second: string];

/** The same with nothing taken for equal. */
export function exactPart(first: string, second: string): DifferingPart | undefined {
  return between(first, second, Object.is);
}

type Same = (left: string | undefined, right: string | undefined) => boolean;

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const timePattern = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`;
const loopbackPattern = String.raw`https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/[\w./-]*`;

const token = new RegExp(`${loopbackPattern}|${uuidPattern}|${timePattern}|[\\s\\S]`, 'giu');
const anyUuid = new RegExp(uuidPattern, 'gi');
const uuid = new RegExp(`^${uuidPattern}$`, 'i');
const time = new RegExp(`^${timePattern}$`);
const loopback = new RegExp(`^${loopbackPattern}$`);

/** Milliseconds within which a run makes what it compares. */
const meanwhile = 10 * 60_000;

function saysTheSame(left: string | undefined, right: string | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  if (uuid.test(left) && uuid.test(right)) return shapeOf(left) === shapeOf(right) && left[14] === right[14];
  if (time.test(left) && time.test(right)) {
    return digitsHidden(left) === digitsHidden(right) && Math.abs(Date.parse(left) - Date.parse(right)) < meanwhile;
  }
  return loopback.test(left) && loopback.test(right) && pathShape(left) === pathShape(right);
}

/** Of an identifier: whether it is written in capitals. */
function shapeOf(id: string): string {
  return /[A-F]/.test(id) ? 'upper' : 'lower';
}

function digitsHidden(text: string): string {
  return text.replaceAll(/\d/g, '0');
}

/** Of an address all but the last part of its path, which is made for each endpoint. */
function pathShape(url: string): string {
  return url.slice(0, url.lastIndexOf('/'));
}

function between(first: string, second: string, same: Same, ids: OwnIds = []): DifferingPart | undefined {
  const [a, b] = [tokens(first, ids[0]), tokens(second, ids[1])];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && same(a[start], b[start])) start += 1;
  if (start === a.length && start === b.length) return undefined;
  let tail = 0;
  while (tail < shorter - start && same(a.at(-1 - tail), b.at(-1 - tail))) tail += 1;
  return { first: cut(a, start, tail), second: cut(b, start, tail) };
}

function cut(all: readonly string[], start: number, tail: number): CutText {
  const end = all.length - tail;
  return {
    before: all.slice(0, start).join(''),
    changed: all.slice(start, end).join(''),
    after: all.slice(end).join(''),
  };
}

/** @param id - which is one token wherever it stands */
function tokens(text: string, id = ''): readonly string[] {
  const parts = id === '' ? [text] : text.split(id);
  return parts.flatMap((part, place) => [...(place === 0 ? [] : [id]), ...(part.match(token) ?? [])]);
}

/** A request beside its neighbour: what is marked in it is the difference that is meant. */
export interface ComparedRequest {
  readonly headers: readonly ComparedHeader[];
  /** The place where the bodies differ; not there where they say the same. */
  readonly body?: DifferingPart;
  /** Where they say the same: byte for byte, or but for what every request has of its own, such as ids and times. */
  readonly bodies?: 'same' | 'alike';
}

/** The exchange that decides: the last one, or where that was only to look what had come of it, the last of the twin's kind. */
export function decisiveOf(
  exchanges: readonly ReportedExchange[],
  twin: ReportedExchange | undefined,
): ReportedExchange | undefined {
  const last = exchanges.at(-1);
  if (twin === undefined || last === undefined || isCaught(twin)) return last;
  const isLooking = !isCaught(last) && last.request.body.bytes === 0 && twin.request.body.bytes > 0;
  const isAlike = (one: ReportedExchange): boolean => !isCaught(one) && one.request.method === twin.request.method;
  return (isLooking && last.request.method !== twin.request.method && exchanges.findLast(isAlike)) || last;
}

/** What reports say before the neighbour's name. */
export const bodiesWords = { same: 'the same as in', alike: 'but for ids and times the same as in' } as const;

/** What a case says of the difference that it is about. */
export type MeantDifference = Pick<Counterexample['exchange'], 'difference' | 'differsIn'>;

/**
 * Compares a request with its neighbour. What every request has of its own (ids, times, signatures) is marked only where it
 * is what is meant: where the case says so, or where it says nothing and the requests differ in nothing else.
 */
export function comparedRequest(
  request: ReportedRequest,
  twin?: HeaderNeighbour,
  { difference, differsIn }: MeantDifference = {},
): ComparedRequest {
  if (twin === undefined) return { headers: comparedHeaders(request) };
  const headers = comparedHeaders(request, differsIn === 'signature' ? { ...twin, anew: false } : twin);
  if (twin.request.body.sha256 === request.body.sha256) return { headers, bodies: 'same' };
  const texts = [bodyText(twin.request.body), bodyText(request.body)] as const;
  const isElsewhere =
    (difference !== undefined && twin.ownId === true) ||
    isSentOtherwise(request, twin.request) ||
    headers.some(({ mark }) => mark !== 'same');
  const body = differingPart(...texts, ownIds(request, twin)) ?? (isElsewhere ? undefined : exactPart(...texts));
  return { headers, ...(body ? { body } : { bodies: 'alike' }) };
}

/** The ids that the kit gave both, where each has one of its own. */
function ownIds(request: ReportedRequest, { request: { id }, ownId }: HeaderNeighbour): OwnIds {
  return ownId === true && id !== undefined && request.id !== undefined ? [id, request.id] : [];
}

/** Whether two requests carry the same ids: those that are recorded, or else the UUIDs in their bodies and headers. */
export function hasSameIds(one: ReportedRequest, other: ReportedRequest): boolean {
  if (one.id !== undefined || other.id !== undefined) return one.id === other.id;
  return uuidsOf(one) === uuidsOf(other);
}

function uuidsOf({ headers, body }: ReportedRequest): string {
  const texts = [bodyText(body), ...headers.map(([, value]) => value)];
  return texts.flatMap((text) => text.match(anyUuid) ?? []).join(' ');
}

/** Whether the requests differ in how they were sent. */
function isSentOtherwise(one: ReportedRequest, other: ReportedRequest): boolean {
  const wayOf = ({ method, url, wire }: ReportedRequest): string => JSON.stringify([method, url, wire]);
  return wayOf(one) !== wayOf(other);
}

/**
 * A header of a request beside its neighbour. `same`: nothing to say (or there is no neighbour); `differs`: the neighbour
 * has `other`; `added`: the neighbour has none; `left-out`: only the neighbour has it, and `value` is the neighbour's.
 */
export interface ComparedHeader {
  readonly name: string;
  readonly value: string;
  readonly mark: 'same' | 'differs' | 'added' | 'left-out';
  readonly other?: string;
}

/** The neighbour that headers are compared with. */
interface HeaderNeighbour {
  readonly request: ReportedRequest;
  /** True where signatures and times are made anew for each, so that they differ without meaning anything. */
  readonly anew: boolean;
  /** True where the kit gives each an id of its own. Default false. */
  readonly ownId?: boolean;
}

/**
 * The headers of a request, those that only its neighbour has at the end. A value of the same length is taken for one that
 * every delivery makes anew (a signature, a time), unless the bodies are equal or nothing is made anew.
 */
function comparedHeaders(request: ReportedRequest, twin?: HeaderNeighbour): readonly ComparedHeader[] {
  const own = request.headers.map((header) => compared(header, request, twin));
  if (twin === undefined || request.headers.length === 0) return own;
  const missing = twin.request.headers.filter(([name]) => valuesOf(request, name).length === 0);
  return [...own, ...missing.map(([name, value]) => ({ name, value, mark: 'left-out' as const }))];
}

function compared([name, value]: ReportedHeader, request: ReportedRequest, twin?: HeaderNeighbour): ComparedHeader {
  if (twin === undefined) return { name, value, mark: 'same' };
  const values = valuesOf(twin.request, name);
  const [accepted] = values;
  if (accepted === undefined) return { name, value, mark: 'added' };
  const anew = twin.anew && accepted.length === value.length && twin.request.body.sha256 !== request.body.sha256;
  return anew || values.some((other) => differingPart(other, value, ownIds(request, twin)) === undefined)
    ? { name, value, mark: 'same' }
    : { name, value, mark: 'differs', other: accepted };
}

function valuesOf({ headers }: ReportedRequest, name: string): readonly string[] {
  return headers.filter(([candidate]) => candidate.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
}
