import type { Caught } from '../../exchange.ts';
import { type Found, wrong } from './found.ts';
import type { CustomHeader } from './steps.ts';
import type { Letter, State } from './registered.ts';
import type { World } from './world.ts';

/** Milliseconds before an attempt comes within which the service may have read what the webhook is like. */
const reading = 1000;

/**
 * Whether an attempt follows what the webhook was told to be when it was made: its url, its headers. The one before it
 * had ended by then, so whatever an update had changed before that end holds.
 */
export function judgeState(world: World, letter: Letter, index: number): Found | undefined {
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
