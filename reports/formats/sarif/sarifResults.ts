import { createHash } from 'node:crypto';
import type { PhysicalLocation, Result } from 'sarif';

import { findingText } from '../../text/failureText.ts';
import { findings, type Finding } from '../../model/findings.ts';
import { fromRoot } from '../github/fromRoot.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { visible } from '../../text/visible.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** A result for each requirement that a failing case breaks; a case that breaks none (it did not come again) has one. */
export function sarifResults(summary: RunSummary, options: ReporterOptions): readonly Result[] {
  return findings(summary).flatMap((finding) => {
    const { check, broken, counterexample: { requirements = [] } = {} } = finding;
    if (broken.length > 0) return broken.map(({ id }) => resultOf(id, finding, summary, options));
    const known = [...requirements, ...check.requirements].find((id) =>
      summary.requirements.some((row) => row.id === id),
    );
    return known === undefined ? [] : [resultOf(known, finding, summary, options)];
  });
}

function resultOf(ruleId: string, finding: Finding, summary: RunSummary, options: ReporterOptions): Result {
  const { check, weight, counterexample, found, expected } = finding;
  const { seed = summary.run.seed, path } = counterexample ?? {};
  return {
    ruleId,
    ruleIndex: summary.requirements.findIndex(({ id }) => id === ruleId),
    level: levels[weight],
    message: { text: visible(findingText(finding, summary), '\n') },
    ...placeOf(finding, options),
    partialFingerprints: fingerprints(`${check.id} ${ruleId} ${found?.cause ?? ''}`),
    ...(expected && {
      suppressions: expected.map(({ reason }) => {
        return { kind: 'external' as const, status: 'accepted' as const, justification: visible(reason, '\n') };
      }),
    }),
    properties: {
      check: check.id,
      outcome: check.outcome,
      weight,
      seed,
      ...(path !== undefined && { path }),
      ...(found && { steps: found.steps.map((step) => visible(step)), rate: found.rate }),
    },
  };
}

const levels = { failure: 'error', warning: 'warning', flaky: 'note' } as const satisfies Record<
  Finding['weight'],
  Result.level
>;

/** The same for the same failure of another run. Code scanning of GitHub reads the second one only. */
function fingerprints(identity: string): Record<string, string> {
  const hash = createHash('sha256').update(identity.toWellFormed()).digest('hex').slice(0, 16);
  return { 'seaworthy/v1': hash, primaryLocationLineHash: `${hash}:1` };
}

/** The config file, which stays the same from run to run; else the saved case; else the journal. */
function placeOf(
  { check, counterexample }: Finding,
  options: ReporterOptions,
): Pick<Result, 'locations' | 'relatedLocations'> {
  const saved = counterexample?.file;
  const file = options.config ?? saved ?? options.journal;
  const logicalLocations = [{ fullyQualifiedName: check.id, kind: 'function' }];
  const physical = file === undefined ? {} : { physicalLocation: physicalLocation(file, options) };
  const related =
    saved === undefined || saved === file
      ? []
      : [{ physicalLocation: physicalLocation(saved, options), message: { text: 'The saved case, to be replayed.' } }];
  return { locations: [{ ...physical, logicalLocations }], ...(related.length > 0 && { relatedLocations: related }) };
}

function physicalLocation(file: string, options: ReporterOptions): PhysicalLocation {
  return { artifactLocation: artifact(fromRoot(file, options)), region: { startLine: 1 } };
}

/** A path as a URI: relative to the root of the repository, or absolute. */
function artifact(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  const uri = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return { uri: `file://${uri}` };
  if (/^[a-z]:\//i.test(path)) return { uri: `file:///${uri}` };
  return { uri, uriBaseId: '%SRCROOT%' };
}
