import {
  type BodyFiles,
  type ScriptFile,
  bodyFiles,
  bodyKey,
  type CurlOptions,
  curlBody,
  curlCommand,
  loops,
  trustWords,
  curlHeaders,
} from './curlCommand.ts';
import type { ReportedHeader } from '../model/events.ts';
import { type Resigning, type Signing, isIdSigned, mustSignAgain, resigning, signAgain } from './resigning.ts';
import { printfWords, shellQuote, withinQuotes, usedVariables, variableWord } from './shell.ts';

/** A request to be repeated byte for byte. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly ReportedHeader[];
  readonly body: Buffer;
  /** Anything here says that the request was written by hand, which curl cannot repeat. */
  readonly wire?: unknown;
  /** The address that it is sent from. Default: the system chooses. */
  readonly from?: string;
  /** Seconds by which the timestamp of its signature was ahead of the clock. Default 0. */
  readonly skew?: number;
}

/** Deliveries to a receiver, for a shell script that sends them again. */
export interface CurlInput extends CurlOptions {
  /** In the order sent. */
  readonly requests: readonly CurlRequest[];
  /** Where a body over 8 KiB goes; a second one gets `-2` before the extension. Without it all bodies stay inline. */
  readonly bodyFile?: string;
  /** How the target's deliveries are signed: schemes with a timestamp sign again, from `$SEAWORTHY_SECRET`. */
  readonly signing?: Signing;
  /**
   * Environment variables that header values and a probe's address name as `$NAME`, so that what is secret stands in no
   * report: the shell fills them in. Every other `$` is meant as it is.
   */
  readonly variables?: readonly string[];
  /** Where the number of effects is the point: the probe (a URL with `{id}`, or a shell command) is asked last. */
  readonly effects?: { readonly probe: string; readonly ids: readonly string[] };
  /** Ids that the receiver knows by now: where it can be, each is replaced by a fresh one. Default: none. */
  readonly known?: readonly string[];
}

/** A shell script, and the files that it reads. */
export interface CurlScript {
  /** Lines for bash and dash, printable ASCII throughout. */
  readonly text: string;
  /** What must lie beside it. */
  readonly files: readonly ScriptFile[];
}

/**
 * Shell lines that send these requests again with curl: the same method, headers and bytes, and none of the headers
 * that curl would add.
 *
 * @returns nothing where curl cannot show it: a request written by hand, a header that no client sends, or a
 * time-stamped signature that is not the receiver's own and would have become stale
 */
export function curlScript(input: CurlInput): CurlScript | undefined {
  const { requests, effects } = input;
  const files = bodyFiles(
    requests.map(({ body }) => body),
    input.bodyFile,
  );
  const ids = idWords(input.known ?? [], requests, { signing: input.signing, files });
  const blocks = requests.map((request) => requestBlock(request, { ...input, ids }, files));
  if (blocks.length === 0 || !blocks.every((block) => block !== undefined)) return undefined;
  const lines = [
    ...requiredVariables(input),
    ...newIdLines(ids),
    ...loops(blocks),
    ...(effects ? probeLines(effects, { ...input, ids }) : []),
  ];
  return { text: lines.join('\n'), files: [...files.values()] };
}

/** Asks for each variable that the lines name before anything is sent. */
function requiredVariables({ requests, effects, variables = [] }: CurlInput): readonly string[] {
  const headers = requests.flatMap((request) => request.headers);
  const used = usedVariables([...headers.map(([, value]) => value), effects?.probe ?? ''], variables);
  return used.map((name) => {
    const [header] = headers.find(([, value]) => value === `$${name}`) ?? [];
    const what = header === undefined ? 'what the run was given in its place' : `the value of the header ${header}`;
    return `: "\${${name}:?set it to ${what}}"`;
  });
}

/** What the lines are made of, and the ids that are variables in them. */
type Lines = CurlInput & { readonly ids: IdWords };

function requestBlock(request: CurlRequest, input: Lines, files: BodyFiles): string | undefined {
  if (request.wire !== undefined) return undefined;
  const { signing, ids } = input;
  const file = files.get(bodyKey(request.body))?.path;
  const [id] = Array.from(ids.keys()).filter((each) => isIdSigned(request, signing, each));
  const decision = id === undefined || !signing ? mustSignAgain(request, signing) : resigning(request, signing);
  if (decision === 'impossible') return undefined;
  if (decision === 'no' && id === undefined) return plainBlock(request, input, file);
  const how = decision === 'no' ? undefined : decision;
  return signedBlock(request, input, { how, file, word: id === undefined ? undefined : ids.get(id) });
}

function plainBlock(request: CurlRequest, input: Lines, file: string | undefined): string | undefined {
  const headers = curlHeaders(request, wordOf(input));
  if (headers === undefined) return undefined;
  const { before, data } = curlBody(request, file);
  return before + curlCommand(request, input, [...headers, ...data]);
}

/** A request whose body is printed, and signed where it was. */
function signedBlock(
  request: CurlRequest,
  input: Lines,
  {
    how,
    file,
    word,
  }: { readonly how: Resigning | undefined; readonly file: string | undefined; readonly word: string | undefined },
): string | undefined {
  const headers = curlHeaders(request, ([name, given]) => {
    const value = how?.valueOf(name, given);
    return value === undefined ? wordOf(input)([name, given]) : `"${withinQuotes(name)}: ${value}"`;
  });
  if (headers === undefined) return undefined;
  const source = file === undefined ? `printf ${printfWords(request.body, input.ids)}` : `cat ${shellQuote(file)}`;
  const send = curlCommand(request, input, [...headers, '--data-binary @-']);
  return [`body() { ${source}; }`, ...(how ? signAgain(how, word) : []), `body | ${send}`].join('\n');
}

/** A header that holds what is secret, or an id that gets another. */
function wordOf({ variables = [], ids }: Lines): (header: ReportedHeader) => string | undefined {
  return ([name, value]) => {
    const id = ids.get(value)?.slice(1, -1);
    return id === undefined ? variableWord(`${name}: ${value}`, variables) : `"${withinQuotes(name)}: ${id}"`;
  };
}

function probeLines(
  { probe, ids }: { readonly probe: string; readonly ids: readonly string[] },
  { variables = [], ids: words, ...trust }: Lines,
): readonly string[] {
  const wait = 'sleep 1';
  if (/^https?:\/\//.test(probe)) {
    return [
      wait,
      ...ids.map((id) => {
        const address = probe.replaceAll('{id}', encodeURIComponent(id));
        const whole = variableWord(address, variables) ?? shellQuote(address);
        const parts = probe.split('{id}').map((text) => variableWord(text, variables) ?? quotedPart(text));
        const options = [...trustWords(trust), ...(/[[\]{}]/.test(address) ? ['-g'] : [])];
        return ['curl -sS', ...options, words.has(id) ? parts.join(words.get(id)) : whole, "-w '\\n'"].join(' ');
      }),
    ];
  }
  const simple = /^[\w./:=@%+, -]+$/.test(probe) ? probe : `sh -c ${shellQuote(probe)}`;
  return [wait, `printf '%s\\n' ${ids.map((id) => words.get(id) ?? shellQuote(id)).join(' ')} | ${simple}`];
}

function quotedPart(text: string): string {
  return text === '' ? '' : shellQuote(text);
}

interface Identified {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Shell words by the id that they stand for. */
type IdWords = ReadonlyMap<string, string>;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Digits at either end in which ids agree that were made near to each other: then others would not be. */
const near = 6;

/** Ids that get others, so that a receiver that remembers them takes them for new: those of which every request can be signed anew. */
function idWords(
  ids: readonly string[],
  requests: readonly Identified[],
  { signing, files }: { readonly signing: Signing | undefined; readonly files: BodyFiles },
): IdWords {
  const known = [...new Set(ids)].filter((id) => uuid.test(id));
  const isNear = known.some((id) => known.some((other) => other !== id && areNear(id, other)));
  const canChange = (id: string): boolean =>
    requests.every(({ headers, body }) => {
      if (!isIdSigned({ headers, body }, signing, id)) return true;
      const how = signing === undefined ? 'no' : resigning({ headers, body }, signing);
      return how !== 'impossible' && !files.has(bodyKey(body));
    });
  const stands = (id: string): boolean =>
    requests.some(({ headers, body }) => body.includes(id) || headers.some(([, value]) => value === id));
  const changed = isNear ? [] : known.filter((id) => stands(id) && canChange(id));
  return new Map(changed.map((id, place) => [id, `"$${variableOf(place)}"`]));
}

function areNear(one: string, other: string): boolean {
  return one.slice(0, near) === other.slice(0, near) || one.slice(-near) === other.slice(-near);
}

function variableOf(place: number): string {
  return place === 0 ? 'id' : `id_${place + 1}`;
}

/** A shell line for each that makes a random UUID (RFC 9562, version 4). */
function newIdLines(words: IdWords): readonly string[] {
  return Array.from(
    { length: words.size },
    (_, place) =>
      `${variableOf(place)}=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | sed 's/^\\(.\\{8\\}\\)\\(.\\{4\\}\\).\\(.\\{3\\}\\).\\(.\\{3\\}\\)/\\1-\\2-4\\3-8\\4-/')`,
  );
}
