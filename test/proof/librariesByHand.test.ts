import { describe, expect, it } from 'vitest';

import { Hand } from './libraries/byHand.ts';
import { withBehind, withLostByte } from './libraries/deliveries.ts';
import type { LibraryName } from './libraries/index.ts';

/** Shows that a requirement is broken, beside something that is as it should be. */
type Show = (hand: Hand) => Promise<boolean>;

const now = (): number => Math.floor(Date.now() / 1000);

/** These servers keep and know nothing of what came: their documentation leaves both to the reader. */
const keepsNothing: Readonly<Record<string, Show>> = {
  'IDM-2': async (hand) => {
    const twice = hand.delivery();
    return (await hand.accepts(twice)) && (await hand.accepts(twice)) && (await hand.count(twice.id)) === 2;
  },
  'IDM-3': async (hand) => {
    const twice = hand.delivery();
    const answers = await Promise.all([hand.accepts(twice), hand.accepts(twice)]);
    return answers.every(Boolean) && (await hand.count(twice.id)) === 2;
  },
  'RCV-3': async (hand) => {
    const acknowledged = hand.delivery();
    const isAcknowledged = await hand.accepts(acknowledged);
    await hand.kill();
    await hand.start();
    return isAcknowledged && (await hand.count(acknowledged.id)) === 0;
  },
};

/** What was signed with U+FFFD in it is accepted with a byte that is no UTF-8 in its place. */
const losesBytes: Show = (hand) => hand.accepts(withLostByte(hand.delivery()));

/** It is accepted with this behind its signature, and refused with the signature of another body. */
const acceptsBehind =
  (added: string): Show =>
  async (hand) => {
    const delivery = hand.delivery();
    const { headers } = hand.delivery({ body: '{}' });
    return (await hand.accepts(withBehind(delivery, added))) && !(await hand.accepts({ ...delivery, headers }));
  };

const acceptsBody =
  (body: string): Show =>
  (hand) =>
    hand.accepts(hand.delivery({ body }));

const acceptsTheFuture: Show = async (hand) =>
  (await hand.accepts(hand.delivery({ time: now() + 864_000 }))) &&
  !(await hand.accepts(hand.delivery({ time: now() - 864_000 })));

/** What the table of docs/measurements.md says is broken at the standard intensity. */
const shown: Readonly<Record<LibraryName, Readonly<Record<string, Show>>>> = {
  '@octokit/webhooks': {
    'RCV-6': async (hand) =>
      (await hand.send(hand.delivery({ event: 'hasOwnProperty' }))) === 500 &&
      (await hand.accepts(hand.delivery({ event: 'nope' }))),
    'VRF-3': losesBytes,
    'ROB-1': async (hand) => {
      const ended = await hand.ends(() => hand.send(hand.delivery({ body: '7' })));
      await hand.start();
      return ended && (await hand.accepts(hand.delivery()));
    },
  },
  stripe: {
    'RCV-5': acceptsBody('{"object":"event","type":"invoice.paid"}'),
    'VRF-3': losesBytes,
    'VRF-5': acceptsBehind('=x'),
    'VRF-8': acceptsTheFuture,
  },
  standardwebhooks: { 'RCV-5': acceptsBody(''), 'VRF-3': losesBytes, 'VRF-5': acceptsBehind(',x') },
  svix: {
    'RCV-5': acceptsBody('{"type":'),
    'VRF-3': losesBytes,
    'VRF-5': acceptsBehind(',x'),
    'ROB-1': acceptsBody('{"type":"invoice.paid",}'),
  },
  '@slack/bolt': {
    'RCV-5': acceptsBody('{"type":"event_callback","event":{"type":"app_home_opened"}}'),
    'VRF-3': losesBytes,
    'VRF-5': acceptsBehind('=x'),
    'VRF-8': acceptsTheFuture,
    'ROB-1': async (hand) => {
      const start = performance.now();
      await hand.send(hand.delivery(), 'application/x-www-form-urlencoded');
      return performance.now() - start > 3000;
    },
  },
  shopify: {
    'RCV-5': acceptsBody(''),
    'VRF-5': acceptsBehind('~'),
    'ROB-1': acceptsBody('{"id":123456789012,}'),
  },
};

describe.concurrent.each(Object.entries(shown))('%s', (name, own) => {
  it('breaks by plain requests what the kit says', { timeout: 60_000 }, async () => {
    const hand = await Hand.start(name as LibraryName);
    const seen: Record<string, boolean> = {};
    try {
      for (const [id, show] of Object.entries({ ...keepsNothing, ...own })) seen[id] = await show(hand);
    } finally {
      await hand.kill();
    }
    expect(Object.keys(seen).filter((id) => seen[id] === false)).toEqual([]);
  });
});
