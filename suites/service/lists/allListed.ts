import { idText } from '../../../spec/delivery.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import type { Json } from '../../../generators/json/json.ts';
import type { ServiceFinding } from '../../check.ts';
import { counted } from '../../items.ts';
import { finding } from '../../finding.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { recordMember } from '../listItems.ts';

/** Milliseconds in which a list may be behind, or change its places while its pages are read; and between two looks at it. */
const behind = { most: 3000, apart: 500 };

/**
 * Each of these ids is on a page of the list, however many there are. Where the list is not offered, or cannot be read to
 * its end, or the contract knows no ids of deliveries, nothing is judged.
 */
export async function expectAllListed(
  kit: ServiceKit,
  list: 'list' | 'notifications',
  ids: readonly string[],
): Promise<ServiceFinding | undefined> {
  const hasIds = list === 'list' || kit.contract.delivery.id !== undefined;
  if (!offers(kit.contract, list) || !hasIds || ids.length === 0) return undefined;
  const { missing, pages, total } = await untilThere(
    kit,
    () => missingIn(kit, list, ids),
    (read) => read.missing.length === 0,
  );
  if (missing.length === 0) return undefined;
  return finding(list === 'list' ? 'LST-1' : 'LST-2', {
    expected: `each of ${ids.length} can be found by paging`,
    actual: `${missing.length} of them are on none of ${counted(pages.length, 'page')}, which hold ${total} in all`,
    exchanges: pages.slice(-2),
    absence: true,
  });
}

/** Reads a list again and again, as long as it may be behind, until it holds what is looked for. */
export async function untilThere<T>(
  kit: ServiceKit,
  read: () => Promise<T>,
  isThere: (seen: T) => boolean,
): Promise<T> {
  const until = kit.elapsed() + behind.most;
  for (;;) {
    const seen = await read();
    if (isThere(seen) || kit.elapsed() >= until) return seen;
    await kit.soon(() => undefined, behind.apart);
  }
}

async function missingIn(kit: ServiceKit, list: 'list' | 'notifications', ids: readonly string[]) {
  const { items, pages, complete } = await kit.list(list);
  const idOf = (item: Json) => (list === 'list' ? kit.member(item, 'id') : recordMember(kit.contract, item, 'id'));
  const shown = new Set(items.map((item) => idText(idOf(item))));
  return { missing: complete ? ids.filter((id) => !shown.has(id)) : [], total: items.length, pages };
}
