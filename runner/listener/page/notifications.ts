import type { ListedDelivery } from '../pageData.ts';

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
