import type { JSX } from 'preact';

import type { Change, Comparison, ComparedCheck, ComparedRequirement, Slower } from '../../comparison.ts';
import { duration } from '../../terminal/amount.ts';
import { anchorsOf, linkTo } from './anchors.ts';
import { Facts } from './facts.tsx';
import { FailureSection } from './failureSection.tsx';
import { FilterBar } from './filterBar.tsx';
import { findingsOf } from './findings.ts';
import { Frame } from './frame.tsx';
import { familyOf, matches } from './matches.ts';
import { type AnyOutcome, Mark } from './mark.tsx';
import { RepeatSection } from './repeatSection.tsx';
import { Section } from './section.tsx';
import { shown } from './shown.ts';
import { useRoute } from './useRoute.ts';
import { Banner, dateText, verdictWords } from './verdictBanner.tsx';

const words: Readonly<Record<Change, string>> = {
  broke: 'broke',
  mended: 'was mended',
  'newly-observed': 'is newly observed',
  'no-longer-observed': 'is no longer observed',
  added: 'is new',
  removed: 'is gone',
  same: 'is as before',
};

const order = Object.keys(words) as readonly Change[];

/** Two runs, the later one beside the earlier one. */
export function ComparisonPage({ comparison }: { comparison: Comparison }): JSX.Element {
  const { before, after, requirements, checks, slower, cautions, regressed } = comparison;
  return (
    <Frame
      kit={after.kit}
      head={
        <Banner
          tone={regressed ? 'bad' : 'good'}
          title={regressed ? 'It got worse' : 'No regression'}
          detail={brief(requirements)}
        >
          <Facts
            rows={[
              [
                'Earlier',
                `${dateText(before.run.startedAt)}, ${before.target.address}: ${verdictWords(before).join('. ')}`,
              ],
              ['Later', `${dateText(after.run.startedAt)}, ${after.target.address}: ${verdictWords(after).join('. ')}`],
            ]}
          />
        </Banner>
      }
    >
      <Cautions cautions={cautions} />
      <ComparedRequirements rows={requirements} />
      <SlowerSection slower={slower} />
      <ChangedChecks checks={checks} />
      <FailureSection summary={after} findings={findingsOf(after)} anchors={anchorsOf('')} />
      <RepeatSection summary={after} anchors={anchorsOf('')} />
    </Frame>
  );
}

function brief(rows: readonly ComparedRequirement[]): string {
  const parts = order.flatMap((change) => {
    const ids = rows.filter((row) => row.change === change).map(({ id }) => id);
    return ids.length === 0 || change === 'same'
      ? []
      : [`${ids.join(', ')} ${ids.length === 1 ? words[change] : plural[change]}`];
  });
  return parts.length === 0 ? 'Every requirement stands as before.' : `${parts.join('; ')}.`;
}

const plural: Readonly<Record<Change, string>> = {
  ...words,
  mended: 'were mended',
  'newly-observed': 'are newly observed',
  'no-longer-observed': 'are no longer observed',
  added: 'are new',
  removed: 'are gone',
};

function Cautions({ cautions }: { cautions: readonly string[] }): JSX.Element | null {
  if (cautions.length === 0) return null;
  return (
    <section class="alarm" aria-label="Before you compare">
      <h2>Before you compare</h2>
      <ul>
        {cautions.map((caution) => (
          <li key={caution}>{shown(caution)}</li>
        ))}
      </ul>
    </section>
  );
}

function ComparedRequirements({ rows }: { rows: readonly ComparedRequirement[] }): JSX.Element {
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
          outcome: changes.map((change) => [change, words[change]]),
          level: [...new Set(rows.map(({ level }) => level))].map((level) => [level, level.toUpperCase()]),
          subject: [...new Set(rows.map(({ id }) => familyOf(id)))].map((family) => [family, family]),
        }}
        count={[hits.size, rows.length]}
      />
      <div class="scroll" tabIndex={0} role="region" aria-label="Requirements, then and now">
        <table class="compared">
          <thead>
            <tr>
              {['Requirement', 'Change', 'Earlier', 'Later'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <tr key={row.id} id={row.id} hidden={!hits.has(row.id)} class={row.change}>
                <th scope="row">
                  <a href={linkTo(row.id)}>{shown(row.id)}</a> <span class="level">{row.level.toUpperCase()}</span>
                  <p class="says">{shown(row.statement)}</p>
                </th>
                <td class="change">{words[row.change]}</td>
                <Then outcome={row.before} />
                <Then outcome={row.after} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Then({ outcome }: { outcome: AnyOutcome | undefined }): JSX.Element {
  return <td>{outcome === undefined ? 'not in that run' : <Mark outcome={outcome} />}</td>;
}

function filterable({ id, level, section, statement, change }: ComparedRequirement) {
  return {
    outcomes: [change],
    level,
    subjects: [familyOf(id)],
    text: [id, level, `§ ${section}`, statement].join(' '),
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
            <b>{shown(id)}</b> {words[change]}{' '}
            <span class="note">
              ({before ?? 'not there'}, now {after ?? 'not there'})
            </span>
            <p class="says">{shown(title)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
