import { isJsonObject, type Json } from '../../../../generators/json/json.ts';
import { valueAt } from '../../../../generators/json/jsonPointer.ts';
import type { Call } from '../../../exchange.ts';
import type { ServiceKit } from '../../../serviceKit.ts';
import { wrong } from '../found.ts';
import type { PageStep } from '../steps.ts';
import type { ServiceModelState } from '../serviceModelState.ts';
import type { Play } from './play.ts';

/** Pages that are read at most: the newest notifications are enough. */
const most = 4;
/** How often they are read before it is given up: others may make something happen while they are read. */
const readings = 4;
const operation = 'notifications';

interface Page {
  readonly call: Call;
  readonly ids: readonly string[];
}

/**
 * Reads the list of notifications in small pages. What two pages hold counts where the first page is the same before
 * and after: nothing happened meanwhile that would have moved the rest.
 */
export const page: Play<PageStep> = {
  can: () => true,
  async play(modelState, { size }) {
    for (let reading = 0; reading < readings; reading += 1) {
      const pages = await read(modelState.kit, size);
      const again = pages.at(-1);
      if (pages.length < 3 || again?.ids.join() !== pages[0]?.ids.join()) continue;
      return judge(modelState, pages.slice(0, -1));
    }
    return undefined;
  },
};

/** The pages, and the first one once more. */
async function read(kit: ServiceKit, size: number): Promise<readonly Page[]> {
  const first = Number(kit.assumption('list.firstPage'));
  const pages: Page[] = [];
  for (let number = 0; number < most; number += 1) {
    const page = await pageOf(kit, first + number, size);
    if (page.ids.length !== size) break;
    pages.push(page);
  }
  return pages.length < 2 ? [] : [...pages, await pageOf(kit, first, size)];
}

async function pageOf(kit: ServiceKit, number: number, size: number): Promise<Page> {
  const [numberName = '', sizeName = ''] = kit.assumption('list.paging').split(',');
  const call = await kit.call(operation, { query: { [numberName]: String(number), [sizeName]: String(size) } });
  const value = kit.succeeded(call) ? kit.json(call) : undefined;
  const items = value === undefined ? undefined : valueAt(value, kit.assumption('list.items'));
  return { call, ids: Array.isArray(items) ? items.flatMap((item) => idOf(kit, item)) : [] };
}

function idOf({ terms }: ServiceKit, item: Json): readonly string[] {
  const id = isJsonObject(item) ? valueAt(item, terms.webhook.members.id) : undefined;
  return typeof id === 'string' ? [id] : [];
}

/** A service without pages shows the same again: that is its right (GAP-8). */
function judge(modelState: ServiceModelState, pages: readonly Page[]): void {
  const [first, second] = pages;
  if (first?.ids.join() === second?.ids.join()) return;
  modelState.judge('LST-2');
  const all = pages.flatMap(({ ids }) => ids);
  const twice = all.find((id, index) => all.indexOf(id) !== index);
  if (twice === undefined) return;
  modelState.accuse(
    wrong('listed-twice', 'LST-2', {
      expected: 'while nothing happens, no notification is on two pages of the list',
      actual: 'one is listed twice',
      exchanges: pages.filter(({ ids }) => ids.includes(twice)).map(({ call }) => call),
    }),
  );
}
