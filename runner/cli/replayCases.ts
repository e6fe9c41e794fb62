import { caseTimeline } from '../../reports/terminal/caseTimeline.ts';
import { pageOf, type Page, type Style } from '../../reports/terminal/page.ts';
import { visible } from '../../reports/visible.ts';
import { indent, wrap } from '../../reports/terminal/wrap.ts';
import { UsageError } from '../errors.ts';
import type { Replayed } from '../replayed.ts';
import { readSavedCase, type SavedCase } from '../savedCase.ts';
import type { CommandLine } from '../settings.ts';
import type { CommandInput } from './command.ts';
import { receiverReplay, serviceReplay } from './replayKinds.ts';
import { replaySaved } from './replaySaved.ts';
import type { World } from './world.ts';

/** What `seaworthy replay` does. @returns the exit code */
export async function replayCases({ operands = [], given, world }: CommandInput): Promise<number> {
  if (operands.length === 0) throw fileMissing();
  const files = await Promise.all(operands.map(async (file) => ({ file, saved: await readSavedCase(file) })));
  requireOneTarget(
    given,
    files.map(({ saved }) => saved),
  );
  const page = pageOf(world.stdout);
  const outcomes: Replayed[] = [];
  for (const { file, saved } of files) {
    if (world.signal.aborted) break;
    const replayed = await replay(saved, given, world);
    outcomes.push(replayed);
    world.stdout.write(`${[...resultLines(file, saved, replayed, page), ''].join('\n')}\n`);
  }
  return exitCodeOf(outcomes, world.signal.aborted);
}

/** One file after the other: they share a target, and the reset between them. */
async function replay(saved: SavedCase, given: CommandLine, world: World): Promise<Replayed> {
  if (saved.subject === 'service') return replaySaved(serviceReplay, saved, given, world);
  return replaySaved(receiverReplay, saved, given, world);
}

/** Options that say where one target is. */
const whereabouts = ['url', 'start', 'image'] as const;

/** A receiver and a service are never at the same place. */
function requireOneTarget(given: CommandLine, cases: readonly SavedCase[]): void {
  const placed = whereabouts.find((name) => given[name] !== undefined);
  if (placed === undefined || new Set(cases.map(({ subject }) => subject)).size < 2) return;
  throw new UsageError('SW_OPTION_CONFLICT', {
    received: `--${placed} was given for cases of a receiver and of a service`,
    valid: '--url, --start and --image with files about one of the two',
    next: 'replay the files of the receiver and those of the service by a command each',
  });
}

const words = {
  fixed: ['FIXED', 'green'],
  fails: ['FAILS', 'red'],
  'cannot-run': ['CANNOT RUN', 'yellow'],
} as const satisfies Record<Replayed['outcome'], readonly [string, Style]>;

function resultLines(file: string, { check }: SavedCase, replayed: Replayed, page: Page): readonly string[] {
  const [word, color] = words[replayed.outcome];
  const timeline = replayed.outcome === 'fails' ? caseTimeline(replayed.timeline ?? [], page) : [];
  return [
    `${page.paint(['bold', color], word)}${' '.repeat(12 - word.length)}${visible(file)}`,
    ...indent(wrap(`${check}: ${saying(replayed)}`, page.width - 12), 12),
    ...(timeline.length === 0 ? [] : ['', ...timeline.slice(0, -1)]),
  ];
}

function saying(replayed: Replayed): string {
  if (replayed.outcome === 'cannot-run') return replayed.reason;
  if (replayed.outcome === 'fails') return `${replayed.finding.actual}, instead of ${replayed.finding.expected}`;
  return replayed.tries === 1 ? 'the case holds' : `the case holds, ${replayed.tries} times in a row`;
}

function exitCodeOf(outcomes: readonly Replayed[], interrupted: boolean): number {
  if (interrupted) return 130;
  if (outcomes.some((replayed) => replayed.outcome === 'cannot-run' && replayed.fault)) return 70;
  if (outcomes.some(({ outcome }) => outcome === 'fails')) return 1;
  return outcomes.some(({ outcome }) => outcome === 'cannot-run') ? 3 : 0;
}

function fileMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'replay was given no file',
    valid: 'files that seaworthy receiver or seaworthy service wrote about failed checks',
    next: 'seaworthy replay .seaworthy/runs/<run>/<check>.json, as the report of the run names it',
  });
}
