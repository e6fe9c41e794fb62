import { readFileSync, readdirSync } from 'node:fs';

/** A process as Linux shows it below /proc. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it began, in ticks since the system did. */
  readonly began: number;
  /** True where it waits to be reaped: it holds nothing any more. */
  readonly over: boolean;
}

/** What belongs to one start of a command. */
export interface Family {
  /** The first process, which leads a group and a session of its own. */
  readonly leader: number;
  /** When the leader began, in ticks since the system did; what began earlier belongs to nobody here. 0: not known. */
  readonly began: number;
  /** Stands in the environment of everything that was started, unless a process wiped it out. */
  readonly mark: string;
}

/** Whether this system shows its processes below /proc. Elsewhere only the group of a command is known. */
export const processesAreShown = statOf('self') !== undefined;

/** When a process began, in ticks since the system did; 0 where that is not shown. */
export function beginOf(pid: number): number {
  return statOf(String(pid))?.began ?? 0;
}

/**
 * The living processes of a family: the group and the session of its leader, what carries its mark although it left both,
 * and what descends from any of these.
 */
export function membersOf(family: Family): readonly number[] {
  const young = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? [])
    .filter(({ began, over }) => began >= family.began && !over);
  const members = new Set<number>();
  for (const process of young) if (belongs(process, family)) members.add(process.pid);
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const { pid, parent } of young) if (members.has(parent)) members.add(pid);
  }
  return [...members];
}

function belongs({ pid, group, session }: Process, { leader, mark }: Family): boolean {
  if (group === leader || session === leader) return true;
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false;
  }
}

/** Whether every thread of a process stands still, or the process is no more. */
export function standsStill(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const stat = readStat(`/proc/${pid}/task/${thread}/stat`);
      return stat === undefined || 'TtZX'.includes(stat[0] ?? '');
    });
  } catch {
    return true;
  }
}

function statOf(name: string): Process | undefined {
  const stat = readStat(`/proc/${name}/stat`);
  if (stat === undefined) return undefined;
  const [state = '', ...numbers] = stat;
  const [parent = 0, group = 0, session = 0] = numbers.map(Number);
  return { pid: Number(name), parent, group, session, began: Number(numbers[18]), over: 'ZX'.includes(state) };
}

/** The fields of a stat file from the state on: what stands before may hold blanks and brackets. */
function readStat(path: string): readonly string[] | undefined {
  try {
    const text = readFileSync(path, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
