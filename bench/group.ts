import { type Spread, spreadOf } from './spread.ts';

/** Contenders that are measured in turns, within one run, and what of it is said. */
export interface Group {
  /** One word, by which it is chosen. */
  readonly name: string;
  /** What is compared and how, as a sentence or two. */
  readonly how: string;
  /** What the contenders measure, such as `per second`. */
  readonly unit: string;
  /** True where a larger ratio is the better one. */
  readonly moreIsBetter: boolean;
  /** Rounds of it at most, where one takes long. Default: as many as are asked for. */
  readonly rounds?: number;
  /** Starts what it needs. */
  open(): Promise<OpenGroup>;
}

/** A group whose servers run. */
export interface OpenGroup {
  /** A figure of each contender, all taken one right after the other; nothing of one that this machine lacks. */
  round(round: number): Promise<Figures>;
  /** Which figures stand beside each other: the first one is divided by the second. */
  readonly pairs: readonly (readonly [own: string, base: string])[];
  close?(): Promise<void>;
}

/** What contenders measured, by their names. */
export type Figures = Readonly<Record<string, number | undefined>>;

/** One line of the table. It survives JSON. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly base: string;
  readonly unit: string;
  readonly moreIsBetter: boolean;
  /** Nothing where one of the two is not on this machine. */
  readonly measured?: Measured;
}

/** What the rounds showed: the ratios are taken within a round each. */
export interface Measured {
  readonly rounds: number;
  readonly own: Spread;
  readonly base: Spread;
  readonly ratio: Spread;
}

/** @param rounds - at least one; another one before them warms up where there are several */
export async function measured(group: Group, rounds: number): Promise<readonly Row[]> {
  const open = await group.open();
  const wanted = Math.min(rounds, group.rounds ?? rounds);
  const figures: Figures[] = [];
  try {
    if (wanted > 1) await open.round(0);
    for (let place = 0; place < wanted; place++) figures.push(await open.round(place));
  } finally {
    await open.close?.();
  }
  return open.pairs.map(([own, base]) => rowOf(group, figures, own, base));
}

function rowOf(
  { name: group, unit, moreIsBetter }: Group,
  rounds: readonly Figures[],
  name: string,
  base: string,
): Row {
  const row = { group, name, base, unit, moreIsBetter };
  const both = rounds.flatMap((figures) => {
    const [one, other] = [figures[name], figures[base]];
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
  if (both.length === 0) return row;
  return {
    ...row,
    measured: {
      rounds: both.length,
      own: spreadOf(both.map(([one]) => one)),
      base: spreadOf(both.map(([, other]) => other)),
      ratio: spreadOf(both.map(([one, other]) => one / other)),
    },
  };
}

/** A round that lets all of them take turns, beginning with another one each time. */
export function inTurns(
  contenders: Readonly<Record<string, () => number | undefined | Promise<number | undefined>>>,
): OpenGroup['round'] {
  const all = Object.entries(contenders);
  return async (round) => {
    const figures: Record<string, number | undefined> = {};
    for (let turn = 0; turn < all.length; turn++) {
      const [name, measure] = all[(turn + round) % all.length]!;
      figures[name] = await measure();
    }
    return figures;
  };
}

/** How often some work is done in a second of CPU of this process, measured over `ms` milliseconds: others on the machine do not count. */
export function perSecond(ms: number, work: (at: number) => unknown): number {
  const start = performance.now();
  const before = process.cpuUsage();
  let count = 0;
  while (performance.now() - start < ms) work(count++);
  return count / cpuSince(before);
}

/** Seconds of CPU that this process took. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
