/** Lower-case hexadecimal with hyphens, as RFC 9562 writes a UUID. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the shell can make another id of this one that stands to others as this one did. */
export function canBeFresh(id: string): boolean {
  return uuid.test(id);
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
  '# Prints an id with other digits, but for the first one. What ids have in common they have in common again; their kind stays.',
  'fresh() {',
  '  old=$1 rest=$mask new=',
  '  while [ -n "$old" ]; do',
  '    digit=${old%"${old#?}"} old=${old#?}',
  '    case ${#new}:$digit in',
  '      *:- | 0:* | 14:* | 19:*) new=$new$digit ;;',
  '      *) new=$new$(printf %x "$((0x$digit ^ 0x${rest%"${rest#?}"}))") rest=${rest#?} ;;',
  '    esac',
  '  done',
  '  echo "$new"',
  '}',
];

/** Shell lines that put fresh ids into variables. @param attempt - a shell word that differs from try to try */
export function newIdLines(ids: readonly string[], attempt: string): readonly string[] {
  return [`mask=$(random ${attempt})`, ...ids.map((id, place) => `${idVariable(place)}=$(fresh ${id})`)];
}
