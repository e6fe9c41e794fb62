import type { Answer, Attempt } from '../../delivery.ts';
import type { Played } from './receiverModelState.ts';

/** An answer that takes so many times as long as the others of its sequence, and so many milliseconds, is a slow one. */
const slow = { times: 8, ms: 100 } as const;

/**
 * What came back in a sequence, in short texts: the kind of step with the answer's status, and the shape of its body; and
 * which answers followed each other. Few enough that a receiver which answers as it should soon shows nothing new.
 */
export function featuresOf(played: readonly Played[]): readonly string[] {
  const usual = median(played.flatMap(({ attempts }) => attempts.map(({ answer }) => answer.ms)));
  const features = new Set<string>();
  let before = '';
  for (const { step: taken, attempts } of played) {
    const kind = taken.do;
    for (const { answer } of attempts) features.add(`${kind} ${describe(answer)}${pace(answer, usual)}`);
    const step = outcome(kind, attempts);
    if (before !== '') features.add(`${before} > ${step}`);
    before = step;
  }
  return [...features];
}

function outcome(kind: string, attempts: readonly Attempt[]): string {
  return [kind, ...new Set(attempts.map(({ answer }) => short(answer)).toSorted())].join(' ');
}

function describe(answer: Answer): string {
  return answer.kind === 'answered' ? `${answer.status} ${shape(answer)}` : short(answer);
}

function short(answer: Answer): string {
  if (answer.kind === 'answered') return String(answer.status);
  return answer.kind === 'broken' ? `broken ${answer.code}` : answer.kind;
}

/** The media type, the names of a JSON object's members, and how long the body is, in steps of powers of sixteen. */
function shape({ headers, body }: Extract<Answer, { kind: 'answered' }>): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].split(';')[0] ?? 'no type';
  const length = body === '' ? 0 : 1 + Math.floor(Math.log2(body.length) / 4);
  return [type, ...members(body), `length ${length}`].join(' ');
}

function members(body: string): readonly string[] {
  if (!body.startsWith('{')) return [];
  try {
    return [
      `{${Object.keys(JSON.parse(body) as object)
        .toSorted()
        .slice(0, 8)
        .join()}}`,
    ];
  } catch {
    return [];
  }
}

function pace({ ms }: Answer, usual: number): string {
  return ms > slow.ms && ms > slow.times * usual ? ' slow' : '';
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
}
