import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { renderDocument } from '../../../reports/formats/index.ts';
import { verdictLine } from '../../../reports/text/verdictWords.ts';
import { UsageError } from '../../errors.ts';
import { githubActions } from '../../options/githubActions.ts';
import { openFileSink } from '../../output/writtenFile.ts';
import { keptJournals } from '../../output/keptRuns.ts';
import { locatedRun, readRun } from '../../output/readRun.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { explainBroken } from '../explain/run.ts';
import { showReportOptions } from './command.ts';

/** What `seaworthy show-report` does. @returns the exit code */
export async function showReport(input: CommandInput): Promise<number> {
  const { argument, programEnvironment } = input;
  const { environment, workingDirectory, stdout } = programEnvironment;
  const { output, open } = commandSettings(showReportOptions, input);
  const [newest] = argument === undefined ? keptJournals(workingDirectory) : [resolve(workingDirectory, argument)];
  if (newest === undefined) throw noRun();
  const place = { journal: newest, workingDirectory, root: githubActions(environment, workingDirectory).root };
  const summary = locatedRun(await readRun(newest), place);
  const page = resolve(workingDirectory, output);
  if (page === newest) throw sameFile(output);
  const file = openFileSink(page, `--output ${output}`);
  file.write(await renderDocument('html', { kind: 'run', summary }, { explain: explainBroken }));
  file.commit();
  stdout.write(`Run ${summary.run.id}: ${verdictLine(summary)}\n${relative(workingDirectory, page)}\n`);
  const browser = open && stdout.tty ? browserFor(process.platform, environment) : undefined;
  const opened = browser !== undefined && (await openPage(browser, pathToFileURL(page).href));
  if (!opened && stdout.tty) stdout.write(`${pathToFileURL(page).href}\n`);
  return 0;
}

function noRun(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'show-report was given no journal, and .seaworthy/runs of this directory has none',
    valid: 'a directory in which a run was made, or the path of its journal',
    next: 'seaworthy show-report <journal>, as the last lines of a run name it',
  });
}

function sameFile(output: string): UsageError {
  return new UsageError('SW_REPORT_WRITE', {
    received: `--output ${output} would replace the journal that it is made from`,
    valid: 'the path of another file',
    next: 'choose another path: --output report.html',
  });
}

/** A program that opens an address, and what stands before the address. */
type Browser = readonly [program: string, ...words: string[]];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What opens a page for the person at this machine; nothing in CI, and where there is no display. `BROWSER` names another
 * program, or `none`.
 *
 * @example browserFor('darwin', {}) // ['open']
 */
export function browserFor(platform: NodeJS.Platform, environment: Environment): Browser | undefined {
  const { BROWSER: own, CI, DISPLAY, WAYLAND_DISPLAY } = environment;
  if (own === 'none' || (CI && CI !== 'false')) return undefined;
  if (own) return [own];
  if (platform === 'darwin') return ['open'];
  // The first quoted word is the title of a window.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  // Without a display xdg-open would take a browser for terminals.
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Starts it, and leaves it to itself. @returns false where it cannot be started */
export async function openPage([program, ...words]: Browser, address: string): Promise<boolean> {
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  child.unref();
  return true;
}
