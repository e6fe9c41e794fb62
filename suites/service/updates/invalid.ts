import {
  creationNeighbourKinds,
  type CreationNeighbour,
  withUrl,
} from '../../../generators/calls/creationNeighbour.ts';
import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import { activeBy, memberPlace, stateOf } from '../../../spec/serviceTerms.ts';
import { describeAnswer, isAmong } from '../../answer.ts';
import { serviceCheck, type ServiceFinding, Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import { finding } from '../../finding.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { expectListed, isShownAs, inWords } from './updated.ts';

/** What the contract says of these members of a webhook, however they came there. */
const requirementOf = { url: 'WHK-4', active: 'WHK-5', events: 'WHK-7' } as const;
const members = ['url', 'active', 'events'] as const;
type Member = (typeof members)[number];

/** Section 2.1: a webhook is valid whenever it is shown, after an update as well. */
export const invalid = serviceCheck<CreationNeighbour>({
  id: 'service/updates/invalid',
  title: 'lets no update put into a webhook what no webhook may hold',
  requirements: ['WHK-7', 'WHK-4', 'WHK-5', 'ACT-3'],
  about: ['operation:update'],
  needs: [],
  weight: 0.1,
  cases: ({ contract, terms }) => creationNeighbourKinds(contract, terms, 'one member'),
  run: async (kit, neighbour) => {
    const webhook = await kit.register({ active: false });
    const valid = withUrl(neighbour.valid, kit.endpoint().url);
    const wrong = withUrl(neighbour.invalid, kit.endpoint().url);
    const member = memberThatDiffers(kit, neighbour);
    const twin = await updated(kit, webhook, [member], valid);
    if (!isAmong(kit, twin, 'update.response'))
      throw new Unobservable(`the service does not take an update of ${member}: ${describeAnswer(twin.answer)}`);
    let before: Json | undefined;
    for (const names of [[member], members]) {
      const update = await updated(kit, webhook, names, wrong);
      const after = await expectListed(kit, webhook);
      const changed = before && changedThough(kit, update, { before, after, member });
      if (changed) return { ...changed, twin, difference: `${neighbour.change}, beside members that are right` };
      before = after;
      const shown = kit.member(after, member) as Json | undefined;
      if (shown === undefined || isValid(kit, withPointer(valid, placeOf(kit, member), inResource(kit, member, shown))))
        continue;
      return finding(requirementOf[member], {
        expected: `the update is refused, or leaves ${member} as a webhook may have it`,
        actual: `the update was answered ${describeAnswer(update.answer)}, and the webhook is listed with ${member} ${inWords(shown)}`,
        exchanges: [update, ...kit.exchanges.slice(-1)],
        twin,
        difference: `${neighbour.change}${names.length > 1 ? ', in an update that names other members as well' : ''}`,
      });
    }
    return undefined;
  },
  hint: 'Validate what an update names as strictly as a creation: the same schema, with nothing required, and all of it before anything is stored. A list of events that is empty or unknown subscribes to nothing, without a word.',
});

/** A refused update changes nothing, also of what was right in it. Of the wrong member a list that is behind may show the twin's. */
function changedThough(
  kit: ServiceKit,
  update: Call,
  { before, after, member }: { readonly before: Json; readonly after: Json; readonly member: Member },
): ServiceFinding | undefined {
  if (!kit.refused(update)) return undefined;
  const of = (shown: Json, name: Member): Json => (kit.member(shown, name) ?? null) as Json;
  const others = members.filter((each) => each !== member);
  const name = others.find((each) => !isShownAs(each, of(after, each), of(before, each)));
  if (name === undefined) return undefined;
  return finding('ACT-3', {
    expected: 'an update that is refused changes nothing',
    actual: `the update was answered ${describeAnswer(update.answer)}, and ${name} is ${inWords(of(after, name))} afterwards, not ${inWords(of(before, name))}`,
    exchanges: [update, ...kit.exchanges.slice(-1)],
  });
}

function placeOf({ terms }: ServiceKit, member: Member): string {
  return terms.webhook.wrapper + memberPlace(terms, member);
}

function memberThatDiffers(kit: ServiceKit, { valid, invalid: other }: CreationNeighbour): Member {
  const at = (body: Json, member: Member) => JSON.stringify(valueAt(body, placeOf(kit, member)));
  const offered = members.filter((member) => kit.terms.webhook.members[member] !== undefined);
  return offered.find((member) => at(valid, member) !== at(other, member)) ?? 'url';
}

/** An update of these members, as the body has them. */
function updated(kit: ServiceKit, webhook: Webhook, names: readonly Member[], body: Json): Promise<Call> {
  const named = names.flatMap((name): readonly [string, Json][] => {
    const value = kit.terms.webhook.members[name] && valueAt(body, placeOf(kit, name));
    if (value === undefined) return [];
    return [[attributeNamed(kit.terms, name), name === 'active' ? activeBy(kit.terms, value) : value]];
  });
  return kit.update(webhook, Object.fromEntries(named));
}

/** A member as a resource holds it. */
function inResource({ terms }: ServiceKit, member: Member, shown: Json): Json {
  return member === 'active' && typeof shown === 'boolean' ? stateOf(terms, shown) : shown;
}

/** Whether a webhook could have been created so. */
function isValid({ contract }: ServiceKit, body: Json): boolean {
  return Object.values(contract.operation('create').request).every(({ validate }) => validate(body));
}
