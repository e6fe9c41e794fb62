import { shortCitation } from '../../../text/citation.ts';
import type { JSX } from 'preact';

import type { Level } from '../../../../spec/requirement.ts';
import { headWords } from '../../../text/verdictWords.ts';
import { linkTo, Section, shown } from './section.tsx';
import { type Choice, FilterBar, familyOf, matches } from './filterBar.tsx';
import { Frame } from './frame.tsx';
import { outcomeWords, RequirementMark } from './mark.tsx';
import { RunParts } from './runParts.tsx';
import { useRoute } from './route.ts';
import { Banner } from './verdictBanner.tsx';
import type { RequirementOutcome, RunSummary } from '../../../model/runSummary.ts';

/** A requirement, and how it stands at each target: nothing where the target is of another kind. */
interface Line {
  readonly id: string;
  readonly level: Level;
  readonly section: string;
  readonly statement: string;
  readonly results: readonly (RunSummary['requirements'][number] | undefined)[];
  readonly kinds: readonly string[];
}

/** Several targets side by side, and each by itself below. */
export function MatrixPage({ summaries }: { summaries: readonly RunSummary[] }): JSX.Element {
  const bad = summaries.filter(({ verdict }) => verdict === 'does-not-conform').length;
  const good = summaries.filter(({ verdict }) => verdict === 'conforms').length;
  const incomplete = summaries.filter(({ verdict, run }) => verdict === 'inconclusive' && !run.complete).length;
  const tone = bad > 0 ? 'bad' : good === summaries.length ? 'good' : 'open';
  const counts = [
    [bad, bad === 1 ? 'does not conform' : 'do not conform'],
    [incomplete, 'incomplete'],
    [summaries.length - good - bad - incomplete, 'inconclusive'],
    [good, good === 1 ? 'conforms' : 'conform'],
  ] as const;
  const detail = counts.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : [])).join(', ');
  return (
    <Frame
      kit={summaries[0]?.kit}
      head={
        <Banner tone={tone} title={`${summaries.length} targets side by side`} detail={detail}>
          <Targets summaries={summaries} />
        </Banner>
      }
    >
      <SideBySide summaries={summaries} />
      {summaries.map((summary, index) => (
        <details class="run" key={summary.run.id} open={summaries.length <= 2}>
          <summary>
            <h2 id={`${index + 1}`}>
              {index + 1}. {shown(nameOf(summary))}
            </h2>
          </summary>
          <RunParts summary={summary} explained={{}} prefix={`${index + 1}`} />
        </details>
      ))}
    </Frame>
  );
}

function Targets({ summaries }: { summaries: readonly RunSummary[] }): JSX.Element {
  return (
    <ol class="targets">
      {summaries.map((summary, index) => (
        <li key={summary.run.id}>
          <a href={`#${index + 1}`}>{shown(nameOf(summary))}</a>: {headWords(summary).map(shown).join('. ')}
        </li>
      ))}
    </ol>
  );
}

function SideBySide({ summaries }: { summaries: readonly RunSummary[] }): JSX.Element {
  const { anchor, filters: given } = useRoute();
  const filters = anchor === 'requirements' ? given : {};
  const lines = linesOf(summaries);
  const hits = new Set(lines.filter((line) => matches(filterable(line), filters)).map(({ id }) => id));
  return (
    <Section id="requirements" title="Requirements, side by side">
      <FilterBar anchor="requirements" filters={filters} choices={choicesOf(lines)} count={[hits.size, lines.length]} />
      <div
        class={`scroll side-by-side${summaries.length <= 3 ? ' few' : ''}`}
        tabIndex={0}
        role="group"
        aria-label="Requirements by targets"
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              {summaries.map((summary, index) => (
                <th scope="col" key={summary.run.id}>
                  {index + 1}. {shown(nameOf(summary))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Row key={line.id} line={line} summaries={summaries} hidden={!hits.has(line.id)} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Row(props: { line: Line; summaries: readonly RunSummary[]; hidden: boolean }): JSX.Element {
  const { line, summaries, hidden } = props;
  const { id, level, statement, results } = line;
  return (
    <tr id={id} hidden={hidden}>
      <th scope="row">
        <b>{shown(id)}</b> <span class="level">{level.toUpperCase()}</span>
        <p class="says">{shown(statement)}</p>
      </th>
      {results.map((result, index) => (
        <td key={`${index + 1}`} data-name={result ? `${index + 1}. ${briefly(summaries[index])}` : ''}>
          {result ? (
            <a href={linkTo(`${index + 1}/${id}`)}>
              <RequirementMark row={result} strict={summaries[index]?.run.strict === true} />
            </a>
          ) : (
            <span class="hidden">does not apply</span>
          )}
        </td>
      ))}
    </tr>
  );
}

/** Beside each result where the table has no head: on a small screen. */
function briefly(summary: RunSummary | undefined): string {
  return shown(summary?.target.address.replace(/^https?:\/\//, '') ?? '');
}

function nameOf({ target }: RunSummary): string {
  return `${target.kind} ${target.address}`;
}

function linesOf(summaries: readonly RunSummary[]): readonly Line[] {
  const all = new Map(summaries.flatMap(({ requirements }) => requirements).map((row) => [row.id, row]));
  return [...all.values()].map(({ id, level, section, statement }) => {
    const results = summaries.map(({ requirements }) => requirements.find((row) => row.id === id));
    const kinds = summaries.filter((_, index) => results[index] !== undefined).map(({ target }) => target.kind);
    return { id, level, section, statement, results, kinds };
  });
}

function filterable({ id, level, section, statement, results, kinds }: Line) {
  return {
    outcomes: [...outcomesOf(results), ...(differs(results) ? [different[0]] : [])],
    level,
    subjects: [familyOf(id), ...kinds],
    text: [id, level, shortCitation(section), statement].join(' '),
  };
}

/** Stands among the outcomes: the rows that distinguish the targets. */
const different = ['different', 'differs between targets'] as const satisfies Choice;

function outcomesOf(results: Line['results']): readonly RequirementOutcome[] {
  return results.flatMap((result) => (result ? [result.outcome] : []));
}

function differs(results: Line['results']): boolean {
  return new Set(outcomesOf(results)).size > 1;
}

function choicesOf(lines: readonly Line[]): Record<'outcome' | 'level' | 'subject', readonly Choice[]> {
  const outcomes = new Set(lines.flatMap(({ results }) => outcomesOf(results)));
  const same = (values: Iterable<string>): readonly Choice[] => [...new Set(values)].map((each) => [each, each]);
  return {
    outcome: [
      ...[...outcomes].map((each): Choice => [each, outcomeWords(each)]),
      ...(lines.some(({ results }) => differs(results)) ? [different] : []),
    ],
    level: same(lines.map(({ level }) => level)).map(([each]) => [each, each.toUpperCase()]),
    subject: same([...lines.flatMap(({ kinds }) => kinds), ...lines.map(({ id }) => familyOf(id))]),
  };
}
