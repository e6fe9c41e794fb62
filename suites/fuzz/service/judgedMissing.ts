import { Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { sameButForId } from '../../service/redelivery.ts';
import { describeStep } from '../../service/steps.ts';
import { isTaken, sampleOf, trigger } from '../../service/sampling.ts';
import { type Found, wrong } from './found.ts';
import { hasFailed } from './hasFailed.ts';
import { isListedAsFailed } from './isListedAsFailed.ts';
import { longestPause } from './longestPause.ts';
import { type Missing, missing } from './missing.ts';
import type { Letter, Raised, Registered, Sampled } from './registered.ts';
import type { World } from './world.ts';
import { measure, untilOverdue, untilRetryOverdue, type Yardstick } from './yardstick.ts';

/** Milliseconds that a sample is waited for at most. */
const samplePatience = 2000;

type First = Extract<Missing, { what: 'first' }>;
type Retry = Extract<Missing, { what: 'retry' }>;

/**
 * Looks into the first thing that is missing, and accuses the service once it is overdue without a doubt.
 *
 * @returns whether it came meanwhile: then other things may be missing still
 */
export async function judgeMissing(world: World): Promise<'came' | 'judged'> {
  const [first] = missing(world);
  if (first === undefined) return 'judged';
  const found = await lookedInto(world, first);
  if (found === undefined && !missing(world).some((each) => isSame(each, first))) return 'came';
  world.accuse(found);
  return 'judged';
}

async function lookedInto(world: World, first: Missing): Promise<Found | undefined> {
  if (first.what === 'sample') return lostSample(world, first.sample);
  const other = first.what === 'retry' ? underAnotherId(world, first) : undefined;
  if (other) return other;
  const isGivenUp = first.what === 'retry' && (await isListedAsFailed(world.kit, first.letter.id));
  const attempts = first.what === 'retry' ? first.letter.attempts : [];
  const yardstick = await measure(world, attempts.length + 1, attempts.length > 1 ? attempts : []);
  if (yardstick === undefined) return first.what === 'first' ? silent(world, first) : undefined;
  const isGone = (): boolean => !missing(world).some((each) => isSame(each, first));
  // What was listed as failed may have had its other attempts before the list was read.
  if (isGivenUp && isGone()) return undefined;
  if (isGivenUp && !yardstick.shared) return givenUp(world, first, yardstick);
  if (yardstick.refused.length <= attempts.length) return undefined;
  if (!(await untilDue(world, first, yardstick)) || isGone()) return undefined;
  if (await isOff(world, first.what === 'retry' ? first.letter.owner : first.owner)) return undefined;
  return first.what === 'retry' ? notRetried(world, first, yardstick) : lost(world, first, yardstick);
}

/** @returns whether it is overdue without a doubt */
async function untilDue(world: World, each: First | Retry, yardstick: Yardstick): Promise<boolean> {
  const { kit } = world;
  const isFirst = each.what === 'first';
  const owner = isFirst ? each.owner : each.letter.owner;
  const own = longestPause(world.letters.filter((letter) => letter.owner === owner));
  const since = isFirst ? each.raised.to : each.letter.attempts.at(-1)!.at;
  const isDue = isFirst
    ? await untilOverdue(kit, yardstick, since, own)
    : await untilRetryOverdue(kit, yardstick, {
        last: each.letter.attempts.at(-1)!,
        number: each.letter.attempts.length,
        own,
      });
  const away = world.away.findLast(({ to }) => to >= since);
  if (!isDue || away === undefined) return isDue;
  const patience = kit.overdueAfter({ took: yardstick.took, timeout: 0 });
  await kit.soon(() => undefined, Math.max(0, away.to + patience - kit.elapsed()));
  return true;
}

function isSame(one: Missing, other: Missing): boolean {
  if (one.what === 'first') return other.what === 'first' && one.owner === other.owner && one.raised === other.raised;
  if (one.what === 'sample') return other.what === 'sample' && one.sample === other.sample;
  return (
    other.what === 'retry' &&
    one.letter.owner === other.letter.owner &&
    one.letter.id === other.letter.id &&
    one.letter.attempts.length === other.letter.attempts.length
  );
}

/** Listed as failed before all attempts were made; nothing where the service has switched the webhook off. */
async function givenUp(world: World, { letter }: Retry, yardstick: Yardstick): Promise<Found | undefined> {
  const { attempts, owner } = letter;
  if (await isOff(world, owner)) return undefined;
  const elsewhere = yardstick.stopsAlike
    ? `, while one that was answered 500 each time had ${attempts.length + 1}`
    : '';
  return wrong('not-retried', retryRequirement(world, letter, yardstick), {
    expected: `attempt ${attempts.length + 1} follows after ${describeStep(attempts.at(-1)!.step)}`,
    actual: `the notification is listed as ${world.kit.terms.notification.statuses.exhausted} after attempt ${attempts.length}${elsewhere}`,
    exchanges: [owner.webhook.creation, ...attempts.slice(-2)],
    absence: true,
  });
}

/** Whether the service has switched off a webhook that failed (GAP-5). */
async function isOff(world: World, { webhook }: Registered): Promise<boolean> {
  const { kit } = world;
  if (!hasFailed(world)) return false;
  try {
    const resource = await kit.current(webhook);
    return resource !== undefined && kit.member(resource, 'active') === false;
  } catch (error) {
    if (error instanceof Unobservable) return false;
    throw error;
  }
}

function lost(world: World, { owner, raised }: First, { witnessed }: Yardstick): Found {
  const came = world.letters.filter((each) => each.owner === owner && each.event === raised.event).length;
  return wrong('lost', requirementOf(world, owner, raised), {
    expected: `webhook ${owner.slot} hears of ${raised.event}${timesOf(world, owner, raised)}`,
    actual: `${came} notification${came === 1 ? '' : 's'} of it came, while a newer webhook was told of what happened later`,
    exchanges: [owner.webhook.creation, ...owner.now.place.caught.slice(-1)],
    twin: witnessed,
    difference: 'what the sequence did before',
    absence: true,
  });
}

function timesOf(world: World, owner: Registered, { event }: Raised): string {
  const now = world.kit.elapsed();
  const due = world.raised.filter((each) => each.event === event && owner.tookCertainly(event, each.from, now)).length;
  return due === 1 ? '' : ` ${due} times`;
}

/** What a webhook was told to do before decides what it breaks that nothing came. */
function requirementOf(world: World, owner: Registered, { from, event }: Raised): string {
  if (world.endedBetween(from, world.kit.elapsed())) return 'DLV-7';
  const before = owner.states.filter((state) => state.to <= from);
  const last = before.at(-1);
  if (last?.active && before.some(({ active }) => !active)) return 'ACT-2';
  const first = owner.states[0]!;
  if (last && (last.place !== first.place || !(first.events?.includes(event) ?? true))) return 'ACT-3';
  return 'DLV-6';
}

function notRetried(world: World, { letter }: Retry, yardstick: Yardstick): Found {
  const { attempts, owner } = letter;
  return wrong('not-retried', retryRequirement(world, letter, yardstick), {
    expected: `attempt ${attempts.length + 1} follows after ${describeStep(attempts.at(-1)!.step)}`,
    actual: `no attempt came after attempt ${attempts.length}, while attempt ${yardstick.refused.length} of another notification did`,
    exchanges: [owner.webhook.creation, ...attempts.slice(-2)],
    absence: true,
  });
}

/** Each kind of failure must be followed by another attempt; that twelve of them are made is only asked for. */
function retryRequirement(world: World, { attempts, owner }: Letter, { stopsAlike }: Yardstick): string {
  const last = attempts.at(-1)!;
  if (world.endedBetween(attempts[0]!.at, world.kit.elapsed())) return 'DLV-7';
  if (owner.places.size > 1 && !owner.now.place.caught.includes(last)) return 'ACT-3';
  if (attempts.length > 1 && !stopsAlike) return 'STA-5';
  return last.step.do === 'respond' ? 'DLV-3' : 'DLV-4';
}

/** The same notification under another id, instead of the retry. */
function underAnotherId(world: World, { letter }: Retry): Found | undefined {
  const other = renamed(world, letter);
  return (
    other &&
    wrong('another-id', 'NTF-3', {
      expected: 'the redelivery carries the id of the first delivery',
      actual: 'the same notification came again under another id',
      exchanges: [letter.attempts.at(-1)!, other.attempts[0]!],
      absence: true,
    })
  );
}

/** A notification beyond what happened that differs from this one in its id alone. */
function renamed(world: World, letter: Letter): Letter | undefined {
  const [first] = letter.attempts;
  const own = world.letters.filter((each) => each.owner === letter.owner && each.event === letter.event);
  const raised = world.raised.filter((each) => each.event === letter.event);
  // A webhook that takes everything hears of what others made to happen as well.
  if (raised.length === 0 || own.length <= raised.length) return undefined;
  return own.find((each) => each !== letter && sameButForId(world.kit, first!, each.attempts[0]!));
}

/** Nothing came of anything: that counts where a sample shows that the service reaches the kit. */
async function silent(world: World, { owner, raised }: First): Promise<Found | undefined> {
  const { kit } = world;
  const endpoint = kit.endpoint();
  const call = await kit.attempt(trigger, { body: sampleOf(kit, { url: endpoint.url, event: raised.event }) });
  const caught = isTaken(kit, call) ? await kit.soon(() => endpoint.caught[0], 5000) : undefined;
  if (caught === undefined) return undefined;
  return wrong('lost', requirementOf(world, owner, raised), {
    expected: `webhook ${owner.slot} hears of ${raised.event}`,
    actual: 'nothing came any more of whatever happened, while a sample did come',
    exchanges: [owner.webhook.creation, call, caught],
    absence: true,
  });
}

/** A sample that did not come, or not as it was asked for. */
async function lostSample(world: World, sample: Sampled): Promise<Found | undefined> {
  const { kit } = world;
  const others = [...sample.place.caught].filter(
    (caught) => caught.at >= sample.at && world.read(caught).event === sample.event,
  );
  const stray = world.ownersOf(sample.place).length === 0 ? others[0] : unexplained(world, sample);
  if (stray) {
    return wrong('wrong-signature', sample.secret === null ? 'TRG-6' : 'TRG-2', {
      expected: sample.secret === null ? 'a sample without a secret is not signed' : 'the secret of the call signs it',
      actual: sample.secret === null ? 'it carries a signature' : 'it is not signed with that secret',
      exchanges: [sample.call, stray],
    });
  }
  const twin = (await sampled(kit, sample.event)) ?? (await sampled(kit, otherThan(kit, sample.event)));
  if (twin === undefined) return undefined;
  await kit.settle();
  if (!missing(world).some((each) => each.what === 'sample' && each.sample === sample)) return undefined;
  return wrong('sample-lost', 'TRG-1', {
    expected: `a sample of ${sample.event} comes to the given url`,
    actual: 'nothing came, while a later sample did',
    exchanges: [sample.call],
    twin,
    difference: 'url, event or secret',
    absence: true,
  });
}

/** A plain sample. @returns nothing where it does not come */
async function sampled(kit: ServiceKit, event: string): Promise<Call | undefined> {
  const endpoint = kit.endpoint();
  const call = await kit.attempt(trigger, { body: sampleOf(kit, { url: endpoint.url, event }) });
  return isTaken(kit, call) && (await kit.soon(() => endpoint.caught[0], samplePatience)) ? call : undefined;
}

/** An event of another kind: the one that is furthest away in the catalogue. */
function otherThan({ contract: { events } }: ServiceKit, event: string): string {
  return events.findIndex(({ name }) => name === event) < events.length / 2 ? events.at(-1)!.name : events[0]!.name;
}

/** What came to the url of a webhook since a sample was asked for there, beyond what had happened. */
function unexplained(world: World, { place, event, at }: Sampled) {
  const owners = world.ownersOf(place);
  const letters = world.letters.filter(
    (each) => owners.includes(each.owner) && each.event === event && each.attempts[0]!.at >= at,
  );
  const raised = world.raised.filter((each) => each.event === event).length * owners.length;
  const orphan = world.orphans.find((caught) => caught.at >= at && place.caught.includes(caught));
  return orphan ?? (letters.length > raised ? letters[0]!.attempts[0] : undefined);
}
