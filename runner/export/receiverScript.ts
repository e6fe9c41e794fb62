import { curlHeaders } from '../../reports/curl/curlCommand.ts';
import { isIdSigned, type Signing } from '../../reports/curl/resigning.ts';
import {
  printfWords,
  shellQuote,
  shellWord,
  withinQuotes,
  usedVariables,
  variableWord,
} from '../../reports/curl/shell.ts';
import { hasTimestamp } from '../../spec/signature.ts';
import { commentLines } from './commentLines.ts';
import { freshIdLines, idVariable, newIdLines, type ScriptRequest } from './scriptRequest.ts';
import { signedAnew } from './signedAnew.ts';
import { answerLines, judgeLines, type Judgement } from './judgeLines.ts';

export interface ReceiverScriptInput {
  /** A plain delivery that has to be accepted before anything is shown; nothing where none is known. */
  readonly control: ScriptRequest | undefined;
  readonly requests: readonly ScriptRequest[];
  /** The ids that get fresh ones, that of the control first; empty where the very same bytes have to be sent. */
  readonly ids: readonly string[];
  /** What ids look like: `uuid`, or a regular expression. */
  readonly idForm: string;
  /** Whether the receiver may know the ids that are sent, and it shows what it has to all the same. */
  readonly mayBeKnown: boolean;
  readonly signing: Signing;
  /** Environment variables that header values name, for what no file holds. */
  readonly variables: readonly string[];
  /** How often the script tries it before it says that it holds. */
  readonly tries: number;
  readonly judgement: Judgement;
  /** The statuses of an acceptance. */
  readonly accepting: readonly number[];
  /** Whether these are all requests of the case. */
  readonly isAll: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** A request that curl can send, and its number among all. */
interface Sendable extends ScriptRequest {
  readonly body: Buffer;
  readonly number: number;
  /** The number of the first one with the same headers and body. */
  readonly same: number;
}

/** Requests that are sent one after the other, or at the same moment. */
interface Moment {
  readonly waited: number;
  readonly together: boolean;
  readonly requests: readonly Sendable[];
}

/**
 * Lines for sh that send the requests again, signed anew where their ids change, and say by the exit code whether the
 * failure is still there: 1 where it was seen, 0 where all that it takes was done and it was not, else 3.
 *
 * @returns nothing where there is no request that curl can send
 */
export function receiverScript(input: ReceiverScriptInput): readonly string[] | undefined {
  const url = input.requests[0]?.url ?? '';
  const sent = sendable(input, url);
  if (!sent.some(({ number }) => number > 0)) return undefined;
  const prepared = sent.flatMap((request) => [...prepareLines(request, input), '']);
  const played = [
    ...(input.ids.length > 0 ? [...newIdLines(input.ids, input.idForm, '"$try"'), ''] : []),
    ...prepared,
    ...momentsOf(sent).flatMap((moment) => momentLines(moment, input, url)),
  ];
  return [
    ...cannotRunLines,
    ...requiredLines(input, [...played, ...sent.flatMap((request) => requestWords(request, input, url) ?? [])]),
    'url=$SEAWORTHY_URL',
    `origin=$(printf %s "$url" | sed 's|^\\([a-zA-Z]*://[^/?#]*\\).*|\\1|')`,
    ...(input.ids.length > 0 ? ['', ...freshIdLines] : []),
    '',
    ...answerLines(input.accepting),
    ...leftOutOf(input, sent).flatMap((text) => commentLines(`Not as it was: ${text}.`, '#')),
    '# Sends everything once.',
    'play() {',
    '  : > "$work/answers"',
    ...played.map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
    ...judgeLines(input.judgement, {
      requests: input.requests,
      accepting: input.accepting,
      sent: new Set(sent.map(({ number }) => number)),
      leftOut: leftOutOf(input, sent),
      tries: input.tries,
      together: input.requests.some(({ moment }) => moment !== undefined),
      isFresh: input.ids.length > 0 || input.mayBeKnown,
      wordOf: (id) => idWord(id, input.ids),
    }),
  ];
}

/** The control and the requests, but for those that no client sends. */
function sendable(input: ReceiverScriptInput, url: string): readonly Sendable[] {
  const all = [input.control, ...input.requests];
  const known = new Map<string, number>();
  return all.flatMap((given, number): readonly Sendable[] => {
    if (given?.body === undefined) return [];
    const { body } = given;
    const key = JSON.stringify([given.headers, body.toString('base64')]);
    const request = { ...given, body, number, same: known.get(key) ?? number };
    if (requestWords(request, input, url) === undefined) return [];
    known.set(key, request.same);
    return [request];
  });
}

/** What is not done as it was when the failure was found. */
function leftOutOf(input: ReceiverScriptInput, sent: readonly Sendable[]): readonly string[] {
  const each = input.requests.flatMap(({ remark, paced }, place) => {
    const request = sent.find(({ number }) => number === place + 1);
    const name = `request ${place + 1}`;
    if (request === undefined) return [`${name} is left out (${remark ?? 'no client sends such headers'})`];
    if (signedAs(request, input) === 'stale')
      return [`the signature of ${name} was made for other bytes, or another time`];
    return paced ? [`${name} is sent at once, and not in parts or with pauses`] : [];
  });
  return input.isAll ? each : [...each, 'the file may not hold all that was sent'];
}

/** Shell lines that say why nothing can be shown, and end with 3; and those that need nothing of the case. */
const cannotRunLines: readonly string[] = [
  `cannot() { echo "CANNOT RUN: $1"; exit 3; }`,
  'for tool in cat curl date mkdir od rm sed sleep tail tr; do',
  '  command -v "$tool" > /dev/null || cannot "there is no $tool here"',
  'done',
  'work=${TMPDIR:-/tmp}/seaworthy-$$',
  '(umask 077 && mkdir "$work") || cannot "the folder $work cannot be made"',
  `trap 'rm -rf "$work"' EXIT`,
  `trap 'exit 130' HUP INT TERM`,
];

/** Asks for what the lines need, before anything is sent. */
function requiredLines({ requests, variables, judgement }: ReceiverScriptInput, lines: readonly string[]) {
  const signing = lines.flatMap((line) => line.match(/\$\{?SEAWORTHY_SECRET(?:_\d+)?/g) ?? []);
  const secrets = [...new Set(signing.map((variable) => variable.replace(/^\W+/, '')))];
  const values = requests.flatMap(({ headers }) => headers.map(([, value]) => value));
  const wanted = [
    ['SEAWORTHY_URL', 'the address of the receiver'],
    ...(judgement.kind === 'effects' ? [['SEAWORTHY_PROBE', 'what counts the effects, as --probe takes it']] : []),
    ...secrets.map((name) => [name, 'the secret of the receiver']),
    ...usedVariables(values, variables).map((name) => [name, 'what the run was given in its place']),
  ];
  return [
    ...(secrets.length > 0 ? ["command -v openssl > /dev/null || cannot 'there is no openssl here'"] : []),
    ...wanted.map(([name, what]) => `[ -n "\${${name}:-}" ] || cannot 'set ${name} to ${what}'`),
  ];
}

function momentsOf(sent: readonly Sendable[]): readonly Moment[] {
  const moments: (Moment & { readonly requests: Sendable[] })[] = [];
  for (const request of sent) {
    const { waited = 0, moment, number } = request;
    const last = moments.at(-1);
    const before = last?.requests[0];
    // The control goes over the same connection: what a receiver makes of that may be the failure.
    const follows = before !== undefined && waited === 0 && before.moment === moment;
    if (follows) last!.requests.push(request);
    else moments.push({ waited: number === 0 ? 0 : waited, together: moment !== undefined, requests: [request] });
  }
  return moments;
}

/** Shell lines that put the body of a request into a file, and what signs it into variables. */
function prepareLines(request: Sendable, input: ReceiverScriptInput): readonly string[] {
  const { number, method, body, answered, paced, same } = request;
  const signed = signedAs(request, input);
  const what = number === 0 ? 'A plain delivery, which has to be accepted' : `${number}. answered: ${answered}`;
  const comment = commentLines(
    `${what}. ${same === number ? `${method}, ${body.length} bytes` : `The same as ${same}`}${paced ? '; it came in parts, or with pauses' : ''}`,
    '#',
  );
  if (same !== number) return comment;
  return [
    ...comment,
    `body() { printf ${printfWords(body, new Map(input.ids.map((id) => [id, `"${idWord(id, input.ids)}"`])))}; }`,
    `body > "$work/${number}"`,
    ...(typeof signed === 'string'
      ? []
      : [
          ...signed.lines,
          `[ -n "$s" ] || cannot 'openssl made no signature'`,
          `s_${number}=$s${signed.lines.some((line) => line.startsWith('t=')) ? ` t_${number}=$t` : ''}`,
        ]),
  ];
}

function momentLines({ waited, together, requests }: Moment, input: ReceiverScriptInput, url: string) {
  const commands = requests.map((request) => requestWords(request, input, url) ?? []);
  const pause = waited > 0 ? [`sleep ${waited / 1000} 2> /dev/null || sleep ${Math.ceil(waited / 1000)}`] : [];
  const control = requests[0]?.number === 0 ? ['accepted 0'] : [];
  if (!together)
    return [...pause, ...joined(['curl -q', ...commands.flatMap(asNext)], '>> "$work/answers"'), ...control, ''];
  return [
    ...pause,
    '# At the same moment.',
    ...requests.flatMap(({ number }, place) =>
      joined(['curl -q', ...(commands[place] ?? [])], `> "$work/answer-${number}" &`),
    ),
    'wait',
    `cat ${requests.map(({ number }) => `"$work/answer-${number}"`).join(' ')} >> "$work/answers"`,
    '',
  ];
}

function asNext(words: readonly string[], place: number): readonly string[] {
  return place === 0 ? words : ['--next', ...words];
}

/** One command over several lines. */
function joined(words: readonly string[], end: string): readonly string[] {
  return [...words, end].map((word, at) => `${at === 0 ? '' : '  '}${word}${at === words.length ? '' : ' \\'}`);
}

/** The arguments of curl for a request, a line each; nothing where no client sends such headers. */
function requestWords(request: Sendable, input: ReceiverScriptInput, url: string): readonly string[] | undefined {
  const { number, method, from, same } = request;
  const signed = signedAs(request, input);
  const headers = curlHeaders(request, ([name, value]) => {
    const anew = typeof signed === 'string' ? undefined : signed.valueOf(name, value);
    if (anew !== undefined) return `"${withinQuotes(name)}: ${numbered(anew, same)}"`;
    if (input.ids.includes(value)) return `"${withinQuotes(name)}: ${idWord(value, input.ids)}"`;
    return variableWord(`${name}: ${value}`, input.variables);
  });
  if (headers === undefined) return undefined;
  const where = number === 0 || request.url === url ? '"$url"' : `"$origin"${shellQuote(pathIn(request.url))}`;
  const sender = from === undefined ? '' : ` --interface ${shellWord(from)}`;
  return [
    `-sS -g --http1.1 -m ${Math.ceil(input.timeout / 1000)}${sender} -o /dev/null -w '${number} %{http_code} %{size_request}\\n'`,
    `-X ${shellWord(method)} ${where}`,
    ...headers,
    `--data-binary "@$work/${same}"`,
  ];
}

/** The variables of the request that was signed. */
function numbered(value: string, number: number): string {
  return value.replaceAll(/(?<!\\)\$([ts])\b/g, `\${$1_${number}}`);
}

/** How a request is signed anew; nothing where it is sent with the signature that it has. */
function signedAs(request: Sendable, { signing, ids }: ReceiverScriptInput) {
  const place = ids.findIndex((id) => isIdSigned({ headers: request.headers, body: request.body }, signing, id));
  if (place === -1 && !hasTimestamp(signing.scheme)) return 'no';
  return signedAnew(request, signing, place === -1 ? undefined : `"$${idVariable(place)}"`);
}

/** An id within double quotes: its variable, or what of it a shell and a probe take. */
function idWord(id: string, ids: readonly string[]): string {
  return ids.includes(id) ? `$${idVariable(ids.indexOf(id))}` : withinQuotes(id.replaceAll(/[^!-~]/g, ''));
}

/** An address without its origin: where requests go is the user's to say. */
export function pathIn(url: string): string {
  const path = url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
