import { gzipSync } from 'node:zlib';

import { withPointer } from '../../generators/json/jsonPointer.ts';
import { describeAnswer } from '../answer.ts';
import { counted, pairs } from '../items.ts';
import type { Delivery } from '../delivery.ts';
import type { ReceiverKit } from '../kit.ts';
import { countOf, idsOf } from './counting.ts';
import { forge, plainForgery, withAlgorithm } from './forgery.ts';
import { isSignature, signatureSpellings, signatureValue, withSignatureValue } from './signatureHeader.ts';
import type { WarningEffect } from '../../spec/contractError.ts';
import type { GapId, RequirementId } from '../../spec/names.ts';

/** Something worth knowing of what the contract leaves open. It can neither hold nor fail. */
export interface ReceiverObservation {
  /** The gap of the contract that it is about, or the requirement that leaves it open. */
  readonly gap: GapId | RequirementId;
  /** The check that it belongs to: it is made where that check is selected. */
  readonly beside: string;
  /** True where it cannot be made without the receiver's secret. */
  readonly needsSecret?: boolean;
  observe(kit: ReceiverKit): Promise<void>;
}

const kibibyte = 1024;
/** Deliveries after which the probe is asked at once. */
const samples = 10;
const sizes = [64, 256, 1024, 4096].map((kib) => kib * kibibyte);

/** GAP-23: the largest body that is taken. */
const largestBody: ReceiverObservation = {
  gap: 'GAP-23',
  beside: 'receiver/acceptance/text',
  async observe(kit) {
    let taken = 0;
    for (const bytes of sizes) {
      const answer = await kit.deliver(kit.compose(kit.control, { rewrite: (body) => paddedTo(body, bytes) }));
      if (!kit.accepts(answer))
        return kit.observe(
          this.gap,
          taken === 0 ? `no body of ${inKib(bytes)} is taken` : `bodies up to ${inKib(taken)} are taken`,
          `${inKib(bytes)}: ${describeAnswer(answer)}`,
        );
      taken = bytes;
    }
    kit.observe(this.gap, `bodies up to ${inKib(taken)} are taken`, 'no larger one was tried for this');
  },
};

/** Algorithms that a receiver may know beside the scheme's: with the right secret none of them is a forgery. */
const algorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** GAP-14: other spellings of the right signature, and other algorithms. */
const spellings: ReceiverObservation = {
  gap: 'GAP-14',
  beside: 'receiver/signature/nothing-added',
  needsSecret: true,
  async observe(kit) {
    const others = algorithms.filter((other) => other !== kit.scheme.algorithm);
    const marked = kit.compose(kit.control, { rewrite: (body) => Buffer.concat([Buffer.from('\ufeff'), body]) });
    const zipped = kit.compose(kit.control);
    const headers = [...zipped.headers, ['Content-Encoding', 'gzip'] as const];
    await tell(kit, this.gap, [
      ...signatureSpellings(kit.scheme).map(({ name, spell }) => [name, respelt(kit, spell)] as const),
      ...others.map((other) => [`a signature by HMAC-${other.toUpperCase()}`, signedBy(kit, other)] as const),
      ...besideOlder(kit),
      ['a signed body with a byte order mark', marked],
      ['a body that was compressed after it was signed (gzip)', { ...zipped, headers, body: gzipSync(zipped.body) }],
    ]);
  },
};

/** IDM-4: a uuid means the same in capital letters, but an id is text. */
const idCase: ReceiverObservation = {
  gap: 'IDM-4',
  beside: 'receiver/idempotency/id-alone-decides',
  async observe(kit) {
    // Of other forms, capitals may make another id.
    if (kit.contract.delivery.id?.form !== 'uuid') return;
    if (!kit.probed || !kit.isEffective(kit.control.event)) return;
    const first = kit.compose(kit.control);
    const capital = first.id.toUpperCase();
    if (capital === first.id || !kit.accepts(await kit.deliver(first))) return;
    await kit.untilEffect([first.id]);
    // Such a probe tells of one id under either spelling.
    const foldsCase = ((await kit.effectsSoFar([capital])).get(capital) ?? 0) > 0;
    const answer = await kit.deliver(kit.compose(kit.control, { id: capital }));
    await kit.untilEffect([first.id, capital]);
    const effects = await kit.effectsSoFar([first.id, capital]);
    const counts = [first.id, capital].map((id) => effects.get(id) ?? 0);
    // Where nothing takes effect, it is not known for which id it was taken; nor where nothing does any more.
    if (counts.every((count) => count === 0)) return;
    if (counts.includes(0) && kit.accepts(answer) && !(await takesEffect(kit, kit.compose(kit.control)))) return;
    const isOther = counts.some((count) => count > 1) || (!foldsCase && counts.every((count) => count > 0));
    const seen = `${describeAnswer(answer)}; effects of the id: ${counts[0]}, of the id in capital letters: ${counts[1]}`;
    const taken = isOther ? 'taken for another id' : 'taken for the same id';
    kit.observe(this.gap, `an id in capital letters is ${kit.accepts(answer) ? taken : 'refused'}`, seen);
  },
};

async function takesEffect(kit: ReceiverKit, delivery: Delivery): Promise<boolean> {
  if (!kit.accepts(await kit.deliver(delivery))) return false;
  await kit.untilEffect([delivery.id]);
  return (await howManyTookEffect(kit, [delivery.id])) > 0;
}

/** GAP-1: what stands in the body beside its id. */
const shapes: ReceiverObservation = {
  gap: 'GAP-1',
  beside: 'receiver/acceptance/not-a-notification',
  async observe(kit) {
    const { members } = kit.contract.delivery;
    const { event, value } = kit.control;
    const changed = (pointer: string, text: string | null) =>
      kit.compose({ event, value: withPointer(value, pointer, text) });
    const { type, event: place } = members;
    await tell(kit, this.gap, [
      ...(type === undefined
        ? []
        : [
            ['a body of another type', changed(type, 'something_else')] as const,
            ['U+0000 in a text of the body', changed(type, `a${'\0'}b`)] as const,
          ]),
      ...(place === undefined ? [] : [['a body whose event is null', changed(place, null)] as const]),
    ]);
  },
};

/** RCV-4 leaves open whether a notification takes effect before it is answered, or afterwards. */
const processing: ReceiverObservation = {
  gap: 'RCV-4',
  beside: 'receiver/load/backlog',
  async observe(kit) {
    if (!kit.probed || !kit.isEffective(kit.control.event)) return;
    const ids: string[] = [];
    const sample = async (): Promise<number> => {
      const delivery = kit.compose(kit.control);
      if (!kit.accepts(await kit.deliver(delivery))) return 0;
      ids.push(delivery.id);
      return howManyTookEffect(kit, [delivery.id]);
    };
    const early = await Promise.all(Array.from({ length: samples }, sample));
    const atOnce = early.reduce((sum, count) => sum + count, 0);
    await kit.untilEffect(ids);
    const later = await howManyTookEffect(kit, ids);
    if (later === 0) return;
    const seen = `${atOnce} of ${ids.length} effects were there when the answer came, ${later} of ${ids.length} a little later`;
    const synchronous = ids.length > 0 && atOnce === ids.length;
    kit.observe(this.gap, synchronous ? 'effects come before the answer' : 'effects come after the answer', seen);
  },
};

/** RCV-1 leaves open what a receiver does with an event: it may ignore one that it acknowledges. */
const withoutEffect: ReceiverObservation = {
  gap: 'RCV-1',
  beside: 'receiver/acceptance/every-event',
  async observe(kit) {
    const { attempts, withoutEffect: candidates } = kit.beginning;
    if (candidates.length === 0) return;
    const effects = await kit.effectsSoFar(idsOf(candidates));
    const idle = candidates.filter((sent) => countOf(effects, sent) === 0);
    const events = [...new Set(idle.map(({ delivery }) => delivery.event))].toSorted();
    if (events.length === 0) return;
    const others = new Set(attempts.map(({ delivery }) => delivery.event));
    kit.observe(
      this.gap,
      `acknowledged, without any effect: ${events.join(', ')}`,
      `one plain delivery of each; those of ${others.size} other events took effect. If these should too, look for what drops them after the ` +
        'answer (a handler that is missing or named otherwise, or what loses some of any event); if not, leave them out with --events',
    );
  },
};

/** What a warning of the contract's document says of its deliveries: they have not all that the document allows. */
const unsent: ReadonlySet<WarningEffect> = new Set(['narrowed', 'left-out', 'unsent']);

/** RCV-2: what the document allows and no delivery has. Nobody has seen whether the receiver takes that. */
const neverSent: ReceiverObservation = {
  gap: 'RCV-2',
  beside: 'receiver/acceptance/every-event',
  async observe(kit) {
    const parts = kit.contract.warnings.filter(({ effect }) => unsent.has(effect));
    const [first] = parts;
    if (first === undefined) return;
    kit.observe(
      this.gap,
      `not in any delivery, so not seen: ${counted(parts.length, 'part')} of the contract`,
      `${parts.length === 1 ? 'at' : 'the first at'} ${first.pointer}; "seaworthy contract check" says why`,
    );
  },
};

/** All observations of a receiver. */
export const receiverObservations: readonly ReceiverObservation[] = [
  neverSent,
  withoutEffect,
  spellings,
  idCase,
  shapes,
  largestBody,
  processing,
];

async function howManyTookEffect(kit: ReceiverKit, ids: readonly string[]): Promise<number> {
  const effects = await kit.effectsSoFar(ids);
  return ids.filter((id) => (effects.get(id) ?? 0) > 0).length;
}

/** Delivers all of them side by side, and says which were accepted. */
async function tell(
  kit: ReceiverKit,
  gap: GapId | RequirementId,
  deliveries: readonly (readonly [what: string, delivery: Delivery])[],
): Promise<void> {
  const answers = await Promise.all(deliveries.map(([, delivery]) => kit.deliver(delivery)));
  for (const [[what], answer] of pairs(deliveries, answers))
    kit.observe(gap, `${what} is ${kit.accepts(answer) ? 'accepted' : 'not accepted'}`, describeAnswer(answer));
}

/**
 * A right signature of an older kind, in the header that is called like the scheme's without the name of its algorithm: alone, and
 * beside a wrong one in the scheme's own. There is none where the name says no algorithm.
 */
function besideOlder(kit: ReceiverKit): readonly (readonly [what: string, delivery: Delivery])[] {
  const older = kit.signatureHeader.replace(/-?(?:sha-?)?256$/i, '');
  if (older === kit.signatureHeader) return [];
  const signed = (): Delivery => {
    const wrong = forge(kit, kit.compose(kit.control), plainForgery);
    const right = signatureValue(kit, { ...wrong, headers: withAlgorithm(kit, wrong, 'sha1') });
    return { ...wrong, headers: [...wrong.headers, [older, right.replace(kit.scheme.algorithm, 'sha1')]] };
  };
  const alone = signed();
  const what = `a signature by HMAC-SHA1 in ${older}`;
  return [
    [`${what} alone`, { ...alone, headers: alone.headers.filter(([name]) => !isSignature(kit, name)) }],
    [`${what}, beside a wrong one in ${kit.signatureHeader},`, signed()],
  ];
}

function respelt(kit: ReceiverKit, change: (value: string) => string): Delivery {
  const delivery = kit.compose(kit.control);
  return { ...delivery, headers: withSignatureValue(kit, delivery, change) };
}

function signedBy(kit: ReceiverKit, algorithm: string): Delivery {
  const delivery = kit.compose(kit.control);
  return { ...delivery, headers: withAlgorithm(kit, delivery, algorithm) };
}

/** White space says nothing, so every contract allows it. */
function paddedTo(body: Buffer, bytes: number): Buffer {
  return Buffer.concat([body, Buffer.alloc(Math.max(0, bytes - body.length), ' ')]);
}

function inKib(bytes: number): string {
  return bytes < kibibyte * kibibyte ? `${bytes / kibibyte} KiB` : `${bytes / kibibyte / kibibyte} MiB`;
}
