import fc from 'fast-check';

import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, Unobservable, Unproven, type Finding } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Effects, ReceiverKit } from '../../kit.ts';
import type { Variables } from '../../processControl.ts';
import { refusalTime, revived } from '../aftermath.ts';
import { countOf, idsOf } from '../counting.ts';
import { effectFinding, expectEffects, type EffectClaim } from '../effect.ts';
import type { Point } from '../../finding.ts';
import { acceptedForgery, acceptedTwin, delivered } from '../expectation.ts';
import { describeForgery } from '../describeForgery.ts';
import { itemOf } from '../../items.ts';
import { forge, plainForgery, type Forgery } from '../forgery.ts';

/** How its secret is missing. */
type Missing = 'without' | 'with an empty';

/** What stands in the place of a missing secret in many a receiver: how languages write nothing, and what examples are set to. */
const standIns = [
  'undefined',
  'null',
  'None',
  'nil',
  'secret',
  'changeme',
  'change-me',
  'default',
  'test',
  'dev',
  'password',
];

/** What anyone can make who does not know the secret; first what shows that nothing is verified at all. */
const forgeries: readonly Forgery[] = [
  plainForgery,
  { kind: 'an empty secret' },
  { kind: 'no signature header' },
  { kind: 'an empty signature' },
  { kind: 'a plain hash without a secret' },
  { kind: 'some other word', word: '0' },
];

/** Milliseconds that an answer is awaited at least, and how many times as long as that to a right delivery: it may be slower after a start. */
const shortPatience = 3000;
const slowAnswers = 3;

/** A delivery that is forged, and in words how. */
interface Forged {
  readonly delivery: Delivery;
  readonly how: string;
}

/** Section 5.2: a key that is empty is known to everybody. */
export const withoutSecret = receiverCheck<{ readonly missing: Missing }>({
  id: 'receiver/signature/without-secret',
  title: 'does not start without its secret, or accepts nothing then',
  requirements: ['VRF-6', 'RTY-1'],
  fatal: 'RTY-1',
  needs: ['secret', 'process-control', 'secret-variable'],
  schedule: { kind: 'interrupting' },
  // One case of each kind: the same is sent each time.
  weight: 0,
  cases: () => [
    fc.record({ missing: fc.constant('without' as const) }),
    fc.record({ missing: fc.constant('with an empty' as const) }),
  ],
  run: async (kit, { missing }) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    const started = `started ${missing} ${kit.secretVariable}`;
    await kit.processControl.kill();
    const tried = await triedOnceReady(kit, missing, twin).finally(() => kit.processControl.kill());
    const { useless } = await revived(kit, twin, `${started}, then with its secret again`);
    const pointOf = ({ how }: Tried): Point => ({ requirement: 'VRF-6', twin, difference: `${started}; ${how}` });
    const accepted = tried.find(({ sent }) => kit.accepts(sent.answer));
    if (accepted) return acceptedForgery(kit, accepted.sent, pointOf(accepted));
    const effective = tried.find(({ effects }) => effects > 0);
    if (effective) return refusedWithEffect(effective, pointOf(effective));
    // What was stored may take effect only now.
    return useless ?? expectEffects(kit, ...tried.map((one) => noneOf(one.sent, pointOf(one))));
  },
  hint:
    'Look at the secret once, where the process starts, and end with an error if it is missing or empty: an HMAC with an ' +
    'empty key is one that everybody can compute. A default value (process.env.SECRET ?? "", os.environ.get("SECRET", ' +
    '"secret")) and "if (secret) verify()" both open the door on the day a deployment forgets the variable.',
});

interface Tried {
  readonly sent: Attempt;
  readonly how: string;
  /** Its effects as long as the receiver ran without the secret, as far as they could be seen. */
  readonly effects: number;
}

/** See {@link triedWithout}. What fails may only not be ready yet: then again, after as long as it takes with its secret. */
async function triedOnceReady(kit: ReceiverKit, missing: Missing, twin: Attempt): Promise<readonly Tried[]> {
  const tried = await triedWithout(kit, missing, twin);
  const failed = ({ sent: { answer } }: Tried): boolean => answer.kind === 'broken' || hasStatusClass(answer, 5);
  if (!tried.some(failed) || tried.some(({ sent }) => kit.accepts(sent.answer))) return tried;
  await kit.processControl.kill();
  const began = kit.elapsed();
  await kit.processControl.start();
  await kit.deliverWithRetries(kit.again(twin.delivery), refusalTime);
  const ready = kit.elapsed() - began;
  await kit.processControl.kill();
  return triedWithout(kit, missing, twin, ready);
}

/**
 * Starts it in that way, and sends every forgery, up to the first that is accepted.
 *
 * @param twin - a right delivery, before
 * @param ready - milliseconds after which it is ready. Default: as soon as it takes connections
 * @returns nothing where it does not start, or answers nothing
 * @throws Unobservable where it still knows its secret
 */
async function triedWithout(kit: ReceiverKit, missing: Missing, twin: Attempt, ready = 0): Promise<readonly Tried[]> {
  const variables: Variables = { [kit.secretVariable]: missing === 'without' ? undefined : '' };
  if (!(await kit.processControl.startWith(variables))) {
    kit.note(`it did not come up ${missing} ${kit.secretVariable}`);
    return [];
  }
  await kit.pause(ready);
  const tried = await triedForged(kit, Math.max(shortPatience, slowAnswers * twin.answer.ms));
  if (tried.some(({ sent }) => kit.accepts(sent.answer))) return tried.map((one) => ({ ...one, effects: 0 }));
  if (tried.every(({ sent }) => sent.answer.kind === 'timed-out')) {
    kit.note(`it took connections ${missing} ${kit.secretVariable}, and answered nothing`);
    return [];
  }
  const genuine = await kit.deliver(kit.compose(kit.control));
  if (kit.accepts(genuine)) {
    throw new Unobservable(
      `started ${missing} ${kit.secretVariable}, it still accepts what is signed with its secret, and nothing else (${describeAnswer(genuine)}): it takes the secret from elsewhere, such as a file. Name the variable that it takes it from with --secret-env, or start it where that file is missing`,
    );
  }
  const effects = await effectsOf(kit, tried);
  return tried.map((one) => ({ ...one, effects: countOf(effects, one.sent) }));
}

/**
 * Every forgery, one after the other, up to the first that is accepted. Where the first gets no answer, the others are sent at
 * once: what only takes connections, as a server does whose workers do not start, would take the time for each.
 *
 * @param patience - milliseconds that an answer is awaited
 */
async function triedForged(kit: ReceiverKit, patience: number): Promise<readonly Omit<Tried, 'effects'>[]> {
  const send = async ({ delivery, how }: Forged) => ({
    sent: await delivered(kit, delivery, patience),
    how,
  });
  const [first, ...others] = forged(kit);
  if (first === undefined) return [];
  const one = await send(first);
  if (one.sent.answer.kind === 'timed-out') return [one, ...(await Promise.all(others.map(send)))];
  const tried = [one];
  for (const next of others) {
    if (kit.accepts(itemOf(tried, tried.length - 1).sent.answer)) break;
    tried.push(await send(next));
  }
  return tried;
}

/** What is seen of their effects a settling time later. A probe that is part of the receiver may be down with it. */
async function effectsOf(kit: ReceiverKit, tried: readonly Omit<Tried, 'effects'>[]): Promise<Effects> {
  const isServing = tried.some(({ sent }) => sent.answer.kind === 'answered');
  if (!kit.probed || !isServing || !kit.isEffective(kit.control.event)) return new Map();
  await kit.pause(kit.settle);
  try {
    return await kit.effectsSoFar(idsOf(tried.map(({ sent }) => sent)));
  } catch (error) {
    if (error instanceof Unproven) return new Map();
    throw error;
  }
}

function refusedWithEffect({ sent, effects: actual }: Tried, point: Point): Finding {
  return effectFinding(point, { id: sent.delivery.id, attempts: [sent], expected: 0, actual });
}

function noneOf(sent: Attempt, point: Point): EffectClaim {
  return { attempts: [sent], claim: 'none', point };
}

function forged(kit: ReceiverKit): readonly Forged[] {
  const control = (): Delivery => kit.compose(kit.control);
  return [
    ...forgeries.map((forgery) => ({ delivery: forge(kit, control(), forgery), how: describeForgery(forgery) })),
    ...[...standIns, kit.secretVariable, `$${kit.secretVariable}`, `\${${kit.secretVariable}}`]
      .filter((secret) => !kit.secrets.includes(secret))
      .map((secret) => ({ delivery: kit.compose(kit.control, { secret }), how: `signed with the secret "${secret}"` })),
  ];
}
