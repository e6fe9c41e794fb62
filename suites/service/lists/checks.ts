import fc from 'fast-check';

import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { describeAnswer } from '../../answer.ts';
import { serviceCheck, unlessUnobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { notRead, sameUrl } from '../creation.ts';
import type { Listing } from '../listing.ts';
import { untilThere } from './allListed.ts';
import { everyPage } from './notificationPages.ts';
import { contractSuites } from '../../contracts/index.ts';
import { idText } from '../../../spec/delivery.ts';
import type { OperationRole, RequirementId } from '../../../spec/names.ts';
import { operationCases, rowOf } from '../operationCases.ts';

/** Section 4.3: the lists that only some contracts have. */
const ownLists = Object.values(contractSuites).flatMap(({ lists }) => lists);

/** Section 4.3: the lists of the API, and the requirement that asks for each. */
export const lists: typeof ownLists = [['list', 'LST-1'], ['notifications', 'LST-2'], ...ownLists];

/** Section 4.3: every list is there, and is a list of resources. */
const offered = serviceCheck<string>({
  id: 'service/lists/offered',
  title: 'offers every list',
  requirements: ['LST-1', 'LST-2', ...ownLists.map(([, requirement]) => requirement)],
  needs: [],
  weight: 0.01,
  cases: ({ contract }) => {
    const roles = lists.map(([role]) => role);
    return operationCases(contract, roles);
  },
  run: (kit, operationId) => {
    const [role, requirement] = rowOf(kit.terms, operationId, lists);
    return expectList(kit, role, requirement);
  },
  hint: 'Answer GET on each list with 200 and its items, also where there are none.',
});

/** Section 4.3: the list shows what was created, each with whether it is active. */
const webhooks = serviceCheck<readonly boolean[]>({
  id: 'service/lists/webhooks',
  title: 'lists every webhook once, with whether it is active',
  requirements: ['LST-1'],
  about: ['operation:list'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.1,
  cases: () => [
    fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
    fc.array(fc.boolean(), { minLength: 30, maxLength: 40 }),
  ],
  run: async (kit, flags) => {
    const made = await kit.registerMany(flags.length, (index) => ({ active: flags[index] ?? false }));
    const unreadable = await expectList(kit, 'list', 'LST-1');
    if (unreadable) return unreadable;
    const list = await listedWith(kit, made);
    const { items, pages } = list;
    const ids = new Set(made.map(({ id }) => id)).size;
    if (ids < made.length) {
      return finding('LST-1', {
        expected: `${made.length} webhooks can be found in the list`,
        actual: `they were created under ${ids} id${ids === 1 ? '' : 's'}, and the list holds ${items.length} in all`,
        exchanges: [...made.slice(0, 1).map(({ creation }) => creation), ...pages.slice(0, 1)],
      });
    }
    return listedWrongly(kit, made, list) ?? inSmallPages(kit, made, list);
  },
  hint: 'Return all webhooks of the account, page after page in an order that does not change, each with its active.',
});

/** One of those that were made is not listed once, or otherwise than it was created. */
function listedWrongly(kit: ServiceKit, made: readonly Webhook[], list: Listing): ServiceFinding | undefined {
  const { items, pages, complete } = list;
  for (const [index, webhook] of made.entries()) {
    const shown = items.filter((item) => idText(kit.member(item, 'id')) === webhook.id);
    const [only] = shown;
    const problem =
      only !== undefined && shown.length === 1 ? differenceOf(kit, webhook, only) : `${shown.length} times`;
    if (problem === undefined) continue;
    // What was made is not there: whether it can be reached is open, so that it must not pass for seen.
    if (shown.length === 0 && !complete) throw new Unproven(notRead(kit, 'list', list).message);
    const showing = pages.filter(({ answer }) => answer.kind === 'answered' && answer.body.includes(webhook.id));
    return finding('LST-1', {
      expected: 'each webhook once, as it was created',
      actual: `webhook ${index + 1} of ${made.length} is listed ${problem}`,
      exchanges: [webhook.creation, ...(showing.length > 1 ? showing : pages).slice(0, 2)],
      absence: shown.length === 0,
    });
  }
  return undefined;
}

/** Pages that the list is read in once more, at most. */
const mostPages = 8;

/** The same in pages that hold a part of it each, where the service makes such, and links from one to the next. */
async function inSmallPages(
  kit: ServiceKit,
  made: readonly Webhook[],
  { items }: Listing,
): Promise<ServiceFinding | undefined> {
  const size = Math.ceil(items.length / mostPages);
  const small = await kit.list('list', String(size)).catch(unlessUnobservable);
  const [first = 0, ...others] = small?.sizes ?? [];
  if (small === undefined || !small.complete || first > size || others.length === 0) return undefined;
  const found = listedWrongly(kit, made, small);
  return found && { ...found, difference: `in pages of ${size}`, absence: true };
}

/** The checks of this topic, in the order in which they run and are listed. */
export const listsChecks: readonly ServiceCheck[] = [offered, webhooks, everyPage];

/** The list, once it shows them all, has no end that can be read, or has had its time: it may be behind what was answered. */
function listedWith(kit: ServiceKit, made: readonly Webhook[]): ReturnType<ServiceKit['list']> {
  return untilThere(
    kit,
    () => kit.list('list'),
    ({ items, complete }) => {
      const shown = new Set(items.map((item) => idText(kit.member(item, 'id'))));
      return !complete || made.every(({ id }) => shown.has(id));
    },
  );
}

/** The list must be there, and hold resources. @throws Unobservable where its items are not found */
async function expectList(
  kit: ServiceKit,
  list: OperationRole,
  requirement: RequirementId,
): Promise<ServiceFinding | undefined> {
  const call = await kit.call(list);
  const expected = 'a list';
  if (!kit.succeeded(call)) {
    return finding(requirement, { expected, actual: describeAnswer(call.answer), exchanges: [call], absence: true });
  }
  if (kit.json(call) === undefined) {
    return finding(requirement, { expected, actual: 'the answer is no JSON', exchanges: [call] });
  }
  const { items } = await kit.list(list);
  const strange = items.find((item) => !isJsonObject(item));
  if (strange === undefined) return undefined;
  const actual = `it holds ${JSON.stringify(strange)}`;
  return finding(requirement, { expected: 'a list of resources', actual, exchanges: [call] });
}

/** What the list shows otherwise than the answer to the creation did, in words. */
export function differenceOf(kit: ServiceKit, { url, active }: Webhook, shown: Json): string | undefined {
  const seen = kit.member(shown, 'active');
  const isPlaced = kit.terms.webhook.members.active !== undefined;
  if (isPlaced && typeof seen !== 'boolean') return `with active ${JSON.stringify(seen) ?? 'missing'}`;
  if (typeof active === 'boolean' && seen !== active) return `with active ${String(seen)}, not ${active}`;
  const listedUrl = kit.member(shown, 'url');
  if (listedUrl === undefined || typeof url !== 'string' || sameUrl(listedUrl, url)) return undefined;
  return `with another url: ${JSON.stringify(listedUrl)}`;
}
