import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { verifier } from '../../reference/receiver/verify.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { expectFound } from './expectFound.ts';
import { asFound, complaints, further, isProof, testReceiver, secret } from './testReceiver.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import { brokenIn } from '../brokenIn.ts';

/** Tests the reference, with these policies, against one check. */
async function held(
  check: string,
  policies: Partial<ReceiverPolicies>,
  options: ReceiverPlanOptions = {},
): Promise<RunSummary> {
  const receiver = await startReceiver({ secrets: [secret], policies });
  return testReceiver(receiver, { only: [check], seed: 42, settle: 400, intensity: 'quick', ...options });
}

/** @param options - by default it is not shrunk */
async function counterexample(
  check: string,
  fault: string,
  options: ReceiverPlanOptions = asFound,
): Promise<Counterexample> {
  const { checks } = await held(check, receiverFaults[fault]!.change(conformingPolicies), options);
  const { counterexample: found, outcome, reason } = checks.find(({ id }) => id === check)!;
  expect(found, `${outcome}: ${reason}`).toBeDefined();
  return found!;
}

function hintOf(check: string): string {
  return receiverChecks.find(({ id }) => id === check)!.hint;
}

test.concurrent('a body that arrives with a character in two halves shows that its parts are decoded one by one', async () => {
  const { exchange, actual, hint } = await counterexample(
    'receiver/signature/beyond-ascii',
    'decodes-the-body-part-by-part',
  );
  expect(actual).toBe('401 Unauthorized');
  expect(exchange.difference).toMatch(/^the body comes in two parts, 100 ms apart, cut within a character/);
  expect(exchange.attempts.at(-1)!.request.wire).toContain('send nothing for 100 ms');
  expect(exchange.twin!.request.wire).toEqual(['send the headers with a content length', 'send the body']);
  expect(hint).toMatch(/join them \(Buffer\.concat\)/);
});

test.concurrent('what one body says under __proto__ shows in the next one, which lacks it', async () => {
  const check = 'receiver/robustness/unusual-json';
  const { exchange, actual, hint } = await counterexample(check, 'reads-what-is-missing-from-other-bodies');
  expect(exchange.difference).toMatch(/^a (?:__proto__|constructor\.prototype) member/);
  expect(exchange.attempts).toHaveLength(2);
  expect(actual).toMatch(/^a body without an id was accepted afterwards: 20\d/);
  expect(hint).toContain('__proto__');
});

test.concurrent('a limit of the body shows where no related resources make it large', async () => {
  const { exchange, actual, hint } = await counterexample('receiver/acceptance/text', 'refuses-bodies-above-16-kib');
  expect(exchange.difference).toMatch(/^a text of 6\d{4} characters$/);
  expect(actual).toBe('413 Payload Too Large');
  expect(hint).toMatch(/^Raise the limit of the body parser/);
});

test
  .runIf(isProof)
  .concurrent('what is sent to look into a suspicion says nothing of the cases that fail', async () => {
    const { summary } = await counterexample('receiver/idempotency/id-alone-decides', 'deduplicates-by-content');
    expect(summary).toMatch(/^another id: no effect for one of them .* other cases/);
    expect(summary).not.toContain('all with the event');
  });

test.concurrent('what an apostrophe in a text makes a receiver lose is seen beside a text without one', async () => {
  const { exchange, actual, hint } = await counterexample(
    'receiver/acceptance/text',
    'writes-texts-into-its-statements',
  );
  expect(exchange.difference).toBe('characters beyond ASCII, or ones that JSON, SQL, HTML or a shell escapes');
  expect(actual).toBe('no effect');
  expect(hint).toMatch(/as parameters of the statement/);
});

test.concurrent('a right signature that is refused for the characters of a text breaks VRF-1, and does not hold meanwhile', async () => {
  const fault = 'digests-the-body-without-its-backslashes';
  const { exchange, requirements, actual, hint } = await counterexample('receiver/signature/every-spelling', fault);
  expect([requirements, actual]).toEqual([['VRF-1'], '401 Unauthorized']);
  expect(exchange.difference).toBe('characters beyond ASCII, or ones that JSON, SQL, HTML or a shell escapes');
  expect(hint).toMatch(/\(stripslashes\)/);
  const { checks } = await held('receiver/acceptance/text', receiverFaults[fault]!.change(conformingPolicies), asFound);
  expect(checks[0]).toMatchObject({
    outcome: 'inconclusive',
    unconfirmed: expect.arrayContaining(['VRF-1']) as unknown,
  });
});

test.concurrent('where decoding as a whole is the mistake, the hint of the check stays', async () => {
  const check = 'receiver/signature/beyond-ascii';
  const { hint, exchange } = await counterexample(check, 'digests-text-as-latin1');
  expect(exchange.difference).toMatch(/^characters beyond ASCII stand there as they are/);
  expect(hint).toBe(hintOf(check));
});

test.concurrent('a second signature header has a hint of its own, which speaks of no decoder', async () => {
  const check = 'receiver/signature/nothing-added';
  const { hint } = await counterexample(check, 'takes-the-first-of-two-headers');
  expect(hint).toMatch(/^The header came twice, and only its first line was compared\. Refuse/);
  expect(hint).not.toContain('ecoder');
  const { hint: other } = await counterexample(check, 'decodes-hex-leniently');
  expect(other).toBe(hintOf(check));
});

test.concurrent('where sums of digests are compared, a signature of the same digits in another order is accepted', async () => {
  const check = 'receiver/signature/forged';
  const inAnotherOrder = 'the digits of the signature in another order';
  const found = () => counterexample(check, 'compares-sums-of-digests', {});
  let { exchange, hint } = await found();
  // Any other digest has the same sum now and then.
  for (let tries = 1; tries < 4 && exchange.difference !== inAnotherOrder; tries++)
    ({ exchange, hint } = await found());
  expect(exchange.difference).toBe(inAnotherOrder);
  expect(hint).toMatch(/^The digits of the right signature were accepted in another order/);
});

test.concurrent('redeliveries are not blamed where what was delivered once takes effect again as well', async () => {
  const check = 'receiver/idempotency/takes-effect-once';
  const triedAgain: Partial<ReceiverPolicies> = {
    accept: async (received, store, delivery) => {
      const acceptance = await conformingPolicies.accept(received, store, delivery);
      const again = (): void => store.takeEffect(received.id);
      // The store may be closed by then.
      if (acceptance === 'new')
        void delay(600, undefined, { ref: false })
          .then(again)
          .catch(() => undefined);
      return acceptance;
    },
  };
  const { checks } = await held(check, triedAgain, { ...asFound, settle: 1200 });
  const { actual, hint } = checks[0]!.counterexample!;
  expect(actual).toBe('2 effects; what was delivered once, at the beginning of the run, has had 2 effects as well');
  expect(hint).toMatch(/^What was delivered once takes effect again as well/);
});

test.runIf(isProof).concurrent('what a forgery undid is said to have been there before', async () => {
  const { expected, actual } = await counterexample('receiver/signature/forged', 'undoes-what-comes-forged');
  expect(expected).toBe('the effect that was there before is still there');
  expect(actual).toBe('no effect: the one that was there before is gone');
});

test.runIf(isProof).concurrent('what one event says is seen to matter where it is acknowledged, too', async () => {
  const check = 'receiver/acceptance/every-event';
  const { actual, exchange } = await counterexample(check, 'drops-one-event-without-related-resources');
  expect(actual).toBe('no effect');
  expect(exchange.difference).toBe('another notification of document.extracted, with no related resources');
});

test.concurrent('a forgery that is let through after some tries is shown with them', async () => {
  const fault = 'lets-the-fourth-copy-of-a-forgery-through';
  const { exchange, hint } = await counterexample('receiver/signature/forged', fault);
  expect(exchange.difference).toMatch(/, sent as often as a service tries$/);
  expect(exchange.attempts.slice(0, 3)).toMatchObject(Array(3).fill({ answer: { status: 401 } }));
  expect(hint).toMatch(/^A forged delivery was accepted after some that were refused\./);
});

test.concurrent('a forgery that only passes under a known id is shown behind the delivery that made it known', async () => {
  const { exchange, hint } = await counterexample('receiver/signature/malformed', 'verifies-no-redelivery', {});
  expect(exchange.difference).toMatch(/, under the id of a delivery that (?:was accepted|had taken effect) before$/);
  const [first, forged, ...others] = exchange.attempts;
  expect([first, ...others]).toEqual([exchange.twin]);
  expect(forged!.request.body).toEqual(first!.request.body);
  expect(hint).toMatch(/^The same forgery was refused under a new id\./);
});

test
  .runIf(isProof)
  .concurrent('where a part is compared and the sum of all, the other part comes in another order', async () => {
    const { exchange, hint } = await counterexample('receiver/signature/forged', 'compares-a-prefix-and-a-sum', {});
    expect(exchange.difference).toBe('the digits of the signature in another order, in the last half');
    expect(hint).toMatch(/^The digits of the right signature were accepted in another order/);
  });

test.concurrent('a comparison that ends at a byte of zero is found, for one delivery has a digest that holds one', async () => {
  const { requirements, exchange } = await counterexample(
    'receiver/signature/forged',
    'compares-digests-up-to-a-zero',
    {},
  );
  expect(requirements).toEqual(['VRF-2']);
  // One of the others may hold one by chance.
  const signature = ({ headers }: { readonly headers: readonly (readonly [string, string])[] }): string =>
    headers.find(([name]) => /signature/i.test(name))![1];
  expect(Buffer.from(signature(exchange.attempts.at(-1)!.request), 'hex')).toContain(0);
});

test.concurrent('where no space behind a colon makes the difference, the hint is about that', async () => {
  const check = 'receiver/signature/header-case';
  const { exchange, hint } = await counterexample(check, 'needs-a-space-behind-the-colon', {});
  expect(exchange.difference).toBe('no space behind the colons of the headers');
  expect(exchange.attempts.at(-1)!.request.wire![0]).toBe(
    'send the headers with a content length, without spaces behind their colons',
  );
  expect(hint).toMatch(/^HTTP leaves the white space behind a colon to the sender/);
});

test.runIf(isProof).concurrent('a signature is cut at its beginning, too', async () => {
  const { exchange, hint } = await counterexample('receiver/signature/malformed', 'compares-the-end-of-the-digest', {});
  expect(exchange.difference).toMatch(/^a signature without its first/);
  expect(hint).toMatch(/^A part of the right signature was accepted in its place/);
});

test.runIf(isProof).concurrent('an event that is not answered is not said to be unknown', async () => {
  const check = 'receiver/acceptance/every-event';
  const accept: ReceiverPolicies['accept'] = (notification, ...rest) =>
    notification.event === 'container.transport.rail_unloaded'
      ? new Promise(() => {})
      : conformingPolicies.accept(notification, ...rest);
  const { checks } = await held(
    check,
    { accept },
    { ...asFound, timeout: 500, events: ['*.rail_unloaded', '*.vessel_arrived'] },
  );
  expect(checks[0]!.counterexample!.summary).toMatch(
    /^the event is container\.transport\.rail_unloaded: no answer within/,
  );
  expect(checks[0]!.counterexample!.hint).toMatch(/^What this event causes is done before the answer/);
});

const everySetting = 'receiver/signature/every-setting';

test.concurrent.each([
  ['searches-for-the-signature-in-the-right-one', /^A part of the right signature was accepted in its place/],
  ['verifies-what-looks-like-a-signature', /^What does not look like a signature was not verified at all/],
  ['accepts-a-missing-header', /^What came without a signature was not verified at all/],
])('the hint of %s is about what else is accepted', async (fault, words) => {
  for (const check of ['receiver/signature/malformed', ...further(everySetting)])
    expect((await counterexample(check, fault, {})).hint).toMatch(words);
});

test.concurrent.each([
  [
    'reads-no-escapes-in-names',
    /^a character written as \\uXXXX with \w+-case digits in the name of \S+ \(.\); in the name of /,
  ],
  ['reads-no-plus-in-exponents', /^a number spelled otherwise \(signed\)/],
  ['ignores-what-a-pattern-finds-no-event-in', /^(a space|a character written as)/, /It was acknowledged, and lost/],
])(
  '%s is found by a body that is spelt otherwise',
  async (fault, difference, words = /it is the content that was refused/) => {
    const options = { ...asFound, intensity: 'standard' } as const;
    const { exchange, hint } = await counterexample('receiver/signature/every-spelling', fault, options);
    expect(exchange.difference).toMatch(difference);
    expect(hint).toMatch(words);
  },
);

test
  .runIf(isProof)
  .concurrent('of the settings in which a forgery is accepted one is shown, with the hint for its kind', async () => {
    const { exchange, hint, curl } = await counterexample(everySetting, 'lets-a-parameter-switch-verification-off', {});
    expect(exchange.difference).toBe('signed with another secret (forged~), sent with ?verify=false');
    expect(exchange.attempts.at(-1)!.request.url).toMatch(/\/hooks\?verify=false$/);
    expect(exchange.twin!.request.url).toMatch(/\/hooks$/);
    expect(curl).toContain('?verify=false');
    expect(hint).toMatch(/^Anybody can write any query\./);
  });

test.runIf(isProof).concurrent('where a forgery is accepted in any setting, no setting is blamed', async () => {
  const { exchange, hint } = await counterexample(everySetting, 'trusts-loopback');
  expect(exchange.difference).toBe('signed with another secret (forged~)');
  expect(hint).toBe(hintOf(everySetting));
  expect(hintOf('receiver/signature/forged')).toContain('trust loopback addresses');
});

test.concurrent('a page for other methods and paths is no acceptance of a forgery', async () => {
  const served = /^(POST \/hooks(\?.*)?|GET \/effects\/.*)$/;
  const summary = await held(everySetting, {
    tune: (server) => {
      const listeners = server.listeners('request');
      server.removeAllListeners('request').on('request', (request, response) => {
        if (!served.test(`${request.method} ${request.url}`))
          return void request.resume().on('end', () => response.end('A webhook lives here.'));
        for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
      });
    },
  });
  expect(complaints(summary)).toEqual([]);
});

test.concurrent('what was sent beside an accepted forgery is shown with it', async () => {
  const fault = 'takes-a-second-forgery-for-a-redelivery';
  const { exchange, hint } = await counterexample('receiver/signature/forged', fault);
  expect(exchange.attempts).toMatchObject([{ answer: { status: 401 } }, { answer: { status: 200 } }]);
  expect(hint).toMatch(/^The second copy of a forged delivery was accepted\./);
});

test.concurrent('ids of versions 1 and 7 are delivered, each with the time of the run in it', async () => {
  const ids = new Set<string>();
  const began = Date.now();
  const summary = await held('receiver/acceptance/uuid-versions', {
    accept: (notification, ...rest) => {
      ids.add(notification.id);
      return conformingPolicies.accept(notification, ...rest);
    },
  });
  expect(complaints(summary)).toEqual([]);
  const others = [...ids].filter((id) => id[14] !== '4');
  expect(others.every((id) => /^[\da-f]{8}-[\da-f]{4}-[17][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(
    true,
  );
  expect(others).toHaveLength(2);
  expect(new Set(others.map((id) => id[14]))).toEqual(new Set(['1', '7']));
  for (const id of others) expect(Math.abs(timeOf(id) - began)).toBeLessThan(60_000);
});

test.concurrent('creation times come with each number of digits behind the second', async () => {
  const digits = new Set<number>();
  const summary = await held('receiver/acceptance/timestamps', {
    accept: (notification, ...rest) => {
      const [, fraction = ''] = /"created_at":"[^".]+(?:\.(\d+))?Z"/.exec(JSON.stringify(notification.value)) ?? [];
      digits.add(fraction.length);
      return conformingPolicies.accept(notification, ...rest);
    },
  });
  expect(complaints(summary)).toEqual([]);
  expect(digits).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
});

test.concurrent('what is refused in both copies, beside others that are accepted, is delivered again before its effect is asked for', async () => {
  const copies = new Map<string, number>();
  const summary = await held('receiver/idempotency/concurrent-copies', {
    accept: async (notification, ...rest) => {
      const { id } = notification;
      const copy = (copies.get(id) ?? 0) + 1;
      copies.set(id, copy);
      const isUnlucky = [...copies.keys()].indexOf(id) % 2 === 1;
      if (isUnlucky && copy <= 2) throw new Error('deadlock detected');
      return conformingPolicies.accept(notification, ...rest);
    },
  });
  expect(complaints(summary)).toEqual([]);
});

/** The milliseconds since 1970 that a uuid of version 1 or 7 tells (RFC 9562, sections 5.1 and 5.7). */
function timeOf(id: string): number {
  const [low, middle, high] = id.split('-') as [string, string, string];
  if (high.startsWith('7')) return Number.parseInt(low + middle, 16);
  const hundredsOfNanoseconds = BigInt(`0x${high.slice(1)}${middle}${low}`);
  return Date.UTC(1582, 9, 15) + Number(hundredsOfNanoseconds / 10_000n);
}

test.concurrent('a body that is dropped whatever it names is no matter of ids; one that is dropped for the id that it names is', async () => {
  const check = 'receiver/idempotency/id-alone-decides';
  const brokenBy = async (fault: string): Promise<readonly string[]> => {
    const { requirements } = await held(check, receiverFaults[fault]!.change(conformingPolicies));
    return brokenIn({ requirements });
  };
  expect(await brokenBy('finds-the-event-at-any-depth')).toEqual([]);
  expect(await brokenBy('finds-the-id-by-its-name')).toEqual(['IDM-4']);
});

test.concurrent('an event that is taken once and never again is found, although nothing takes effect any more by then', async () => {
  const check = 'receiver/idempotency/id-alone-decides';
  const { requirements, actual } = await counterexample(check, 'takes-each-event-once');
  expect([requirements, actual]).toEqual([['IDM-4'], 'no effect of the second of its event, nor of 5 more']);
});

test.concurrent('one event of all whose notifications are merged is found, whatever other events the cases are about', async () => {
  const { requirements, exchange } = await counterexample(
    'receiver/idempotency/id-alone-decides',
    'merges-what-follows-within-300-ms',
  );
  expect(requirements).toEqual(['IDM-4']);
  expect(exchange.difference).toBe('another notification of the same event came at the same moment');
});

test
  .runIf(isProof)
  .concurrent(
    'what is lost where many come at once is lost by their number, and one after the other shows that it is not by their ids',
    async () => {
      let underWay = 0;
      const policies: Partial<ReceiverPolicies> = {
        accept: async (notification, store, delivery) => {
          const isFull = ++underWay > 8;
          await delay(20);
          underWay -= 1;
          if (isFull) return store.remember({ ...notification, key: notification.id });
          return conformingPolicies.accept(notification, store, delivery);
        },
      };
      const { checks } = await held('receiver/load/after-many', policies, { shrinkTime: 0, concurrency: 32 });
      const { requirements, exchange } = checks.find(({ id }) => id === 'receiver/load/after-many')!.counterexample!;
      expect(requirements).toEqual(['RTY-1']);
      expect(exchange.difference).toMatch(
        /^one of \d+ notifications that were accepted( at the same moment|, \d+ of which took no effect; about as many were lost at the beginning of the run)$/,
      );
    },
  );

test.concurrent('what is dropped for its event or for what it is about is dropped alone as well, and so not for its neighbours', async () => {
  const { checks } = await held('receiver/idempotency/id-alone-decides', {
    accept: (notification, store) => {
      const { included = [] } = notification.value as { readonly included?: readonly { readonly id: string }[] };
      const about = notification.event?.includes('rail') === true ? [] : included.map(({ id }) => id);
      return store.accept({ ...notification, key: [notification.event, ...about].join(' ') });
    },
  });
  expect(checks.flatMap(({ counterexample }) => counterexample?.requirements ?? [])).toEqual(['IDM-4']);
});

test.concurrent('effects that wait for others are seen where nothing follows', async () => {
  const { actual, hint } = await counterexample('receiver/load/still-at-work', 'writes-effects-thirty-at-a-time');
  expect(actual).toMatch(/^no effect of the last \d, until 100 others were delivered$/);
  expect(hint).toMatch(/^Effects are gathered/);
});

test.concurrent('a list without a signature is no list of right ones', async () => {
  const { exchange } = await counterexample('receiver/signature/malformed', 'takes-an-empty-list-for-verified');
  expect(exchange.difference).toBe('the signature is ","');
});

test.concurrent('each punctuation mark that a trim cuts off is tried', async () => {
  const check = 'receiver/signature/nothing-added';
  const { exchange, hint } = await counterexample(check, 'trims-punctuation-off-the-signature');
  expect(exchange.difference).toMatch(/^"(;|\\"|')" behind the signature$/);
  expect(hint).toMatch(/^The end of the header was cut off/);
});

test.concurrent('a decoder that passes over anything has the hint for it, whatever was added', async () => {
  const check = 'receiver/signature/nothing-added';
  const match = (expected: string, given: string) => given.replaceAll(/[^0-9a-f]/g, '') === expected;
  const { checks } = await held(check, { verify: verifier({ match }) });
  const { exchange, hint } = checks.find(({ id }) => id === check)!.counterexample!;
  expect(exchange.difference).toMatch(/ behind the signature$/);
  expect(hint).toMatch(/^The signature was decoded, and the decoder passes over/);
});

test.concurrent('large bodies that are digested at the same moment show that an HMAC is shared', async () => {
  const { actual, hint } = await counterexample(
    'receiver/signature/every-digest',
    'shares-an-hmac-between-large-bodies',
  );
  expect(actual).toBe('401 Unauthorized, as for a forged one');
  expect(hint).toMatch(/^Make a new HMAC object/);
});

test.concurrent('where nobody catches the error of the parser, the hint says so of whatever is no JSON', async () => {
  const fault = 'never-answers-what-is-no-json';
  const { timeout } = receiverFaults[fault]!;
  for (const check of ['receiver/robustness/malformed-json', 'receiver/robustness/unusual-json']) {
    const { actual, hint } = await counterexample(check, fault, { ...asFound, timeout: timeout! });
    expect(actual).toMatch(/^no answer within/);
    expect(hint).toMatch(/an error is thrown where nothing catches it/);
  }
});

test.concurrent('where the work of one is done for another, the hint speaks of what requests share', async () => {
  const lost = await counterexample('receiver/load/long-queue', 'works-on-what-came-last');
  expect([lost.actual, lost.hint]).toEqual([
    'no effect',
    expect.stringMatching(/^The work of one was done for another/),
  ]);
});

test
  .runIf(isProof)
  .concurrent('what is older than the latest is seen where that was created later than now', async () => {
    const latest = new Map<string | undefined, string>();
    const accept: ReceiverPolicies['accept'] = async (notification, ...rest) => {
      const at = /"created_at":"([^"]+)"/.exec(JSON.stringify(notification.value))?.[1] ?? '';
      const last = latest.get(notification.event);
      latest.set(notification.event, [at, last ?? '2050-01-01T00:00:00Z'].toSorted().at(-1)!);
      return at < (last ?? '') ? 'duplicate' : conformingPolicies.accept(notification, ...rest);
    };
    const check = 'receiver/idempotency/id-alone-decides';
    const atEnd = 'receiver/load/still-at-work';
    const { checks } = await held(check, { accept }, { ...asFound, only: [check, atEnd] });
    for (const [id, difference] of [
      [check, 'another id, and a creation time before that of the last one'],
      [atEnd, 'it was created before the latest that came'],
    ]) {
      const { requirements, exchange, hint } = checks.find((each) => each.id === id)!.counterexample!;
      expect([requirements, exchange.difference]).toEqual([['IDM-4'], difference]);
      expect(hint).toMatch(/^Notifications come in any order/);
    }
  });

test
  .runIf(isProof)
  .concurrent('what a full queue had no room for is lost, also where it would be taken again', async () => {
    const fault = 'forgets-what-does-not-fit-in-its-queue';
    const check = 'receiver/load/after-many';
    const { requirements, hint } = await counterexample(check, fault, { ...asFound, concurrency: 64 });
    expect([requirements, hint]).toEqual([
      ['RTY-1'],
      expect.stringMatching(/^What came while others were at work was dropped/),
    ]);
  });

test.concurrent('a body that comes in two parts behind its head shows that it is read twice at most', async () => {
  const collect: ReceiverPolicies['collect'] = async (head) => {
    const parts: Buffer[] = [];
    let reads = 0;
    let last = performance.now();
    head.on('data', (part: Buffer) => {
      if (performance.now() - last > 10) reads += 1;
      if (reads < 2) parts.push(part);
      last = performance.now();
    });
    await conformingPolicies.collect(head);
    return Buffer.concat(parts);
  };
  const check = 'receiver/acceptance/in-pieces';
  // On a busy machine the parts may come to the receiver at once.
  const { checks } = await expectFound({ breaks: ['RCV-1'], proven: [check] }, () => held(check, { collect }, asFound));
  const { actual, exchange } = checks.find(({ id }) => id === check)!.counterexample!;
  expect(actual).toBe('401 Unauthorized');
  expect(exchange.difference).toMatch(/cut between the headers and the body, and within the body$/);
});

test.concurrent('what is done once more in a quiet time is seen at its end', async () => {
  const check = 'receiver/load/after-a-pause';
  const found = await counterexample(check, 'works-on-the-latest-once-more', {
    only: [check, 'receiver/load/still-at-work'],
    intensity: 'standard',
  });
  expect([found.requirements, found.actual, found.exchange.difference]).toEqual([
    ['IDM-2'],
    '2 effects, after 1 before',
    'nothing was delivered for 0.8 s after it',
  ]);
  expect(found.hint).toMatch(/^A job, a timer or a lease works once more/);
});

test.concurrent('what ends the work on all that waits beside it is dropped for what it holds', async () => {
  const { exchange, actual } = await counterexample(
    'receiver/acceptance/included',
    'loses-a-batch-with-a-resource-without-a-type',
    { ...asFound, intensity: 'standard' },
  );
  expect(exchange.difference).toMatch(/^related resources (?:that are empty objects|without a type)$/);
  expect(actual).toMatch(/^no effect/);
});

test.concurrent('what a filter takes for an attack is shown as the text that it refuses', async () => {
  const check = 'receiver/acceptance/text';
  const { exchange, actual, hint } = await counterexample(check, 'stands-behind-a-filter', {});
  expect(exchange.difference).toMatch(/^texts that look like markup, statements, paths or commands: /);
  expect(actual).toBe('403 Forbidden');
  expect(hint).toMatch(/web application firewall/);
});

test.concurrent('a body that is left unread is shown by what follows it over its connection, and blamed on no id', async () => {
  const fault = 'takes-the-body-of-what-has-no-signature-for-a-request';
  const { exchange, requirements } = await counterexample('receiver/acceptance/one-connection', fault);
  expect(requirements).toEqual(['ROB-1']);
  expect(exchange.difference).toBe('on the connection of a delivery without a signature before it');
  expect(
    brokenIn(await held('receiver/signature/malformed', receiverFaults[fault]!.change(conformingPolicies))),
  ).toEqual([]);
});

test.concurrent('a slow sender whom the receiver gives up after the others had no answer is not made up for by their retry', async () => {
  const fault = 'lets-a-slow-body-block-the-rest-until-it-gives-up';
  const { exchange, actual } = await counterexample('receiver/robustness/slow-bodies', fault, {
    ...asFound,
    timeout: receiverFaults[fault]!.timeout!,
  });
  expect(exchange.difference).toMatch(/on the way$/);
  expect(actual).toMatch(/no answer within/);
});

test.concurrent('an id that is removed by the creation time of its notification is seen where that was days ago', async () => {
  const check = 'receiver/idempotency/takes-effect-once';
  const { exchange, actual, hint } = await counterexample(check, 'forgets-ids-a-day-after-their-creation');
  expect(exchange.difference).toMatch(/created three days before$/);
  expect(actual).toMatch(/^2 effects/);
  expect(hint).toMatch(/count from their arrival/);
});
