import fc, { type Arbitrary } from 'fast-check';

import { placeholderUrl, withUrl } from '../../../generators/calls/creationNeighbour.ts';
import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { webhookCreation } from '../../../generators/calls/requestBodies.ts';
import { withPlace } from '../../../generators/json/jsonPointer.ts';
import { isShownBy } from '../../../generators/calls/plainBody.ts';
import { stateOf, type WebhookMember } from '../../../spec/serviceTerms.ts';
import { serviceCheck, Unobservable, unlessUnobservable, type ServiceCheck, type ServiceFinding } from '../../check.ts';
import type { ServiceDraw } from '../../draw.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { accepted, listed, notAccepted, type Created } from '../creation.ts';
import { itemOf } from '../../items.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** A check whose cases are valid creations. */
interface RegistrationCheck extends Pick<
  ServiceCheck<Json>,
  'id' | 'title' | 'requirements' | 'about' | 'hint' | 'weight'
> {
  /** @param mediaType - of the creation; nothing for the usual one */
  readonly run: (kit: ServiceKit, body: Json, mediaType?: string) => Promise<ServiceFinding | undefined>;
  /** Whether one case is created as each other JSON that the contract declares. Default: no. */
  readonly everyMediaType?: boolean;
  /** Whether the generated webhooks are active. Default: never. */
  readonly active?: readonly boolean[];
  readonly events?: (catalogue: readonly string[]) => readonly Arbitrary<readonly string[]>[];
  /** What may follow the url of the endpoint. Default: nothing. */
  readonly suffixes?: readonly string[];
}

/** A check whose cases are valid creations, each with a url of its own. */
export function registration({
  active: flags = [false],
  events: subsets,
  suffixes = [''],
  everyMediaType = false,
  ...check
}: RegistrationCheck) {
  const { run, weight = 0.5, ...rest } = check;
  return serviceCheck<{ body: Json; suffix: string; mediaType?: string }>({
    ...rest,
    weight,
    needs: [],
    cases: (draw) => {
      const all = bodies(draw, flags, subsets);
      const types = everyMediaType ? otherTypes(draw) : [];
      return [
        ...all.flatMap((body) => suffixes.map((suffix) => fc.record({ body, suffix: fc.constant(suffix) }))),
        ...types.map((type) =>
          fc.record({ body: itemOf(all, 0), suffix: fc.constant(''), mediaType: fc.constant(type) }),
        ),
      ];
    },
    run: (kit, { body, suffix, mediaType }) => run(kit, withUrl(body, kit.endpoint().url + suffix), mediaType),
  });
}

/** The JSON media types that the contract declares for a creation beside the usual one. */
function otherTypes({ contract }: ServiceDraw): readonly string[] {
  return Object.keys(contract.operation('create').request)
    .slice(1)
    .filter((type) => /[/+]json$/.test(type));
}

function bodies({ contract, terms }: ServiceDraw, flags: readonly boolean[], subsets: RegistrationCheck['events']) {
  const { wrapper, members } = terms.webhook;
  const at = (name: keyof typeof members): string => wrapper + members[name];
  const valid = flags.map((flag) =>
    webhookCreation(contract, {
      members: {
        [at('url')]: fc.constant(placeholderUrl),
        ...(members.active !== undefined && { [at('active')]: fc.constant(stateOf(terms, flag)) }),
      },
    }),
  );
  const chosen = subsets?.(contract.events.map(({ name }) => name));
  if (chosen === undefined) return valid;
  const any = itemOf(valid, 0);
  return chosen.map((some) => fc.tuple(any, some).map(([body, names]) => withPlace(body, at('events'), names)));
}

/** A creation that was accepted, and whose answer shows the webhook. */
export interface Shown extends Created {
  readonly resource: Json;
}

/** Creates a webhook, and reads it in the answer. @throws Unproven where it shows none: that is for CRW-1 to say */
export async function shown(kit: ServiceKit, body: Json): Promise<Shown> {
  const { resource, ...made } = await accepted(kit, body);
  if (!isJsonObject(resource)) throw notAccepted(made.call);
  return { ...made, resource };
}

/** @throws Unobservable where the contract's document describes no such member of the webhook in the answer to a creation */
export function requireDescribed(kit: ServiceKit, name: WebhookMember): void {
  if (isShownBy(kit.contract, name)) return;
  throw new Unobservable(`the document describes no ${kit.terms.webhook.members[name]} in the answer to a creation`);
}

/** The answer has to show a member with the right value. @param words - what is right, to follow "the answer holds" */
export function expectMember(
  kit: ServiceKit,
  { call, resource }: Shown,
  name: keyof ServiceKit['terms']['webhook']['members'],
  requirement: RequirementId,
  isRight: (value: unknown) => boolean,
  words: string,
): ServiceFinding | undefined {
  const value = kit.member(resource, name);
  if (isRight(value)) return undefined;
  if (value === undefined) requireDescribed(kit, name);
  const expected = `the answer holds ${words} at ${kit.terms.webhook.members[name]}`;
  const actual = value === undefined ? 'there is nothing' : `it holds ${JSON.stringify(value)}`;
  return finding(requirement, { expected, actual, exchanges: [call] });
}

/** The list has to show a member as it was given, where it shows it. @param words - to follow "the list shows it with" */
export async function listedOtherwise(
  kit: ServiceKit,
  { webhook, call }: Shown,
  name: keyof ServiceKit['terms']['webhook']['members'],
  requirement: RequirementId,
  isRight: (value: unknown) => boolean,
  words: string,
): Promise<ServiceFinding | undefined> {
  const stored = webhook && (await listed(kit, webhook).catch(unlessUnobservable));
  const seen = stored && kit.member(stored, name);
  if (seen === undefined || isRight(seen)) return undefined;
  const text = JSON.stringify(seen);
  return finding(requirement, {
    expected: `the list shows it with ${words} as well`,
    actual: `it shows ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`,
    exchanges: [call, ...kit.exchanges.slice(-1)],
  });
}
