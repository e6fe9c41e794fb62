import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { counted } from '../../items.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { changeable, type Changeable, changeOf, expectListed, isShownAs, inWords } from './updated.ts';

/** How often it is tried: whether two updates meet between a reading and a writing is chance. */
const rounds = 3;

/** Sections 3.2 and 4.3: what an update does not name stays as it was, also as another update has just made it. */
export const atOnce = serviceCheck<readonly Changeable[]>({
  id: 'service/updates/at-once',
  title: 'keeps what each of several updates names that come at the same time',
  requirements: ['ACT-3'],
  about: ['operation:update'],
  needs: [],
  weight: 0.06,
  cases: ({ terms }) => {
    const names = changeable.filter((name) => terms.webhook.members[name] !== undefined);
    return [
      fc.shuffledSubarray<Changeable>(names, { minLength: names.length }),
      fc.shuffledSubarray(names, { minLength: 2 }),
    ];
  },
  run: async (kit, names) => {
    for (let round = 0; round < rounds; round += 1) {
      const found = await oneRound(kit, names);
      if (found) return found;
    }
    return undefined;
  },
  hint:
    'Write only the columns that an update names, in one statement, or read and write the webhook in one transaction that ' +
    'locks its row. Code that loads a webhook, changes it and saves all of it undoes what another request saved meanwhile.',
});

/** One update of a webhook, of one of its members. */
interface Update {
  readonly name: Changeable;
  readonly change: Json;
  readonly call: Call;
}

async function oneRound(kit: ServiceKit, names: readonly Changeable[]): Promise<ServiceFinding | undefined> {
  const webhook = await kit.register({ active: false, headers: [{ name: 'X-Team', value: 'sea' }] });
  const updates = await Promise.all(names.map((name) => update(kit, webhook, name, changeOf(kit, name))));
  if (updates.some(({ call }) => call.request.method === 'PUT'))
    throw new Unobservable('each update replaces the whole webhook (PUT): the last one says what holds');
  // A service may refuse one of two updates that meet.
  const taken = updates.filter(({ call }) => isAmong(kit, call, 'update.response'));
  if (!overlap(taken.map(({ call }) => call))) throw new Unproven('no two updates were under way at the same time');
  const lostIn = (listed: Json) => taken.find((each) => !isShown(kit, listed, each));
  let shown = await expectListed(kit, webhook);
  if (lostIn(shown)) {
    // A list may be behind for a moment.
    await kit.settle();
    shown = await expectListed(kit, webhook);
  }
  const lost = lostIn(shown);
  if (lost === undefined) return undefined;
  const reading = kit.exchanges.slice(-1);
  await expectAlone(kit, webhook, lost);
  const others = taken.filter((each) => each !== lost);
  return finding('ACT-3', {
    expected: `updates of ${names.join(', ')} that come at the same time, each in a call of its own, all hold`,
    actual: `the update of ${lost.name}, sent together with ${counted(others.length, 'other')}, was answered ${describeAnswer(lost.call.answer)}, and ${lost.name} is ${inWords(kit.member(shown, lost.name))} afterwards`,
    exchanges: [webhook.creation, lost.call, ...others.map(({ call }) => call), ...reading],
  });
}

async function update(kit: ServiceKit, webhook: Webhook, name: Changeable, change: Json): Promise<Update> {
  return { name, change, call: await kit.update(webhook, { [attributeNamed(kit.terms, name)]: change }) };
}

function isShown(kit: ServiceKit, resource: Json, { name, change }: Update): boolean {
  const value = kit.member(resource, name);
  return value === undefined || isShownAs(name, value as Json, change);
}

/** @throws Unproven where the update is not followed by itself either: then the others have nothing to do with it */
async function expectAlone(kit: ServiceKit, webhook: Webhook, lost: Update): Promise<void> {
  await update(kit, webhook, lost.name, lost.change);
  if (isShown(kit, await expectListed(kit, webhook), lost)) return;
  throw new Unproven(`an update of ${lost.name} alone is not followed either`);
}

/** Whether one was sent before another was answered. */
function overlap(calls: readonly Call[]): boolean {
  return calls.some((one) =>
    calls.some((other) => other !== one && one.at <= other.at && other.at < one.at + one.answer.ms),
  );
}
