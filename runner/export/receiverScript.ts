import { curlHeaders } from '../../reports/curl/curlHeaders.ts';
import { type Signing, resigning, signAgain, type Resigning } from '../../reports/curl/resigning.ts';
import { printfFormat, shellQuote, withinQuotes } from '../../reports/curl/shell.ts';
import { usedVariables, variableWord } from '../../reports/curl/shellVariables.ts';
import { shellWord } from '../options/shellWord.ts';
import { commentLines } from './commentLines.ts';
import { freshIdLines, idVariable } from './freshIds.ts';

/** A request of the script. */
export interface ScriptRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Nothing where it cannot be sent by curl; `told` then says what was done. */
  readonly body: Buffer | undefined;
  /** What was answered when it was found: `200`, `the connection broke`. */
  readonly answered: string;
  readonly status?: number;
  readonly remark?: string;
  /** Whether it came in parts, with pauses, or at the same moment as others: here it is sent at once, and in turn. */
  readonly paced?: true;
}

export interface ReceiverScriptInput {
  readonly requests: readonly ScriptRequest[];
  /** The ids that get fresh ones; empty where the very same bytes have to be sent. */
  readonly ids: readonly string[];
  readonly signing: Signing;
  /** Environment variables that header values name, for what no file holds. */
  readonly variables: readonly string[];
  readonly effects: readonly ScriptEffect[];
  /** The statuses of an acceptance, and whether it is owed to the last request: then any other answer is the failure. */
  readonly acceptance: { readonly statuses: readonly number[]; readonly owed: boolean };
  /** Whether effects can be counted: then `SEAWORTHY_PROBE` says where. */
  readonly probed: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/**
 * Lines for sh that send the requests again, signed anew where their ids change, and tell by the exit code whether the
 * failure is still there.
 *
 * @returns nothing where there is no request that curl can send
 */
export function receiverScript(given: ReceiverScriptInput): readonly string[] | undefined {
  const first = given.requests.find(({ body }) => body !== undefined);
  if (first === undefined) return undefined;
  const input = { ...given, requests: given.requests.map((request) => sendable(request, given, first.url)) };
  const { effects, probed, ids } = input;
  const seen = new Map<string, number>();
  const sent = input.requests.flatMap((request, at) => ['', ...requestLines(request, at, input, first.url, seen)]);
  const judged = effects.length > 0 && probed;
  return [
    'url=${SEAWORTHY_URL:?set it to the address of the receiver}',
    `origin=$(printf %s "$url" | sed 's|^\\([a-zA-Z]*://[^/?#]*\\).*|\\1|')`,
    ...(judged ? [': "${SEAWORTHY_PROBE:?set it to what counts the effects, as --probe takes it}"'] : []),
    ...secretLines(sent),
    ...variableLines(input),
    ...(ids.length > 0 ? freshIdLines(ids) : []),
    ...cannotRunLines,
    ...sent,
    '',
    ...(judged ? effectLines(input) : lastAnswerLines(input)),
  ];
}

/** The request, without a body where no client sends its headers. */
function sendable(request: ScriptRequest, input: ReceiverScriptInput, url: string): ScriptRequest {
  const { body } = request;
  if (body === undefined || sendLines({ ...request, body }, input, url) !== undefined) return request;
  return { ...request, body: undefined, remark: 'no client sends such headers' };
}

/** Asks for each secret that the lines sign with before anything is sent. */
function secretLines(lines: readonly string[]): readonly string[] {
  const used = lines.flatMap((line) => line.match(/\$\{?SEAWORTHY_SECRET(?:_\d+)?/g) ?? []);
  const names = new Set(used.map((variable) => variable.replace(/^\W+/, '')));
  return [...names].map((name) => `: "\${${name}:?set it to the secret of the receiver}"`);
}

function variableLines({ requests, variables }: ReceiverScriptInput): readonly string[] {
  const values = requests.flatMap(({ headers }) => headers.map(([, value]) => value));
  return usedVariables(values, variables).map(
    (name) => `: "\${${name}:?set it to what the run was given in its place}"`,
  );
}

/** A request that was sent before is a function by then, and is called again. */
function requestLines(
  request: ScriptRequest,
  at: number,
  input: ReceiverScriptInput,
  url: string,
  seen: Map<string, number>,
): readonly string[] {
  const number = at + 1;
  const show = `echo "${number}. answered $status (when it was found: ${withinQuotes(request.answered)})"`;
  const { body } = request;
  if (body === undefined) return commentLines(`${number}. left out: ${request.remark ?? 'curl cannot send it'}`, '#');
  const key = JSON.stringify([request.method, request.url, request.headers, body.toString('base64')]);
  const before = seen.get(key);
  // A connection that cannot be made shows nothing where there was one, and at the beginning.
  const needsAnswer = seen.size === 0 || request.status !== undefined;
  const send = (name: number): string => `send_${name}${needsAnswer ? ' || reached $?' : ''}`;
  const how = request.paced ? '; when it was found it came in parts, or at the same moment as others' : '';
  if (before !== undefined) return [`# ${number}. the same as ${before}.${how}`, send(before), show];
  seen.set(key, number);
  const content = ids(body, input.ids);
  return [
    ...commentLines(`${number}. ${request.method}, ${body.length} bytes${how}`, '#'),
    `send_${number}() {`,
    `  body() { printf ${content}; }`,
    ...(sendLines({ ...request, body }, input, url) ?? []).map((line) => `  ${line}`),
    '}',
    send(number),
    show,
  ];
}

function sendLines(
  request: ScriptRequest & { readonly body: Buffer },
  { signing, timeout, ids: fresh, variables }: ReceiverScriptInput,
  url: string,
): readonly string[] | undefined {
  const text = request.body.toString('latin1');
  const place = fresh.findIndex((id) => text.includes(id));
  const how = place === -1 && signing.scheme.layout === 'body' ? 'no' : resigning(request, signing);
  const signed = how === 'no' || how === 'impossible' ? undefined : how;
  const headers = curlHeaders(
    request,
    ([name, value]) => headerWord(name, value, signed, fresh) ?? variableWord(`${name}: ${value}`, variables),
  );
  if (headers === undefined) return undefined;
  const word = place === -1 ? undefined : `"$${idVariable(place)}"`;
  const options = `-sS -o /dev/null -w '%{http_code}' --http1.1 -m ${Math.ceil(timeout / 1000)}`;
  const where = request.url === url ? '"$url"' : `"$origin"${shellQuote(pathIn(request.url))}`;
  return [
    ...(signed === undefined ? [] : signatureLines(signed, word)),
    `status=$(body | curl ${options} -X ${shellWord(request.method)} ${where} \\`,
    ...headers.map((header) => `  ${header} \\`),
    '  --data-binary @-)',
  ];
}

/** An address without its origin: where requests go is the user's to say. */
export function pathIn(url: string): string {
  const path = url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Each secret has a variable of its own. */
function signatureLines(signed: Resigning, word: string | undefined): readonly string[] {
  const variable = signed.secret === 0 ? 'SEAWORTHY_SECRET' : `SEAWORTHY_SECRET_${signed.secret + 1}`;
  return signAgain(signed, word)
    .filter((line) => !line.startsWith(':'))
    .map((line) => line.replaceAll('SEAWORTHY_SECRET', variable));
}

function headerWord(
  name: string,
  value: string,
  signed: Resigning | undefined,
  fresh: readonly string[],
): string | undefined {
  const anew = signed?.values.get(name.toLowerCase());
  if (anew !== undefined) return `"${withinQuotes(name)}: ${anew}"`;
  const place = fresh.indexOf(value);
  return place === -1 ? undefined : `"${withinQuotes(name)}: $${idVariable(place)}"`;
}

/** The format and the arguments of a `printf` that writes the body, with variables in place of the ids. */
function ids(body: Buffer, fresh: readonly string[]): string {
  if (fresh.length === 0) return printfFormat(body);
  const parts = body.toString('latin1').split(new RegExp(`(${fresh.join('|')})`));
  const format = parts.map((part, at) =>
    at % 2 === 1 ? '%s' : printfFormat(Buffer.from(part, 'latin1')).slice(1, -1),
  );
  const words = parts.filter((_, at) => at % 2 === 1).map((id) => ` "$${idVariable(fresh.indexOf(id))}"`);
  return `'${format.join('')}'${words.join('')}`;
}

/** How often a notification should have taken effect. */
interface ScriptEffect {
  readonly id: string;
  readonly expected: number;
  readonly actual: number;
}

/** Shell lines that say why nothing can be shown, and end with 3: at once, or where curl could not connect. */
const cannotRunLines: readonly string[] = [
  `cannot() { echo "CANNOT RUN: $1"; exit 3; }`,
  `reached() { case $1 in 5 | 6 | 7 | 35 | 60) cannot 'nobody answers' ;; esac; }`,
];

/**
 * Shell lines that count the effects, and end with 1 where they are not as they should be, with 3 where they cannot be
 * counted.
 */
function effectLines({
  effects,
  ids,
  requests,
}: Pick<ReceiverScriptInput, 'effects' | 'ids' | 'requests'>): readonly string[] {
  // An id that has no variable is one that a body cannot hold as it is: plain enough for a shell.
  const wordOf = (id: string): string =>
    ids.includes(id) ? `$${idVariable(ids.indexOf(id))}` : id.replaceAll(/[^\w-]/g, '');
  return [
    '# How often did they take effect?',
    ...countLines,
    'sleep "${SEAWORTHY_SETTLE:-1}"',
    'failed=0',
    ...effects.flatMap(({ id, expected, actual }) => [
      `n=$(count "${wordOf(id)}")`,
      `echo "effects of ${wordOf(id)}: \${n:-none could be counted}; right is ${expected} (when it was found: ${actual})"`,
      `[ -n "$n" ] || cannot 'the probe does not say how often it took effect'`,
      `[ "$n" = ${expected} ] || failed=1`,
    ]),
    ending(requests),
  ];
}

/**
 * Shell lines that judge the answer to the last request: one that had to be accepted is, or one that was found is no
 * longer given. They end with 1 where the failure is still there, with 3 where nobody answered.
 */
function lastAnswerLines({
  requests,
  acceptance: { statuses, owed },
}: Pick<ReceiverScriptInput, 'requests' | 'acceptance'>): readonly string[] {
  const last = requests.at(-1);
  if (last?.body === undefined)
    return [`cannot 'the request whose answer shows the failure was left out; ${replayed}'`];
  const { status } = last;
  if (status === undefined && !owed) return [`cannot 'no answer to these requests shows the failure; ${replayed}'`];
  const accepting = statuses.join('|');
  const wrong = status !== undefined && !statuses.includes(status) ? String(status) : accepting;
  return [
    ...(status === undefined ? [] : [`[ "$status" = 000 ] && cannot 'nobody answers'`]),
    owed
      ? `case "$status" in ${accepting}) failed=0 ;; *) failed=1 ;; esac`
      : `case "$status" in ${wrong}) failed=1 ;; *) failed=0 ;; esac`,
    ending(requests),
  ];
}

/** What was left out, or done in another way, may be what the failure needs: then it is not said to be fixed. */
function ending(requests: readonly ScriptRequest[]): string {
  const isLeftOut = requests.some(({ body }) => body === undefined);
  const isPaced = requests.some(({ paced }) => paced);
  if (!isLeftOut && !isPaced) return `[ "$failed" = 0 ] && echo FIXED || echo FAILS\nexit "$failed"`;
  const what = isLeftOut ? 'without what was left out' : 'with one request after the other, and without pauses';
  return [`[ "$failed" = 0 ] && cannot 'it holds ${what}; ${replayed}'`, 'echo FAILS', 'exit 1'].join('\n');
}

const replayed = 'seaworthy replay tries all of it';

/** What `SEAWORTHY_PROBE` says is a URL or a command, as for `--probe`. */
const countLines: readonly string[] = [
  'count() {',
  '  case "$SEAWORTHY_PROBE" in',
  '    [Hh][Tt][Tt][Pp]://* | [Hh][Tt][Tt][Pp][Ss]://*)',
  `      told=$(curl -sS -w ' %{http_code}' "$(printf %s "$SEAWORTHY_PROBE" | sed "s/{id}/$1/g")")`,
  '      case "$told" in',
  "        *' 404') echo 0 ;;",
  `        *' 200') printf %s "$told" | sed -n 's/.*"count"[^0-9]*\\([0-9][0-9]*\\).*/\\1/p' ;;`,
  '      esac ;;',
  '    *)',
  '      told=$(printf \'%s\\n\' "$1" | sh -c "$SEAWORTHY_PROBE") || return',
  '      printf \'%s\\n\' "$told" | awk -v id="$1" \'$1 == id { n = $2 } END { print n + 0 }\' ;;',
  '  esac',
  '}',
];
