import { idVariable } from './freshIds.ts';
import type { ReceiverScriptInput, ScriptRequest } from './receiverScript.ts';

/** How often a notification should have taken effect. */
export interface ScriptEffect {
  readonly id: string;
  readonly expected: number;
  readonly actual: number;
}

/** Shell lines that say why nothing can be shown, and end with 3: at once, or where curl could not connect. */
export const cannotRunLines: readonly string[] = [
  `cannot() { echo "CANNOT RUN: $1"; exit 3; }`,
  `reached() { case $1 in 5 | 6 | 7 | 35 | 60) cannot 'nobody answers' ;; esac; }`,
];

/**
 * Shell lines that count the effects, and end with 1 where they are not as they should be, with 3 where they cannot be
 * counted.
 */
export function effectLines({
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
      `[ -n "$n" ] || cannot 'the probe does not tell how often it took effect'`,
      `[ "$n" = ${expected} ] || failed=1`,
    ]),
    ending(requests),
  ];
}

/**
 * Shell lines that judge the answer to the last request: one that had to be accepted is, or one that was found is no
 * longer given. They end with 1 where the failure is still there, with 3 where nobody answered.
 */
export function lastAnswerLines({
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
