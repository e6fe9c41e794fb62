import { shortCitation } from '../../../text/citation.ts';
import type { JSX } from 'preact';

import type { Change, Comparison, ComparedCheck, ComparedRequirement, Slower } from '../../../model/compareRuns.ts';
import type { RunSummary } from '../../../model/runSummary.ts';
import { changesToReport, changeTitles, standingWords, headWords } from '../../../text/verdictWords.ts';
import { duration } from '../../../text/amount.ts';
import { anchorsOf, Facts, linkTo, Section, shown, ColumnNames, TextList } from './section.tsx';
import { FailureSection } from './failureSection.tsx';
import { FilterBar, familyOf, matches } from './filterBar.tsx';
import { findingsOf } from './findings.ts';
import { Frame } from './frame.tsx';
import { RequirementMark } from './mark.tsx';
import { RepeatSection } from './copyable.tsx';
import { useRoute } from './route.ts';
import { Banner, dateText } from './verdictBanner.tsx';

const order: readonly Change[] = [...changesToReport, 'same'];

/** Two runs, the later one beside the earlier one. */
export function ComparisonPage({ comparison }: { comparison: Comparison }): JSX.Element {
  const { before, after, requirements, checks, slower, cautions, regressed } = comparison;
  return (
    <Frame
      kit={after.kit}
      head={
        <Banner
          tone={regressed ? 'bad' : 'good'}
          title={regressed ? 'Regressed' : 'No regression'}
          detail={brief(requirements)}
        >
          <Facts
            rows={[
              [
                'Earlier',
                `${dateText(before.run.startedAt)}, ${before.target.address}: ${headWords(before).join('. ')}`,
              ],
              ['Later', `${dateText(after.run.startedAt)}, ${after.target.address}: ${headWords(after).join('. ')}`],
            ]}
          />
        </Banner>
      }
    >
      <Cautions cautions={cautions} />
      <ComparedRequirements rows={requirements} runs={[before, after]} />
      <SlowerSection slower={slower} />
      <ChangedChecks checks={checks} />
      <FailureSection summary={after} explained={{}} findings={findingsOf(after)} anchors={anchorsOf('')} />
      <RepeatSection summary={after} anchors={anchorsOf('')} />
    </Frame>
  );
}

/** @example 'Broke: IDM-2, IDM-3. Fixed: VRF-1.' */
function brief(rows: readonly ComparedRequirement[]): string {
  const parts = changesToReport.flatMap((change) => {
    const ids = rows.filter((row) => row.change === change).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${changeTitles[change]}: ${ids.join(', ')}.`];
  });
  return parts.length === 0 ? 'Every requirement stands as before.' : parts.join(' ');
}

function Cautions({ cautions }: { cautions: readonly string[] }): JSX.Element | null {
  if (cautions.length === 0) return null;
  return (
    <div class="alarm">
      <h2>Before you compare</h2>
      <TextList texts={cautions} />
    </div>
  );
}

/** The earlier run and the later one. */
type Runs = readonly [before: RunSummary, after: RunSummary];

function ComparedRequirements(props: { rows: readonly ComparedRequirement[]; runs: Runs }): JSX.Element {
  const { rows, runs } = props;
  const { anchor, filters: given } = useRoute();
  const filters = anchor === 'requirements' ? given : {};
  const sorted = rows.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
  const hits = new Set(sorted.filter((row) => matches(filterable(row), filters)).map(({ id }) => id));
  const changes = order.filter((change) => rows.some((row) => row.change === change));
  return (
    <Section id="requirements" title="Requirements, then and now">
      <FilterBar
        anchor="requirements"
        filters={filters}
        choices={{
          outcome: changes.map((change) => [change, changeTitles[change]]),
          level: [...new Set(rows.map(({ level }) => level))].map((level) => [level, level.toUpperCase()]),
          subject: [...new Set(rows.map(({ id }) => familyOf(id)))].map((family) => [family, family]),
        }}
        count={[hits.size, rows.length]}
      />
      <div class="scroll" tabIndex={0} role="group" aria-label="Requirements, then and now">
        <table class="compared">
          <ColumnNames names={['Requirement', 'Change', 'Earlier', 'Later']} />
          <tbody>
            {sorted.map((row) => (
              <Row key={row.id} row={row} runs={runs} hidden={!hits.has(row.id)} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Row(props: { row: ComparedRequirement; runs: Runs; hidden: boolean }): JSX.Element {
  const { row, runs, hidden } = props;
  const { id, level, statement, change } = row;
  const [before, after] = runs;
  return (
    <tr id={id} hidden={hidden} class={change}>
      <th scope="row">
        <a href={linkTo(id)}>{shown(id)}</a> <span class="level">{level.toUpperCase()}</span>
        <p class="says">{shown(statement)}</p>
      </th>
      <td class="change">{changeTitles[change]}</td>
      <Then name="Earlier:" id={id} summary={before} />
      <Then name="Later:" id={id} summary={after} />
    </tr>
  );
}

/** @param props.name - shown before it where the table has no head: on a small screen */
function Then(props: { name: string; id: string; summary: RunSummary }): JSX.Element {
  const { name, id, summary } = props;
  const row = summary.requirements.find((each) => each.id === id);
  const mark = row && <RequirementMark row={row} strict={summary.run.strict} />;
  return <td data-name={name}>{mark ?? standingWords(undefined)}</td>;
}

function filterable({ id, level, section, statement, change }: ComparedRequirement) {
  return {
    outcomes: [change],
    level,
    subjects: [familyOf(id)],
    text: [id, level, shortCitation(section), statement].join(' '),
  };
}

function SlowerSection({ slower }: { slower: readonly Slower[] }): JSX.Element | null {
  if (slower.length === 0) return null;
  return (
    <Section id="slower" title="What became slower">
      <ul>
        {slower.map(({ what, before, after }) => (
          <li key={what}>
            {shown(what)}: {duration(after)} instead of {duration(before)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ChangedChecks({ checks }: { checks: readonly ComparedCheck[] }): JSX.Element | null {
  const changed = checks.filter(({ change }) => change !== 'same');
  if (changed.length === 0) return null;
  return (
    <Section id="checks" title="Checks that changed">
      <ul class="plain changed">
        {changed.map(({ id, title, before, after, change }) => (
          <li key={id}>
            {changeTitles[change]}: <b>{shown(id)}</b>{' '}
            <span class="note">
              ({standingWords(before)}, now {standingWords(after)})
            </span>
            <p class="says">{shown(title)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
