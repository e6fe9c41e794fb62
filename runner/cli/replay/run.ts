import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { caseTimeline } from '../../../reports/formats/terminal/exchange.ts';
import { stepLines } from '../../../reports/formats/terminal/finding.ts';
import { indent, type Page, pageOf, wrap } from '../../../reports/formats/terminal/page.ts';
import type { Style } from '../../../reports/sink.ts';
import { visible } from '../../../reports/text/visible.ts';
import type { Contract } from '../../../spec/contract.ts';
import { UsageError } from '../../errors.ts';
import { exportCases } from '../../export/exportCases.ts';
import { loadConfig } from '../../options/loadConfig.ts';
import { openContract } from '../../options/openContract.ts';
import { namedInCase, namedLines, untrustedCase, type NamedInFile } from '../../replay/trustedOptions.ts';
import type { Replayed } from '../../engine/replayed.ts';
import { receiverReplay, serviceReplay } from '../../replay/replay.ts';
import { receiverReplayOptions, replayOptions, serviceReplayOptions } from '../../options/replayOptions.ts';
import { replaySaved, type ReplayPlace, replayWords } from '../../replay/replaySaved.ts';
import { type SavedCase, isSavedCase, readSavedCase } from '../../engine/savedCase.ts';
import { type CommandLine, type SettingSources } from '../../options/settings.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { playLazily } from '../lazyReference.ts';
import type { CommandWorld } from '../programEnvironment.ts';

/** What `seaworthy replay` does. @returns the exit code */
export async function replayCases({ operands = [], given, programEnvironment }: CommandInput): Promise<number> {
  if (operands.length === 0) throw fileMissing();
  const files = await caseFiles(operands);
  if (given['export'] !== undefined) return exportFiles(files, given, programEnvironment);
  requireOneTarget(
    given,
    files.map(({ saved }) => saved),
  );
  const trust = given['trust']?.at(-1) === 'true';
  const cases = await placedCases(files, given, programEnvironment, trust);
  const naming = cases.filter(({ named }) => Object.keys(named).length > 0);
  if (naming.length > 0 && !trust) throw untrustedCase(naming);
  if (naming.length > 0)
    programEnvironment.stderr.write(`--trust lets these files decide:\n${namedLines(naming).join('\n')}\n`);
  const page = pageOf(programEnvironment.stdout);
  const outcomes: Replayed[] = [];
  for (const { file, saved, sources } of cases) {
    if (programEnvironment.signal.aborted) break;
    const replayed = await replay(saved, {
      sources,
      trust,
      signal: programEnvironment.signal,
      secrets: programEnvironment.secrets,
    });
    outcomes.push(replayed);
    programEnvironment.stdout.write(`${[...resultLines(file, saved, replayed, page), ''].join('\n')}\n`);
  }
  if (files.length > 1) programEnvironment.stdout.write(`${countLine(outcomes, files.length)}\n`);
  return exitCodeOf(outcomes, programEnvironment.signal.aborted);
}

/** A file, where its settings come from, and what it names. */
interface PlacedCase extends CaseFile, NamedInFile {
  readonly sources: SettingSources;
}

const optionsOf = { receiver: receiverReplayOptions, service: serviceReplayOptions } as const;

/** All files before anything is done with one of them. */
async function placedCases(
  files: readonly CaseFile[],
  given: CommandLine,
  { environment, workingDirectory }: CommandWorld,
  trust: boolean,
): Promise<readonly PlacedCase[]> {
  const { config, directory, file: configFile } = await loadConfig(workingDirectory, given);
  const { receiver = {}, service = {}, fuzz: _, ...shared } = config;
  return files.map(({ file, saved }) => {
    const options = optionsOf[saved.subject];
    const sources = {
      commandLine: given,
      environment,
      config: [shared, { receiver, service }[saved.subject]],
      directory,
      ...(configFile !== undefined && { file: configFile }),
    };
    return { file, saved, options, sources, named: namedInCase(options, saved, sources, trust) };
  });
}

/** One file after the other: they share a target, and the reset between them. */
async function replay(saved: SavedCase, place: ReplayPlace): Promise<Replayed> {
  if (saved.subject === 'service') return replaySaved(serviceReplay, saved, place);
  return replaySaved(receiverReplay(playLazily), saved, place);
}

/** Plays nothing: the files are written from what they hold. */
async function exportFiles(
  files: readonly CaseFile[],
  given: CommandLine,
  programEnvironment: CommandWorld,
): Promise<number> {
  const { workingDirectory: directory } = programEnvironment;
  const { secret, export: wanted } = replayOptions;
  const settings = commandSettings({ secret, export: wanted }, { given, programEnvironment });
  const lines = await exportCases(files, settings.export, {
    workingDirectory: directory,
    contractOf: (saved) => contractOf(saved, given),
    secrets: settings.secret,
    hidden: programEnvironment.secrets,
  });
  programEnvironment.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

/** The contract of the command line, or with --trust that of the file. */
function contractOf({ options }: SavedCase, given: CommandLine): Contract | undefined {
  const isTrusted = given['trust']?.at(-1) === 'true';
  const [contract, openapi] = ['contract', 'openapi'].map(
    (name) => given[name]?.at(-1) ?? (isTrusted ? options[name]?.at(-1) : undefined),
  );
  return contract === undefined ? undefined : openContract({ contract, openapi });
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

function resultLines(file: string, { check, sequence }: SavedCase, replayed: Replayed, page: Page): readonly string[] {
  const [word, color] = words[replayed.outcome];
  const failed = replayed.outcome === 'fails';
  const timeline = failed ? caseTimeline(replayed.timeline ?? [], page) : [];
  const steps = failed ? (sequence ?? []).map((step) => step.words) : [];
  const width = page.width - 12;
  return [
    `${page.paint(['bold', color], word)}${' '.repeat(12 - word.length)}${visible(file)}`,
    ...indent([...wrap(`${check}: ${replayWords(replayed)}`, width), ...stepLines(steps, width)], 12),
    ...(timeline.length === 0 ? [] : ['', ...timeline.slice(0, -1)]),
  ];
}

/** `2 FIXED, 1 FAILS` */
function countLine(outcomes: readonly Replayed[], files: number): string {
  const counts = Object.entries(words).map(
    ([outcome, [word]]) => [outcomes.filter((replayed) => replayed.outcome === outcome).length, word] as const,
  );
  return [...counts, [files - outcomes.length, 'not tried'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
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
    valid:
      'files that seaworthy receiver, seaworthy service or seaworthy fuzz wrote about failures, or folders of them',
    next: 'seaworthy replay .seaworthy/runs/<run>/<check>.json, as the report of the run names it',
  });
}

/** A saved case and the file that it was read from. */
interface CaseFile {
  readonly file: string;
  readonly saved: SavedCase;
}

/**
 * The saved cases of files and folders: of a folder all in it and below it, by name; other JSON files there are left out.
 *
 * @throws UsageError where a file cannot be read or holds no saved case, or a folder holds none
 */
async function caseFiles(paths: readonly string[]): Promise<readonly CaseFile[]> {
  const files = await Promise.all(paths.map(async (path) => ((await isFolder(path)) ? filesBelow(path) : [path])));
  return Promise.all(files.flat().map(async (file) => ({ file, saved: await readSavedCase(file) })));
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const cases = paths.toSorted().filter(isSavedCase);
  if (cases.length === 0) throw folderEmpty(folder);
  return cases;
}

function folderEmpty(folder: string): UsageError {
  return new UsageError('SW_CASE_INVALID', {
    received: `there is no saved case in the folder ${folder}`,
    valid: 'a folder with files that seaworthy receiver, seaworthy service or seaworthy fuzz wrote about failures',
    next: 'give the folder of a run, .seaworthy/runs/<run>, or one that you copied such files to',
  });
}
