import { shortCitation } from '../../../text/citation.ts';
import type { JSX } from 'preact';

import { isExpected } from '../../../model/expectations.ts';
import { shownRequirements } from '../../../model/requirementOutcome.ts';
import { amount } from '../../../text/amount.ts';
import { type Anchors, linkTo, Section, Sentence, shown } from './section.tsx';
import { Citation } from './brokenSection.tsx';
import { type Choice, FilterBar, familyOf, matches } from './filterBar.tsx';
import { Mark, outcomeWords, RequirementMark } from './mark.tsx';
import { useRoute } from './route.ts';
import type { CheckResult, RequirementResult, RunSummary } from '../../../model/runSummary.ts';

/** Every requirement with its outcome, to be filtered; each row has an address. */
export function RequirementSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element {
  const { anchor, filters: given } = useRoute();
  const id = anchors('requirements');
  const filters = anchor === id ? given : {};
  const { checks } = summary;
  const requirements = shownRequirements(summary);
  const shownIds = new Set(
    requirements.filter((row) => matches(filterable(row, summary), filters)).map((row) => row.id),
  );
  return (
    <Section id={id} title="Requirements">
      <FilterBar
        anchor={id}
        filters={filters}
        choices={choicesOf(requirements)}
        count={[shownIds.size, requirements.length]}
      />
      <table class="requirements" role="table" aria-label="Requirements">
        <Head />
        <tbody role="rowgroup">
          {requirements.map((row) => (
            <Row
              key={row.id}
              row={row}
              strict={summary.run.strict}
              known={row.outcome === 'broken' && isExpected(row, summary)}
              checks={checks.filter(({ requirements: ids }) => ids.includes(row.id))}
              hidden={!shownIds.has(row.id)}
              anchors={anchors}
            />
          ))}
        </tbody>
      </table>
      {shownIds.size === 0 && <p class="calm">No requirement is like that.</p>}
    </Section>
  );
}

function Head(): JSX.Element {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {['Outcome', 'Id', 'Level', 'Section', 'What it says'].map((name) => (
          <th key={name} scope="col" role="columnheader">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row(props: {
  row: RequirementResult;
  known: boolean;
  strict: boolean;
  checks: readonly CheckResult[];
  hidden: boolean;
  anchors: Anchors;
}): JSX.Element {
  const { row, known, strict, checks, hidden, anchors } = props;
  return (
    <tr id={anchors(row.id)} role="row" hidden={hidden} class={row.outcome}>
      <td role="cell" class="outcome">
        <RequirementMark row={row} strict={strict} />
      </td>
      <th role="rowheader" scope="row">
        <a href={linkTo(anchors(row.id))}>{shown(row.id)}</a>
      </th>
      <td role="cell" class="level">
        {row.level.toUpperCase()}
        {row.binding && row.level === 'may' && <span class="note"> (declared)</span>}
      </td>
      <td role="cell" class="section">
        <Citation section={row.section} />
      </td>
      <td role="cell" class="says">
        {shown(row.statement)}
        {known && <p class="note">Known to fail.</p>}
        {row.reason !== undefined && (
          <p class="note">
            <Sentence text={row.reason} />
          </p>
        )}
        <CheckLinks checks={checks} anchors={anchors} />
      </td>
    </tr>
  );
}

function CheckLinks({ checks, anchors }: { checks: readonly CheckResult[]; anchors: Anchors }): JSX.Element {
  if (checks.length === 0) return <></>;
  return (
    <details class="checks">
      <summary>{amount(checks.length, 'check')}</summary>
      <ul class="plain">
        {checks.map(({ id, outcome }) => (
          <li key={id}>
            <Mark outcome={outcome} short /> <a href={linkTo(anchors(id))}>{shown(id)}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function filterable(row: RequirementResult, { target }: RunSummary) {
  return {
    outcomes: [row.outcome],
    level: row.level,
    subjects: [familyOf(row.id), target.kind],
    text: [row.id, row.level, shortCitation(row.section), row.statement, ...row.checks].join(' '),
  };
}

/** What can be chosen: only what occurs. */
function choicesOf(
  rows: readonly Pick<RequirementResult, 'id' | 'level' | 'outcome'>[],
): Record<'outcome' | 'level' | 'subject', readonly Choice[]> {
  const distinct = <Value extends string>(values: readonly Value[]): readonly Value[] => [...new Set(values)];
  return {
    outcome: distinct(rows.map(({ outcome }) => outcome)).map((each) => [each, outcomeWords(each)]),
    level: distinct(rows.map(({ level }) => level)).map((each) => [each, each.toUpperCase()]),
    subject: distinct(rows.map(({ id }) => familyOf(id))).map((each) => [each, each]),
  };
}
