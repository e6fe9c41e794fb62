import { idText } from '../../../spec/delivery.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import type { Json } from '../../../generators/json/json.ts';
import type { ServiceFinding } from '../../check.ts';
import { counted } from '../../items.ts';
import { finding } from '../../finding.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { recordMember } from '../notificationRecord.ts';

/** Milliseconds in which a list may be behind, or change its places while its pages are read. */
const behind = 3000;

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
  let read = await missingIn(kit, list, ids);
  await kit.soon(async () => {
    if (read.missing.length > 0) read = await missingIn(kit, list, ids);
    return read.missing.length === 0 || undefined;
  }, behind);
  const { missing, pages, total } = read;
  if (missing.length === 0) return undefined;
  return finding(list === 'list' ? 'LST-1' : 'LST-2', {
    expected: `each of ${ids.length} can be found by paging`,
    actual: `${missing.length} of them are on none of ${counted(pages.length, 'page')}, which hold ${total} in all`,
    exchanges: pages.slice(-2),
    absence: true,
  });
}

async function missingIn(kit: ServiceKit, list: 'list' | 'notifications', ids: readonly string[]) {
  const { items, pages, complete } = await kit.list(list);
  const idOf = (item: Json) => (list === 'list' ? kit.member(item, 'id') : recordMember(kit.contract, item, 'id'));
  const shown = new Set(items.map((item) => idText(idOf(item))));
  return { missing: complete ? ids.filter((id) => !shown.has(id)) : [], total: items.length, pages };
}
