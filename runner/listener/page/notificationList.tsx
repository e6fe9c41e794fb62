import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { shown } from '../../../reports/formats/html/page/section.tsx';
import { grouped } from '../../../reports/text/amount.ts';
import type { ListedDelivery } from '../pageData.ts';
import { DottedName, answerWords, partOf, timeOf } from './words.tsx';
import { TimeAxis } from './timeAxis.tsx';

/** The attempts of one notification, in order. */
export interface ListedNotification {
  readonly group: string;
  readonly attempts: readonly [ListedDelivery, ...ListedDelivery[]];
  readonly last: ListedDelivery;
  /** The gravest of what was found in any of them. */
  readonly level: 'right' | 'noted' | 'broken';
}

/** Sorts deliveries into notifications, the one with the newest attempt first. */
export function notificationsOf(deliveries: Iterable<ListedDelivery>, search: string): readonly ListedNotification[] {
  const groups = new Map<string, [ListedDelivery, ...ListedDelivery[]]>();
  for (const each of deliveries) {
    const known = groups.get(each.group);
    // The newest attempt decides about the place.
    groups.delete(each.group);
    if (known === undefined) groups.set(each.group, [each]);
    else {
      known.push(each);
      groups.set(each.group, known);
    }
  }
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return Array.from(groups, ([group, attempts]) => {
    return { group, attempts, last: attempts.at(-1) ?? attempts[0], level: levelOf(attempts) };
  })
    .filter(({ attempts }) => words.every((word) => attempts.some((each) => textOf(each).includes(word))))
    .toReversed();
}

function levelOf(attempts: readonly ListedDelivery[]): ListedNotification['level'] {
  const levels = attempts.map(({ problem }) => problem?.level);
  return levels.includes('broken') ? 'broken' : levels.includes('noted') ? 'noted' : 'right';
}

/** What is searched in. */
function textOf({ number, event, id, method, path, problem, answered }: ListedDelivery): string {
  const level = problem?.level ?? 'right';
  return [`#${number}`, event, id, method, path, level, problem?.check, problem?.actual, answered?.words]
    .join(' ')
    .toLowerCase();
}

interface Props {
  readonly notifications: readonly ListedNotification[];
  readonly selected: number | undefined;
  readonly onSelect: (number: number) => void;
}

/** Notifications that are drawn at once. */
const step = 60;

/** What came, one row a notification, the newest first. */
export function NotificationList({ notifications, selected, onSelect }: Props): JSX.Element {
  const [most, change] = useState(step);
  return (
    <>
      <ul class="list" aria-label="Notifications">
        {notifications.slice(0, most).map((each) => (
          <Row key={each.group} notification={each} selected={selected} onSelect={onSelect} />
        ))}
      </ul>
      {notifications.length > most && (
        <button type="button" class="more" onClick={() => change(most + step)}>
          Show {Math.min(step, notifications.length - most)} more of {grouped(notifications.length - most)}
        </button>
      )}
    </>
  );
}

const marks = { right: ['✓', 'good', 'right'], noted: ['!', 'warn', 'noted'], broken: ['✗', 'bad', 'wrong'] } as const;

/** A sign, and a word that is heard. */
export function LevelMark({ level }: { level: ListedNotification['level'] }): JSX.Element {
  const [sign, tone, word] = marks[level];
  return (
    <span class={`mark ${tone}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="hidden">{word}</span>
    </span>
  );
}

function Row({
  notification,
  selected,
  onSelect,
}: Omit<Props, 'notifications'> & { notification: ListedNotification }): JSX.Element {
  const { attempts, last, level } = notification;
  const isSelected = attempts.some(({ number }) => number === selected);
  const problem = attempts.findLast((each) => each.problem !== undefined)?.problem;
  return (
    <li class={isSelected ? 'row selected' : 'row'}>
      <button type="button" class="open" aria-current={isSelected} onClick={() => onSelect(last.number)}>
        <LevelMark level={level} />
        <span class="what">
          <DottedName text={last.event === '' ? `${last.method} ${last.path}` : last.event} />
        </span>
        <time>{timeOf(last.at)}</time>
        <span class="id">{shown(last.id === '' ? `#${last.number}` : last.id)}</span>
        {attempts.length === 1 && (
          <span class="answer">{last.answered === undefined ? 'open' : answerWords(last.answered)}</span>
        )}
        {problem && (
          <span class={`problem ${problem.level}`}>
            {partOf(problem.check)}: {shown(problem.actual)}
          </span>
        )}
      </button>
      {attempts.length > 1 && <TimeAxis attempts={attempts} selected={selected} onSelect={onSelect} />}
    </li>
  );
}
