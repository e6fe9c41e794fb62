import { statusClasses } from '../../spec/statusClasses.ts';
import { withinQuotes } from '../../reports/curl/shell.ts';
import type { ScriptRequest } from './scriptRequest.ts';

/** How often a notification should have taken effect. */
interface ScriptEffect {
  readonly id: string;
  readonly expected: number;
  readonly actual: number;
}

/** What shows whether a failure is still there. */
export type Judgement =
  /** How often notifications took effect, and that of the control, which takes effect once. */
  | { readonly kind: 'effects'; readonly effects: readonly ScriptEffect[]; readonly control: string | undefined }
  /** The answer to the last request: the first status that matches counts. What is not among them shows nothing. */
  | { readonly kind: 'answer'; readonly statuses: readonly JudgedStatus[] };

/** Statuses that a right receiver answers with, or a wrong one. */
export interface JudgedStatus {
  /** Patterns of `case`; `*` is also no answer at all. */
  readonly pattern: string;
  readonly isRight: boolean;
}

/** What the script does, as far as its judgement depends on it. */
interface Judged {
  readonly requests: readonly ScriptRequest[];
  /** The numbers of those that are sent; 0 is the control. */
  readonly sent: ReadonlySet<number>;
  /** What is not done as it was when the failure was found, a sentence each. */
  readonly leftOut: readonly string[];
  /** The statuses of an acceptance. */
  readonly accepting: readonly number[];
  readonly tries: number;
  /** Whether requests are sent at the same moment. */
  readonly together: boolean;
  /** Whether each try has ids that the receiver cannot know. */
  readonly isFresh: boolean;
  /** An id within double quotes. */
  readonly wordOf: (id: string) => string;
}

const replayed = 'seaworthy replay tries all of it';

/** A pattern of `case` for these statuses. */
export function statusPattern(statuses: readonly number[]): string {
  return statusClasses(statuses)
    .map((status) => status.replace('XX', '??'))
    .join(' | ');
}

/** Shell lines that define `answered` and `accepted`, which read what curl wrote. */
export function answerLines(accepting: readonly number[]): readonly string[] {
  return [
    '# Puts the answer to a request into $status: nothing where it could not be sent, 000 where it was not answered.',
    'answered() {',
    '  status=',
    '  while read -r number code size; do',
    '    if [ "$number" = "$1" ] && [ "$size" != 0 ]; then status=$code; fi',
    '  done < "$work/answers"',
    '}',
    '# A receiver that refuses a plain delivery shows nothing by what else it refuses.',
    'accepted() {',
    '  answered "$1"',
    '  case "$status" in',
    `    ${statusPattern(accepting)}) ;;`,
    `    '') cannot 'nobody answers, or curl cannot send to it: it says why above; for a certificate of your own set CURL_CA_BUNDLE' ;;`,
    `    *) cannot "a plain delivery was answered $status: see SEAWORTHY_URL and SEAWORTHY_SECRET" ;;`,
    '  esac',
    '}',
  ];
}

/** Shell lines that play the case, judge it, and end with the exit code. */
export function judgeLines(judgement: Judgement, judged: Judged): readonly string[] {
  const { requests, sent, isFresh, tries } = judged;
  if (judgement.kind === 'answer' && !sent.has(requests.length))
    return [`cannot 'the request whose answer shows the failure is left out; ${replayed}'`];
  const isEffects = judgement.kind === 'effects';
  return [
    ...(isEffects ? countLines : []),
    ...(isEffects && !isFresh ? unknownLines(judgement, judged) : []),
    'failed=0',
    'unsure=',
    'try=1',
    `while [ "$try" -le ${isFresh ? tries : 1} ]; do`,
    ...[
      'play',
      ...requests.flatMap((request, place) => showLines(request, place + 1, judged)),
      ...(isEffects ? effectLines(judgement, judged) : statusLines(judgement)),
      'if [ "$failed" = 1 ]; then echo FAILS; exit 1; fi',
      'try=$((try + 1))',
    ].map((line) => `  ${line}`),
    'done',
    ...endLines(judged, isEffects),
  ];
}

/** A request that was answered when it was found has to be sent; another one may find that nobody is there any more. */
function showLines({ answered, status }: ScriptRequest, number: number, { sent }: Judged): readonly string[] {
  if (!sent.has(number)) return [];
  return [
    `answered ${number}`,
    `echo "${number}. answered \${status:-nothing, for it could not be sent} (when it was found: ${withinQuotes(answered)})"`,
    ...(status === undefined ? [] : [`[ -n "$status" ] || cannot 'request ${number} could not be sent'`]),
  ];
}

function statusLines({ statuses }: Extract<Judgement, { kind: 'answer' }>): readonly string[] {
  return [
    'case "$status" in',
    ...statuses.map(({ pattern, isRight }) => `  ${pattern}) ${isRight ? '' : 'failed=1 '};;`),
    `  *) unsure="the last answer was \${status:-none}, which does not show whether the failure is still there" ;;`,
    'esac',
  ];
}

/** The control shows that effects are counted, and how long they take. */
function effectLines(
  { effects, control }: Extract<Judgement, { kind: 'effects' }>,
  { wordOf, leftOut }: Judged,
): readonly string[] {
  const isWhole = leftOut.length === 0;
  return [
    ...(control === undefined
      ? []
      : [
          `awaited "${wordOf(control)}" 1`,
          'took=$second',
          `[ "$n" = 1 ] || cannot "the probe counts \${n:-nothing} where a plain delivery takes effect once: see SEAWORTHY_PROBE"`,
        ]),
    '# One too many may come as late as that one did.',
    '[ "$settle" = 0 ] || sleep "$((took + 1))"',
    ...effects.flatMap(({ id, expected, actual }) => [
      `awaited "${wordOf(id)}" ${isWhole ? expected : 0}`,
      `echo "effects of ${wordOf(id)}: \${n:-none could be counted}; right is ${expected} (when it was found: ${actual})"`,
      `[ -n "$n" ] || cannot 'the probe does not say how often it took effect'`,
      isWhole
        ? `[ "$n" = ${expected} ] || failed=1`
        : `if [ "$n" -gt ${expected} ]; then failed=1; fi; [ "$n" = ${expected} ] || unsure='it took effect less often, but not all of it was sent'`,
    ]),
  ];
}

/** Where the same ids are sent each time, a second time shows nothing. */
function unknownLines({ effects }: Extract<Judgement, { kind: 'effects' }>, { wordOf }: Judged): readonly string[] {
  return effects.flatMap(({ id }) => [
    `n=$(count "${wordOf(id)}")`,
    `[ "$n" = 0 ] || cannot "the probe counts \${n:-nothing} before anything was sent: the receiver knows these ids; export the case with --secret for fresh ones"`,
  ]);
}

/** Nothing is said to be fixed where what the failure needs may be missing. */
function endLines({ leftOut, isFresh, together, tries }: Judged, isEffects: boolean): readonly string[] {
  const known =
    isFresh || isEffects ? [] : ['the receiver may know these ids: export the case with --secret for fresh ones'];
  const [missing] = [...leftOut, ...known];
  if (missing !== undefined) return [`cannot ${quoted(`it did not fail, but ${missing}; ${replayed}`)}`];
  return [
    `[ -z "$unsure" ] || cannot "$unsure; ${replayed}"`,
    ...(together
      ? [
          `echo 'It did not fail in ${tries} tries, with copies as near together as a shell can send them; seaworthy replay sends them nearer.'`,
        ]
      : []),
    'echo FIXED',
  ];
}

function quoted(text: string): string {
  return `"${withinQuotes(text)}"`;
}

/** What `SEAWORTHY_PROBE` says is a URL or a command, as for `--probe`. */
const countLines: readonly string[] = [
  '# Prints how often an id took effect; nothing where the probe does not say.',
  'count() {',
  '  case "$SEAWORTHY_PROBE" in',
  '    [Hh][Tt][Tt][Pp]://* | [Hh][Tt][Tt][Pp][Ss]://*)',
  `      said=$(curl -q -sS -g -w ' %{http_code}' "$(printf %s "$SEAWORTHY_PROBE" | sed "s/{id}/$1/g")" | tr -d '\\r\\n')`,
  '      case "$said" in',
  "        *' 404') echo 0 ;;",
  `        *' 200') echo "$said" | sed -n 's/.*"count" *: *\\([0-9][0-9]*\\)[ ,}].*/\\1/p' ;;`,
  '      esac ;;',
  '    *)',
  '      printf \'%s\\n\' "$1" | sh -c "$SEAWORTHY_PROBE" > "$work/counts" || return 0',
  '      n=0',
  '      while read -r id number rest || [ -n "$id" ]; do',
  '        if [ "$id" = "$1" ]; then n=$number; fi',
  '      done < "$work/counts"',
  '      case "$n" in *[!0-9]*) ;; *) echo "$n" ;; esac ;;',
  '  esac',
  '}',
  '# Counts into $n, as long as there are fewer effects than there should be and there is time.',
  'settle=${SEAWORTHY_SETTLE:-10} settle=${settle%%.*} took=0',
  'awaited() {',
  '  second=0',
  '  while n=$(count "$1") && [ -n "$n" ] && [ "$n" -lt "$2" ] && [ "$second" -lt "${settle:-0}" ]; do',
  '    sleep 1',
  '    second=$((second + 1))',
  '  done',
  '}',
];
