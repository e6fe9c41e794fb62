import { jsonText } from '../../text/jsonText.ts';
import { exitCode } from '../../model/exitCode.ts';
import { type ReporterOptions, atEnd, type DocumentOf, type Format } from '../format.ts';
import { amount } from '../../text/amount.ts';
import { bindingBroken, failedAlone, unexpectedlyBroken } from '../../model/verdict.ts';
import { visible } from '../../text/visible.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** What a badge can be about. */
type BadgeDocument = DocumentOf<'run' | 'matrix'>;

/** What badge services read from an address. @see https://shields.io/badges/endpoint-badge */
interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: 'brightgreen' | 'red' | 'orange' | 'yellow' | 'lightgrey';
  /** The run could not be made, or was not made to its end. */
  readonly isError?: true;
}

export const badge: Format<BadgeDocument['kind']> = {
  summary: 'for a README: the verdict, as SVG, or as the JSON that badge services read where the path ends in .json',
  readers: 'people',
  file: 'conformance.svg',
  stdout: 'document',
  documents: ['run', 'matrix'],
  package: (path) => (isJsonFile(path) ? undefined : 'badge-maker'),
  render,
  create: atEnd(render),
};

/** As JSON for badge services where the report's file ends in `.json`, else as SVG. */
async function render(document: BadgeDocument, { path }: ReporterOptions = {}): Promise<string> {
  const shown = badgeOf(document);
  if (isJsonFile(path)) return jsonText(shown);
  const { label, message, color } = shown;
  // Loaded late: few reports are badges.
  const { makeBadge } = await import('badge-maker');
  return `${makeBadge({ label, message, color })}\n`;
}

function isJsonFile(path = ''): boolean {
  return /\.json$/i.test(path);
}

/** The badge of a run, or of several targets together. */
function badgeOf(document: BadgeDocument): Badge {
  return document.kind === 'run' ? ofRun(document.summary) : ofMatrix(document.summaries);
}

function ofRun(summary: RunSummary): Badge {
  const code = exitCode(summary);
  const isError = !summary.run.complete || code === 3 || code === 70 || code === 130;
  return {
    schemaVersion: 1,
    label: visible(`${summary.kit.name} ${summary.target.kind}`),
    ...spoken(summary, isError),
    ...(isError && { isError }),
  };
}

function spoken(summary: RunSummary, isError: boolean): Pick<Badge, 'message' | 'color'> {
  const { verdict, requirements, search } = summary;
  if (verdict === 'does-not-conform') {
    const alone = failedAlone(summary).length;
    const broken = bindingBroken(summary).length + alone;
    const expected = unexpectedlyBroken(summary).length + alone === 0;
    const message = `does not conform, ${broken} broken${expected ? ' as expected' : ''}${isError ? ', incomplete' : ''}`;
    return { message, color: expected ? 'orange' : 'red' };
  }
  if (isError) return { message: 'incomplete', color: 'lightgrey' };
  if (verdict === 'conforms') return { message: 'conforms', color: 'brightgreen' };
  const musts = requirements.filter(({ level }) => level === 'must');
  const holding = musts.filter(({ outcome }) => outcome === 'holds').length;
  const message =
    search === undefined
      ? `${holding} of ${musts.length} MUSTs hold`
      : `no MUST broken in ${amount(search.figures.cases, 'sequence')}`;
  return { message, color: 'yellow' };
}

function ofMatrix(summaries: readonly RunSummary[]): Badge {
  const conforming = summaries.filter(({ verdict }) => verdict === 'conforms').length;
  const broken = summaries.some(({ verdict }) => verdict === 'does-not-conform');
  return {
    schemaVersion: 1,
    label: visible(summaries[0]?.kit.name ?? ''),
    message: `${conforming} of ${summaries.length} conform`,
    color: broken ? 'red' : conforming === summaries.length ? 'brightgreen' : 'yellow',
  };
}
