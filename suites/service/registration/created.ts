import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { type ServiceFinding, Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { accepted, atAnotherUrl, create, notAccepted, type Created } from '../creation.ts';
import { registration } from './registrationCheck.ts';
import { isShownAs } from '../updates/updated.ts';
import { withPlace, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { WebhookMember } from '../../../spec/serviceTerms.ts';

/** Section 4.1: the answer to a creation is 201 with the webhook below its wrapper. */
export const created = registration({
  id: 'service/registration/created',
  title: 'answers a creation with the declared status and the webhook, whichever media type it has',
  requirements: ['CRW-1', 'SVC-4'],
  everyMediaType: true,
  run: async (kit, body, mediaType) => {
    const whole = mediaType === undefined ? body : withAll(kit, body);
    const { call, resource } = await createdAs(kit, whole, mediaType);
    const statuses = successes(kit);
    if (call.answer.kind === 'answered' && !statuses.includes(String(call.answer.status))) {
      return finding('CRW-1', {
        expected: `status ${statuses.join()}`,
        actual: describeAnswer(call.answer),
        exchanges: [call],
        // An error may pass.
        ...(isFailure(call) && { absence: true, hint: failed }),
      });
    }
    if (isJsonObject(resource))
      return mediaType === undefined ? undefined : unlikeUsual(kit, whole, { call, resource });
    const expected = `a JSON object that holds the webhook at ${kit.terms.webhook.answer}`;
    return finding('CRW-1', { expected, actual: 'it holds no object there', exchanges: [call] });
  },
  hint: 'Answer with the status and the wrapper of the contract: the whole resource as it was stored, secret included.',
});

/** A server that is not ready may say so; any other error of its own is no refusal. */
function isFailure({ answer }: Call): boolean {
  return answer.kind === 'answered' && hasStatusClass(answer, 5) && answer.status !== 503;
}

const failed =
  'It is an error of the service itself: its log should say which. Where other creations are accepted before it, look for ' +
  'what fills up or is used up: a disk, a table, a pool of connections that are not given back.';

/** @throws Unobservable where it is refused for its media type: see `service/media-types/plain-json` */
async function createdAs(
  kit: ServiceKit,
  body: Json,
  mediaType: string | undefined,
): Promise<Pick<Created, 'call' | 'resource'>> {
  const made = await create(kit, body, mediaType === undefined ? {} : { mediaType });
  if (kit.succeeded(made.call) || isFailure(made.call)) return made;
  if (mediaType === undefined) throw notAccepted(made.call);
  throw new Unobservable(`a creation as ${mediaType} is not taken: ${describeAnswer(made.call.answer)}`);
}

/** The media type of a creation does not decide what its answer shows. */
async function unlikeUsual(
  kit: ServiceKit,
  body: Json,
  { call, resource }: Pick<Created, 'call' | 'resource'>,
): Promise<ServiceFinding | undefined> {
  const twin = await accepted(kit, atAnotherUrl(kit, body));
  const names = Object.keys(kit.terms.webhook.members) as WebhookMember[];
  const shows = (shown: Json | undefined, name: WebhookMember) => kit.member(shown ?? null, name) !== undefined;
  const missing = names.find((name) => shows(twin.resource, name) && !shows(resource, name));
  const point = { exchanges: [call], twin: twin.call, difference: 'the media type' };
  const expected = 'the whole webhook, as after a creation of the usual media type';
  if (missing) return finding('CRW-1', { expected, actual: `it has no ${missing}`, ...point });
  const other = (['active', 'events', 'headers'] as const).find(
    (name) =>
      shows(resource, name) && !isShownAs(name, memberOf(kit, resource, name), memberOf(kit, twin.resource, name)),
  );
  if (other === undefined) return undefined;
  const seen = JSON.stringify(memberOf(kit, resource, other)).slice(0, 80);
  return finding('SVC-4', { expected, actual: `its ${other} is ${seen}`, ...point });
}

function memberOf(kit: ServiceKit, resource: Json | undefined, name: WebhookMember): Json {
  return (kit.member(resource ?? null, name) ?? null) as Json;
}

/** The same creation with all that may be left out. */
function withAll({ contract, terms }: ServiceKit, body: Json): Json {
  const { wrapper, members } = terms.webhook;
  const events = contract.events.slice(-2).map(({ name }) => name);
  const named = withPlace(body, wrapper + members.events, events);
  return members.headers === undefined
    ? named
    : withPointer(named, wrapper + members.headers, [{ name: 'X-Team', value: 'sea' }]);
}

/** The statuses that the contract declares for an accepted creation. */
function successes(kit: ServiceKit): readonly string[] {
  const operation = kit.contract.operation('create');
  return Object.keys(operation.responses).filter((status) => /^2\d\d$/.test(status));
}
