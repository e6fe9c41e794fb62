import { bodyKey, type BodyFiles } from './bodyFiles.ts';
import { resigning, type Signing } from './resigning.ts';

interface Identified {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Shell words by the id that they stand for. */
export type IdWords = ReadonlyMap<string, string>;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Digits at either end in which ids agree that were made near to each other: then others would not be. */
const near = 6;

/** Ids that get others, so that a receiver that remembers them takes them for new: those of which every request can be signed anew. */
export function idWords(
  ids: readonly string[],
  requests: readonly Identified[],
  { signing, files }: { readonly signing: Signing | undefined; readonly files: BodyFiles },
): IdWords {
  const known = [...new Set(ids)].filter((id) => uuid.test(id));
  const isNear = known.some((id) => known.some((other) => other !== id && areNear(id, other)));
  const canChange = (id: string): boolean =>
    requests.every(({ headers, body }) => {
      if (!body.includes(id)) return true;
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
export function newIdLines(words: IdWords): readonly string[] {
  return Array.from(
    { length: words.size },
    (_, place) =>
      `${variableOf(place)}=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | sed 's/^\\(.\\{8\\}\\)\\(.\\{4\\}\\).\\(.\\{3\\}\\).\\(.\\{3\\}\\)/\\1-\\2-4\\3-8\\4-/')`,
  );
}
