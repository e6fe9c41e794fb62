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

/**
 * Shell lines that put fresh ids into variables. All get the same other digits, so that ids which had some in common have
 * them in common again; what says which kind of UUID it is stays.
 */
export function freshIdLines(ids: readonly string[]): readonly string[] {
  return [
    '# Fresh ids at each run: the same ones with their digits exchanged, so that near ids stay near.',
    'digits=$(awk -v seed="$(od -An -N4 -tu4 /dev/urandom)" \'BEGIN {',
    '  srand(seed); d = "0123456789abcdef"',
    '  while (length(d) > 0) { i = int(rand() * length(d)) + 1; printf "%s", substr(d, i, 1); d = substr(d, 1, i - 1) substr(d, i + 1) }',
    "}')",
    'cut() { printf %s "$1" | command cut -c"$2"; }',
    'fresh() {',
    '  new=$(printf %s "$1" | tr 0123456789abcdef "$digits")',
    '  printf %s%s%s%s%s "$(cut "$new" 1-14)" "$(cut "$1" 15)" "$(cut "$new" 16-19)" "$(cut "$1" 20)" "$(cut "$new" 21-36)"',
    '}',
    ...ids.map((id, place) => `${idVariable(place)}=$(fresh ${id})`),
  ];
}
