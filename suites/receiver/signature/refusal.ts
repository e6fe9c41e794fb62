import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { digestSpellings } from '../../../spec/signature.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, Unproven, type Finding } from '../../check.ts';
import type { Answer, Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { EffectClaim } from '../effect.ts';
import { acceptedTwin, attempt, finding, type Point } from '../expectation.ts';
import { forge, malformedForgeries, wellFormedForgeries, type Forgery } from '../forgery.ts';
import { expectStillServing } from '../stillServing.ts';
import { forgedCases, forgedIn, sendForged, type ForgedCase } from './sendForged.ts';

/** Characters of a header beyond which a front server may close the connection. */
const longHeader = 8000;

/** Section 5.2: what is no signature at all is refused too, and disturbs nobody. */
export const malformedSignature = receiverCheck<ForgedCase>({
  id: 'receiver/signature/malformed',
  title: 'refuses a missing, empty, truncated or garbled signature',
  requirements: ['VRF-2', 'VRF-4', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: (draw) => forgedCases(draw, malformedForgeries),
  run: async (kit, value) => {
    const { finding: accepted, twin, refused, claims } = await sendForged(kit, value);
    const point = { requirement: 'VRF-4', twin, ...forgedIn(value.forgery) } as const;
    return accepted ?? expectQuietRefusal(kit, refused, point, claims);
  },
  hint:
    'Refuse when the header is missing or empty. Comparison functions for constant time throw when the lengths differ, ' +
    'and on characters beyond ASCII: compare lengths (of bytes) first. Strict decoders of hex and base64 throw on any other ' +
    'character and on an odd number of digits, and a header that comes twice may be a list: catch that, and refuse with 401.',
});

const refusalHint =
  'Answer 401 or 403 with a fixed text. A 5xx says that the receiver is broken, and a detailed error message ' +
  'gives the signature away.';

/** Refusals that are looked at in each run. */
const kindsOfRefusal = 4;

/** Section 5.2: how a refusal looks. */
export const refusal = receiverCheck<{ notification: Notification; forgery: Forgery }>({
  id: 'receiver/signature/refusal',
  title: 'refuses with a 4xx status and without a word about the expected signature',
  requirements: ['VRF-4', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  // Each of them is tried by another check too, which sees what is accepted: here they take turns.
  cases: (draw) =>
    inTurns(wellFormedForgeries.map((forgery) => fc.record({ forgery, notification: draw.notification() }))),
  run: async (kit, { notification, forgery }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = forge(kit, kit.compose(notification), forgery);
    const answer = await kit.deliver(delivery);
    if (kit.accepts(answer)) throw new Unproven(`the forgery was not refused: ${describeAnswer(answer)}`);
    return expectQuietRefusal(kit, attempt(delivery, answer), { requirement: 'VRF-4', twin, ...forgedIn(forgery) });
  },
  hint: refusalHint,
});

/** So many kinds of case, each with neighbours that differ. */
function inTurns<T>(cases: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.min(kindsOfRefusal, cases.length) }, (_, kind) =>
    cases.filter((_case, place) => place % kindsOfRefusal === kind),
  );
}

/** What was refused was refused with a 4xx that gives nothing away, and the receiver still serves. */
async function expectQuietRefusal(
  kit: ReceiverKit,
  refused: Attempt,
  point: Point,
  claims: readonly EffectClaim[] = [],
): Promise<Finding | undefined> {
  const { delivery, answer } = refused;
  const leak = leakedIn(answer, kit, delivery);
  if (leak) {
    return finding(
      [refused],
      { ...point, hint: refusalHint },
      {
        expected: 'a refusal that says nothing about the expected signature',
        actual: `${describeAnswer(answer)}, and the answer holds ${leak}`,
        absence: false,
      },
    );
  }
  const unserved = await expectStillServing(kit, { ...point, requirement: 'ROB-1' }, ...claims);
  if (unserved || hasStatusClass(answer, 4) || isCutOff(refused)) return unserved;
  return finding([refused], point, {
    expected: 'a refusal with a 4xx status',
    actual: describeAnswer(answer),
    absence: true,
  });
}

/** Whether the connection was closed because of a header that is longer than many servers take. */
function isCutOff({ delivery, answer }: Attempt): boolean {
  return answer.kind === 'broken' && delivery.headers.some(([, value]) => value.length > longHeader);
}

/** What an answer gives away of a delivery's right signature or of a secret, in words; nothing where it keeps them. */
function leakedIn(answer: Answer, kit: ReceiverKit, { body, id }: Delivery): string | undefined {
  if (answer.kind !== 'answered') return undefined;
  const text = [answer.body, ...answer.headers.map(([, value]) => value)].join('\n');
  if (kit.secrets.some((secret) => secret.length >= 6 && text.includes(secret))) return 'the secret';
  const spellings = kit.secrets.flatMap((secret) =>
    digestSpellings(kit.scheme, { secret, body, id, timestamp: kit.now() }),
  );
  return spellings.some((spelling) => text.includes(spelling)) ? 'the expected signature' : undefined;
}
