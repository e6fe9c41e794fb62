import type { Caught } from '../../exchange.ts';
import { judgeSignature } from '../../service/signing.ts';
import { utcTime } from '../../service/utcTime.ts';
import { type Found, wrong } from './found.ts';
import { outcomeOf } from './outcome.ts';
import type { Letter, State } from './registered.ts';
import type { World } from './world.ts';
import type { CustomHeader } from './steps.ts';

/** Milliseconds before a kill within which an acceptance may not have been written down. */
const unwritten = 1000;

/** Holds every notification that came, attempt by attempt, against what it must be. */
export function judgeLetters(world: World): void {
  for (const letter of world.letters) {
    world.judge('NTF-2', 'NTF-7', 'DLV-2', 'STA-2', 'SIG-1', 'SIG-2', 'WHK-9', 'STA-1');
    world.accuse(
      sameId(world, letter) ??
        datedAnew(world, letter) ??
        afterAcceptance(world, letter) ??
        tooMany(world, letter) ??
        toldOtherwise(world, letter),
    );
    for (const index of letter.attempts.keys()) world.accuse(judgeState(world, letter, index));
    for (const caught of letter.attempts) world.accuse(unsigned(world, letter, caught));
  }
  for (const caught of world.orphans) world.accuse(signedForNobody(caught));
}

/** One id for notifications that are different: of other events, or created at another time and accepted before. */
function sameId(world: World, { owner, id, event, attempts }: Letter): Found | undefined {
  const other = world.letters.find((each) => each.owner === owner && each.id === id && each.event !== event);
  const [first] = attempts;
  const again = other?.attempts[0] ?? attempts.find((each, index) => isAnew(world, attempts, each, index));
  if (again === undefined) return undefined;
  return wrong('same-id', 'NTF-2', {
    expected: 'notifications of a webhook have ids of their own',
    actual: other ? 'one id names two events' : 'what was created later has the id of one that was accepted',
    exchanges: [first!, again],
  });
}

function isAnew(world: World, attempts: readonly Caught[], caught: Caught, index: number): boolean {
  const before = attempts[index - 1];
  if (before === undefined || outcomeOf(before, world.kit.contract) !== 'accepted') return false;
  return !sameTime(world.read(before).createdAt, world.read(caught).createdAt);
}

function datedAnew(world: World, { attempts }: Letter): Found | undefined {
  const created = (caught: Caught) => world.read(caught).createdAt;
  const [first] = attempts;
  const changed = attempts.find((each) => !sameTime(created(each), created(first!)));
  if (changed === undefined) return undefined;
  return wrong('dated-anew', 'NTF-7', {
    expected: `every attempt says that it was created at ${String(created(first!))}`,
    actual: `a later one says ${String(created(changed))}`,
    exchanges: [first!, changed],
  });
}

function sameTime(one: unknown, other: unknown): boolean {
  const time = utcTime(one);
  return time === undefined ? one === other : time === utcTime(other);
}

/** What was accepted is done, but where the service ended before it could write that down. */
function afterAcceptance(world: World, { attempts }: Letter): Found | undefined {
  const index = attempts.findIndex((caught, place) => {
    const next = attempts[place + 1];
    if (next === undefined || outcomeOf(caught, world.kit.contract) !== 'accepted') return false;
    const { at } = caught.end!;
    return next.at >= at && !world.away.some((each) => each.from <= at + unwritten && each.to >= caught.at);
  });
  if (index < 0) return undefined;
  return wrong('sent-after-acceptance', 'DLV-2', {
    expected: `attempt ${index + 1} is accepted and the last`,
    actual: `attempt ${index + 2} came after it`,
    exchanges: attempts.slice(index, index + 2),
    // On a busy machine the service's time-out may have come before the answer: it has to recur.
    absence: true,
  });
}

function tooMany({ kit }: World, { attempts }: Letter): Found | undefined {
  const most = kit.contract.delivery.retries + 1;
  if (attempts.length <= most) return undefined;
  return wrong('too-many-attempts', 'STA-2', {
    expected: `a notification has ${most} attempts at most`,
    actual: `attempt ${most + 1} came`,
    exchanges: attempts.slice(most - 1, most + 1),
  });
}

/** The status in what is delivered: a new notification is under way. */
function toldOtherwise(world: World, { attempts }: Letter): Found | undefined {
  const { underway } = world.kit.terms.notification.statuses;
  const { status } = world.read(attempts[0]!);
  if (status === undefined || status === underway) return undefined;
  return wrong('wrong-status', 'STA-1', {
    expected: `a new notification is ${underway}`,
    actual: `the first attempt says ${JSON.stringify(status)}`,
    exchanges: attempts.slice(0, 1),
  });
}

function unsigned(world: World, { owner, event }: Letter, caught: Caught): Found | undefined {
  const { secret } = owner.webhook;
  if (world.isSampled(caught, event)) return undefined;
  if (typeof secret !== 'string' || secret === '' || world.isSigned(caught, secret)) return undefined;
  const others = world.registered.filter((each) => each !== owner && typeof each.webhook.secret === 'string');
  const { finding } = judgeSignature(world.kit, caught, {
    webhook: owner.webhook,
    others: others.map(({ webhook }) => webhook),
  });
  return finding && { ...finding, cause: 'wrong-signature' };
}

function signedForNobody(caught: Caught): Found {
  return wrong('wrong-signature', ['SIG-2', 'WHK-9'], {
    expected: 'what comes to a url that webhooks share is signed with the secret of one of them',
    actual: `attempt ${caught.number} is signed with none of their secrets`,
    exchanges: [caught],
  });
}

/** Milliseconds before an attempt comes within which the service may have read what the webhook is like. */
const reading = 1000;

/**
 * Whether an attempt follows what the webhook was told to be when it was made: its url, its headers. The one before it
 * had ended by then, so whatever an update had changed before that end holds.
 */
function judgeState(world: World, letter: Letter, index: number): Found | undefined {
  const { owner, attempts, event } = letter;
  const caught = attempts[index]!;
  const before = attempts[index - 1];
  // What came before the sequence raised it was raised by somebody else.
  const raised = world.raised.find((each) => each.event === event && each.from <= caught.at)?.from ?? 0;
  const frozen = world.away.some(({ from, to }) => from <= caught.at && to >= caught.at - reading);
  const begun = Math.max(before ? endOf(before) : raised, frozen ? 0 : caught.at - reading);
  const states = owner.between(begun, caught.at);
  if (world.isSampled(caught, event)) return undefined;
  world.judge('WHK-10');
  if (owner.states.length > 1) world.judge('ACT-3');
  return elsewhere(letter, index, states) ?? otherHeaders(world, letter, index, states);
}

/** When the service knew how an attempt had ended: where it left by itself, that was before the kit saw it. */
function endOf({ at, end }: Caught): number {
  return end === undefined || end.kind === 'abandoned' ? at : end.at;
}

function elsewhere({ owner, attempts }: Letter, index: number, states: readonly State[]) {
  const caught = attempts[index]!;
  if (states.some(({ place }) => place.caught.includes(caught))) return undefined;
  return wrong('old-url', 'ACT-3', {
    expected: 'after an update of url deliveries go to the new one',
    actual: `attempt ${index + 1} went to the old one`,
    // On a busy machine an attempt may have been on its way for long when the kit saw it: it has to recur.
    absence: true,
    exchanges: [owner.webhook.creation, ...attempts.slice(Math.max(0, index - 1), index + 1)],
  });
}

function otherHeaders(world: World, letter: Letter, index: number, states: readonly State[]): Found | undefined {
  const caught = letter.attempts[index]!;
  const lists = states.map(({ headers }) => headers);
  const ever = world.registered.flatMap((each) => each.states.flatMap(({ headers }) => headers));
  const received = (name: string) => world.kit.header(caught, name);
  const isSent = (list: readonly CustomHeader[]) =>
    list.every(({ name, value }) => received(name) === value) &&
    ever.every(({ name }) => received(name) === undefined || list.some((each) => isSame(each.name, name)));
  if (lists.length === 0 || lists.some(isSent)) return undefined;
  const list = lists.at(-1)!;
  const lacking = list.find(({ name, value }) => received(name) !== value);
  const { name } = lacking ?? ever.find((each) => received(each.name) !== undefined)!;
  const isUpdated = letter.owner.states.some(({ from }, place) => place > 0 && from < caught.at);
  return wrong('wrong-headers', isUpdated ? 'ACT-3' : 'WHK-10', {
    expected: lacking ? `attempt ${index + 1} carries ${name}: ${lacking.value}` : `${name} is no longer sent`,
    actual: received(name) === undefined ? 'it has no such header' : `it carries ${JSON.stringify(received(name))}`,
    exchanges: [letter.owner.webhook.creation, caught],
    absence: isUpdated,
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
