import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { isAmong } from '../../answer.ts';
import { serviceCheck, type ServiceFinding, Unobservable, type ServiceCheck } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { untilThere } from '../lists/allListed.ts';
import { atOnce, others } from './leftAlone.ts';
import { followed } from './followed.ts';
import { invalid } from './invalid.ts';
import { pending } from './pending.ts';
import { replacedSecret } from './replacedSecret.ts';
import { changeable, type Changeable, changeOf, expectListed, inWords, isShownAs, shown } from './updated.ts';

/** What an update names; `no headers` gives it an empty list of them. */
type Named = Changeable | 'no headers';

interface Update {
  readonly names: readonly Named[];
  /** Whether the webhook is active before. Code that reads an update into a structure finds false where it names nothing. */
  readonly active: boolean;
}

/** Sections 3.2 and 4.3: an update changes what it names and leaves the rest. */
const named = serviceCheck<Update>({
  id: 'service/updates/named',
  title: 'changes what an update names, and leaves the rest as it was',
  requirements: ['ACT-3'],
  about: ['operation:update'],
  needs: [],
  weight: 0.5,
  cases: ({ terms }) => {
    const names = changeable.filter((name) => terms.webhook.members[name] !== undefined);
    const cleared: readonly Named[] = names.includes('headers') ? ['no headers'] : [];
    const others = names.filter((name) => name !== 'active');
    return [
      ...[...names, ...cleared].map((name) => fc.constant({ names: [name], active: false })),
      fc.subarray(names, { minLength: 2 }).map((some) => ({ names: some, active: false })),
      fc.subarray(others, { minLength: 1 }).map((some) => ({ names: some, active: true })),
    ];
  },
  run: async (kit, { names, active }) => {
    const webhook = await kit.register({ active, headers: [{ name: 'X-Team', value: 'sea' }] });
    const before = await expectListed(kit, webhook);
    const changed = names.map((name) =>
      name === 'no headers' ? (['headers', []] as const) : ([name, changeOf(kit, name)] as const),
    );
    const changes = Object.fromEntries(changed);
    const attributes = changed.map(([name, change]) => [attributeNamed(kit.terms, name), change] as const);
    const update = await kit.update(webhook, Object.fromEntries(attributes));
    if (!isAmong(kit, update, 'update.response')) {
      throw new Unobservable(
        `the service does not take an update of ${names.join(', ')} as it is assumed; --assume 'update=<METHOD> <path>' names another way`,
      );
    }
    const found = await untilThere(
      kit,
      async () => compare(kit, { changes, before, after: await expectListed(kit, webhook), update }),
      (wrong) => wrong === undefined,
    );
    return found ?? answeredOtherwise(kit, { changes, update });
  },
  hint: 'Merge the attributes that the update names into those that are stored; what it does not name stays stored.',
});

interface Compared {
  readonly changes: Readonly<Record<string, Json>>;
  readonly before: Json;
  readonly after: Json;
  readonly update: Call;
}

/** Only members that the list shows are compared. */
function compare(kit: ServiceKit, { changes, before, after, update }: Compared): ServiceFinding | undefined {
  for (const name of shown) {
    const [was, is] = [kit.member(before, name), kit.member(after, name)];
    if (was === undefined) continue;
    const isNamed = Object.hasOwn(changes, name);
    const right = isNamed ? (changes[name] ?? null) : (was as Json);
    if (is !== undefined && isShownAs(name, is as Json, right)) continue;
    if (isEmpty(right) && isEmpty(is)) continue;
    // Whether a webhook comes back is ACT-2, which its deliveries show.
    if (isNamed && name === 'active') continue;
    const hidden = name === 'secret';
    return finding('ACT-3', {
      expected: isNamed ? `${name} is changed as the update says` : `${name}, which the update does not name, stays`,
      actual: `${name} is ${hidden ? 'another' : inWords(is)} after an update of ${Object.keys(changes).join(' and ')}`,
      exchanges: [update, ...kit.exchanges.slice(-1)],
    });
  }
  return undefined;
}

/** An answer may show nothing, or what was named alone; what it shows of that is what holds from now on. */
function answeredOtherwise(
  kit: ServiceKit,
  { changes, update }: Pick<Compared, 'changes' | 'update'>,
): ServiceFinding | undefined {
  // Of what is only accepted (202) nothing is said yet.
  if (update.answer.kind === 'answered' && update.answer.status === 202) return undefined;
  const resource = valueAt(kit.json(update) ?? null, kit.terms.webhook.answer) ?? null;
  const stale = Object.entries(changes).find(([name, right]) => {
    const value = kit.member(resource, name as Changeable);
    return value !== undefined && !isShownAs(name, value as Json, right) && !(isEmpty(value) && isEmpty(right));
  });
  if (stale === undefined) return undefined;
  const [name] = stale;
  return finding('ACT-3', {
    expected: `the answer to the update shows ${name} as the update says, or does not show it`,
    actual: `it shows ${inWords(kit.member(resource, name as Changeable))}, while the list shows the change`,
    exchanges: [update, ...kit.exchanges.slice(-1)],
  });
}

/** No headers may be an empty list, null, or not there. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The checks of this topic, in the order in which they run and are listed. */
export const updatesChecks: readonly ServiceCheck[] = [
  named,
  invalid,
  others,
  atOnce,
  followed,
  pending,
  replacedSecret,
];
