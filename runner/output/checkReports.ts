import { normalize, resolve } from 'node:path';
import { existsSync, realpathSync } from 'node:fs';

import { formatNames, formats, isFormat, type FormatName } from '../../reports/formats/index.ts';
import { UsageError } from '../errors.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';
import type { Format } from '../../reports/formats/format.ts';
import type { ReportTarget } from '../options/optionKinds.ts';
import { requirePackage } from '../options/packages.ts';

/** A report whose format exists. */
export interface CheckedReport extends ReportTarget {
  readonly format: FormatName;
}

/** How a report goes to standard output; nothing where it goes to a file. */
export function stdoutUse({ format, path }: CheckedReport): 'text' | 'commands' | 'document' | undefined {
  const { stdout } = formats[format];
  return path !== undefined || stdout === 'never' ? undefined : stdout;
}

/**
 * The same reports, their formats known.
 *
 * @param valid - the formats that are named where one does not exist. Default: all
 * @throws UsageError for an unknown format, for one whose package is not installed, or where two would share standard output or a file
 */
export function checkReports(
  targets: readonly ReportTarget[],
  valid: readonly FormatName[] = formatNames,
): readonly CheckedReport[] {
  const checked = targets.map(({ format, ...target }) => {
    if (!isFormat(format)) throw unknownFormat(format, valid);
    const known: Format = formats[format];
    const needed = known.package?.(target.path);
    if (needed !== undefined) requirePackage(needed, `--report ${format}`);
    return { format, ...target };
  });
  const onStdout = checked.filter((target) => stdoutUse(target) !== undefined);
  if (onStdout.length > 1 && !onStdout.every(sharesStdout)) throw stdoutShared(onStdout);
  const twice = checked.find((one, at) => checked.slice(0, at).some((other) => samePath(one, other)));
  if (twice !== undefined) throw pathShared(twice);
  return checked;
}

function samePath({ path: one }: ReportTarget, { path: other }: ReportTarget): boolean {
  return one !== undefined && other !== undefined && normalize(one) === normalize(other);
}

/** A job picks its commands out of a log: they can stand below one text. */
function sharesStdout(target: CheckedReport, at: number, all: readonly CheckedReport[]): boolean {
  const use = stdoutUse(target);
  return use !== 'document' && all.findIndex((other) => stdoutUse(other) === use) === at;
}

function unknownFormat(format: string, names: readonly FormatName[]): UsageError {
  return new UsageError('SW_REPORT_FORMAT', {
    received: `there is no report format "${format}"`,
    valid: names.join(', '),
    next:
      didYouMean(nearest(format, names)) ?? 'choose one of them, with =<path> for a file: --report json=report.json',
  });
}

function pathShared({ format, path }: ReportTarget): UsageError {
  return new UsageError('SW_REPORT_WRITE', {
    received: `--report ${format}=${path} would replace another report of the same command`,
    valid: 'a path of its own for each report',
    next: `choose another path: --report ${format}=<path>`,
  });
}

function stdoutShared(targets: readonly ReportTarget[]): UsageError {
  const flags = targets.map(({ format }) => `--report ${format}`);
  return new UsageError('SW_REPORT_STDOUT', {
    received: `${flags.join(' and ')} would both write to standard output`,
    valid: 'one report on standard output, any number in files',
    next: `give all but one a path: ${flags.at(-1)}=<path>`,
  });
}

/**
 * A report must not take the place of what it is made from.
 *
 * @param journals - relative to the directory, or absolute
 * @throws UsageError where it would
 */
export function requireOther({ format, path }: ReportTarget, journals: readonly string[], directory: string): void {
  if (path === undefined || !journals.some((journal) => sameFile(journal, path, directory))) return;
  throw new UsageError('SW_REPORT_WRITE', {
    received: `--report ${format}=${path} would replace the journal that it is made from`,
    valid: 'the path of another file',
    next: `choose another path: --report ${format}=<path>`,
  });
}

/** Whether two paths name one file, also where one of them is a link to it. */
function sameFile(one: string, other: string, directory: string): boolean {
  const [first, second] = [one, other].map((path) => {
    const whole = resolve(directory, path);
    return existsSync(whole) ? realpathSync(whole) : whole;
  });
  return first === second;
}
