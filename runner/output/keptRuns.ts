import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { readRun } from './readRun.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** Where runs are kept, below the working directory, unless another folder is given: a journal each, and a folder of failed cases. */
export const runsFolder = join('.seaworthy', 'runs');

/** What the kit calls a run; nothing else in the folder is touched. */
const ownName = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{6})(?:\.ndjson)?$/;

/** Milliseconds after which a run that has no end is taken for a killed one. */
const longestSilence = 3_600_000;

/** The journals that are kept, the newest first. */
export function keptJournals(workingDirectory: string): readonly string[] {
  const folder = join(workingDirectory, runsFolder);
  return keptIds(folder)
    .map((id) => journalOf(folder, id))
    .filter((path) => existsSync(path));
}

/**
 * The newest kept run that is as wanted. Journals that cannot be read are passed over.
 *
 * @param wanted - judges a run by what it began with
 */
export async function newestRun(
  workingDirectory: string,
  wanted: (run: RunSummary) => boolean,
): Promise<RunSummary | undefined> {
  for (const path of keptJournals(workingDirectory)) {
    const run = await readRun(path).catch(() => undefined);
    if (run !== undefined && wanted(run)) return run;
  }
  return undefined;
}

/**
 * Removes all runs but the newest, with their failed cases. One that may still go on stays. What cannot be removed stays,
 * too: that is no reason to fail the run that has just ended.
 *
 * @param keep - how many stay
 */
export function pruneRuns(workingDirectory: string, keep: number): void {
  const folder = join(workingDirectory, runsFolder);
  for (const id of keptIds(folder).slice(keep)) {
    try {
      if (goesOn(folder, id)) continue;
      for (const path of [journalOf(folder, id), join(folder, id)]) rmSync(path, { recursive: true, force: true });
    } catch {
      // As said above.
    }
  }
}

/** Names of runs sort by time. */
function keptIds(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return [...new Set(names.flatMap((name) => ownName.exec(name)?.[1] ?? []))].toSorted().toReversed();
}

function journalOf(folder: string, id: string): string {
  return join(folder, `${id}.ndjson`);
}

function goesOn(folder: string, id: string): boolean {
  const journal = journalOf(folder, id);
  const isKept = existsSync(journal);
  if (isKept && hasEnd(journal)) return false;
  return Date.now() - statSync(isKept ? journal : join(folder, id)).mtimeMs < longestSilence;
}

/** The last event of a run; little can follow it. */
function hasEnd(journal: string): boolean {
  const file = openSync(journal, 'r');
  try {
    const bytes = Buffer.alloc(64 * 1024);
    const read = readSync(file, bytes, 0, bytes.length, Math.max(0, fstatSync(file).size - bytes.length));
    return bytes.toString('utf8', 0, read).includes('{"type":"run.finished"');
  } finally {
    closeSync(file);
  }
}
