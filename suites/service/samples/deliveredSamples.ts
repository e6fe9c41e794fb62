import fc from 'fast-check';

import { text } from '../../../generators/schema/text.ts';
import { withPointer } from '../../../generators/json/jsonPointer.ts';
import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { Call, Caught } from '../../exchange.ts';
import type { CatchingEndpoint, ServiceKit } from '../../serviceKit.ts';
import { attemptJudges, idMismatch, queryMismatch } from '../bodyMismatch.ts';
import { unverified } from '../signing.ts';
import { finding } from '../../finding.ts';
import { isTaken, refusedSampleAt, sampleAt, sampleOf, trigger } from '../sampling.ts';
import { accept, refuse } from '../steps.ts';
import { counted } from '../../items.ts';

/** A part of the given URL. */
const query = '?tenant=a%2Fb&mode=sample';

/** Nothing at all has come to the kit. */
function unreached(origin: string): string {
  return (
    `Nothing of the service has reached the kit in this run. See whether it reaches ${origin} from where it runs: in a ` +
    'container 127.0.0.1 is the container itself. Give an address that it reaches as --catcher, and where the kit listens ' +
    'as --catcher-listen. If it does, see whether what sends deliveries is running.'
  );
}

/** Section 4.2: one sample, of the event that was asked for, at the URL that was given. */
export const eachEvent = serviceCheck<{ readonly event: string; readonly query?: string }>({
  id: 'service/samples/each-event',
  title:
    'sends one sample of the event that was asked for to the URL that was given, shaped as a delivery, for every event',
  requirements: ['TRG-1'],
  about: ['operation:sample'],
  needs: [],
  schedule: { kind: 'waiting' },
  weight: 0.2,
  cases: ({ contract }) =>
    contract.events.map(({ name: event }, place) => fc.constant(place % 2 === 0 ? { event } : { event, query })),
  run: async (kit, { event, query: own = '' }) => {
    const endpoint = kit.endpoint();
    const call = await kit.call(trigger, { body: sampleOf(kit, { url: endpoint.url + own, event }) });
    const expected = `one sample of ${event} comes to the given URL`;
    const found = (
      actual: string,
      seen: Partial<Pick<ServiceFinding, 'absence' | 'hangsOnTime' | 'hint'>> = {},
    ): ServiceFinding =>
      finding('TRG-1', { expected, actual, exchanges: [call, ...endpoint.caught.slice(0, 2)], ...seen });
    if (!isTaken(kit, call)) return found(`the call was not taken: ${describeAnswer(call.answer)}`, { absence: true });
    if (call.answer.kind === 'answered')
      kit.observe('GAP-7', String(call.answer.status), 'the answer to a call for a sample');
    const caught = (await kit.untilCaught(endpoint))[0] ?? (await slowSample(kit, endpoint, event));
    if (caught === undefined) {
      const hint = kit.lastCaught() > 0 ? {} : { hint: unreached(new URL(endpoint.url).origin) };
      return found('nothing came', { absence: true, hangsOnTime: true, ...hint });
    }
    const named = kit.delivered(caught, 'event');
    if (caught.method !== kit.contract.delivery.method) return found(`a ${caught.method} came`);
    if (named !== event) return found(`what came names ${JSON.stringify(named) ?? 'no event'}`);
    const elsewhere = own === '' ? undefined : queryMismatch(caught, own);
    if (elsewhere) return { ...found(elsewhere.actual), expected: elsewhere.expected };
    // The time of an example may be one of an example.
    const judges = [...attemptJudges.map(([, judge]) => judge), idMismatch];
    const [wrong] = judges.flatMap((mismatchOf) => mismatchOf(kit, caught) ?? []);
    if (wrong) return { ...found(wrong.actual), expected: `${wrong.expected} in a sample as in a delivery` };
    await kit.settle();
    const ids = new Set(endpoint.caught.map(({ key }) => key));
    // A sample may be tried again where its answer was late, and be made anew for that.
    if (ids.size > 1) return found(`${ids.size} different notifications came`, { hangsOnTime: true });
    const [first, again] = endpoint.caught;
    if (again === undefined || first?.end?.kind !== 'answered') return undefined;
    return found(`it came ${counted(endpoint.caught.length, 'time')}, though the first was accepted`, {
      absence: true,
      hangsOnTime: true,
    });
  },
  hint: 'Build the sample by the same code as a real notification, for whichever event of the catalogue is named.',
});

/** A sample that did not come in time, where it did by the time at which another one came that was asked for later. */
async function slowSample(kit: ServiceKit, endpoint: CatchingEndpoint, event: string): Promise<Caught | undefined> {
  const other = kit.contract.events.find(({ name }) => name !== event)?.name ?? event;
  const later = kit.endpoint();
  await kit.attempt(trigger, { body: sampleOf(kit, { url: later.url, event: other }) });
  await kit.untilCaught(later);
  return endpoint.caught[0];
}

interface Secret {
  readonly secret: string;
  /** True where another service may read the secret's characters otherwise than as UTF-8 (GAP-14). */
  readonly isOpen: boolean;
  /** True where the sample is refused: it may be sent again (GAP-22). Default: it is accepted. */
  readonly isRefused?: true;
}

/** A secret that reads the same under every scheme: also where its base64 stands for the bytes of the key. */
const plainSecret = `whsec_${Buffer.from('24 bytes that make a key').toString('base64')}`;

/** What JSON, HTML, a URL or a shell would write otherwise. */
const specialCharacters = String.raw`a"b\c/d&e<f>g%20h+i=j$k'l`;

/** A letter with its mark in two characters (NFD), in one (NFC), and one that every normal form writes otherwise. */
const inEachForm = 'e\u0301\u00e9\u212b';

/** The normal forms of Unicode, and what is signed where a secret is brought into one of them. */
const normalForms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** Section 4.2: the secret of the call signs the sample. */
export const signed = serviceCheck<Secret>({
  id: 'service/samples/signed',
  title: 'signs a sample with the secret of the call, over the raw body',
  requirements: ['TRG-2'],
  about: ['operation:sample', 'sample:secret', 'signature'],
  needs: [],
  schedule: { kind: 'waiting' },
  weight: 0.15,
  cases: () => {
    const ascii = text({ minLength: 8, maxLength: 64 }).filter((secret) => secret.trim() === secret);
    const beyond = text({ kind: 'unicode', minLength: 4, maxLength: 32 }).filter((secret) => /[^\0-\x7f]/.test(secret));
    return [
      fc.constant({ secret: plainSecret, isOpen: false }),
      fc.record({ secret: ascii, isOpen: fc.constant(false) }),
      fc.record({ secret: fc.constant('s'.repeat(256)), isOpen: fc.constant(false) }),
      fc.record({ secret: fc.constantFrom(' a secret', 'a secret ', ' a secret '), isOpen: fc.constant(false) }),
      fc.constant({ secret: specialCharacters, isOpen: false }),
      fc.record({ secret: beyond.map((secret) => `${secret}${inEachForm}`), isOpen: fc.constant(true) }),
      fc.constant({ secret: plainSecret, isOpen: false, isRefused: true as const }),
    ];
  },
  run: async (kit, { secret, isOpen, isRefused }) => {
    if (isRefused) return unsignedRetry(kit, secret);
    // A webhook of that URL, with a secret of its own, has no part in a sample.
    const { endpoint } = secret === plainSecret ? await kit.register({ active: false }) : { endpoint: kit.endpoint() };
    const { call, caught } = await sampleAt(kit, endpoint, { event: kit.contract.events[0].name, secret });
    if (kit.signature(caught, secret)) return undefined;
    const isThere = kit.header(caught, kit.assumption('signature.header')) !== undefined;
    const form = normalForms.find((each) => kit.signature(caught, secret.normalize(each)));
    if (isThere && isOpen && form === undefined) {
      kit.observe('GAP-14', 'a secret beyond ASCII is not read as UTF-8', 'the signature of a sample');
      return undefined;
    }
    if (isThere && secret !== plainSecret && (await takesBase64(kit))) {
      kit.observe('GAP-14', 'a secret is read as base64, also one that is none', 'the signature of a sample');
      return undefined;
    }
    const found = unsigned(kit, { call, caught, secret });
    return isThere && form !== undefined
      ? { ...found, actual: `${found.actual}; under the same secret in ${form} it does` }
      : found;
  },
  hint:
    'Sign samples with the code that signs real deliveries, over the bytes that are sent, with the secret that the call names, as ' +
    'it came: trim nothing, cut nothing off, and bring it into no normal form of Unicode.',
});

/** Section 4.2: the kind of event makes no difference to that. */
export const eachSigned = serviceCheck<readonly string[]>({
  id: 'service/samples/each-event-signed',
  title: 'signs a sample with the secret of the call, whichever event it shows',
  requirements: ['TRG-2'],
  about: ['operation:sample', 'sample:secret', 'signature'],
  needs: [],
  schedule: { kind: 'waiting' },
  weight: 0.01,
  cases: ({ contract }) => [fc.constant(contract.events.map(({ name }) => name))],
  run: async (kit, events) => {
    const samples = await Promise.all(
      events.map(async (event) => {
        const { call, caught } = await sampleAt(kit, kit.endpoint(), { event, secret: plainSecret });
        return { event, call, caught, isSigned: kit.signature(caught, plainSecret) !== undefined };
      }),
    );
    const twin = samples.find(({ isSigned }) => isSigned);
    if (twin === undefined) throw new Unproven('no sample is signed: see service/samples/signed');
    const wrong = samples.find(({ isSigned }) => !isSigned);
    if (wrong === undefined) return undefined;
    return {
      ...unsigned(kit, { ...wrong, secret: plainSecret }),
      twin: twin.caught,
      difference: `the event is ${wrong.event}`,
    };
  },
  hint: 'Sign where the sample is sent, after its body was made, and not where the body of each kind of event is made.',
});

/** What is wrong with the signature of a sample that does not verify, or is not there. */
function unsigned(
  kit: ServiceKit,
  { call, caught, secret }: { readonly call: Call; readonly caught: Caught; readonly secret: string },
): ServiceFinding {
  const name = kit.assumption('signature.header');
  return finding('TRG-2', {
    expected: `${name} holds a signature of the body under the secret of the call`,
    actual:
      kit.header(caught, name) === undefined
        ? `the sample has no header ${name}`
        : unverified(kit, caught, { secret, name: 'its signature' }),
    exchanges: [call, caught],
  });
}

/** GAP-22: nothing has to be sent again that is refused, but what is must be signed as well. */
async function unsignedRetry(kit: ServiceKit, secret: string): Promise<ServiceFinding | undefined> {
  const endpoint = kit.endpoint([refuse(), accept(kit.contract)]);
  const { call, caught: first } = await refusedSampleAt(kit, endpoint, { event: kit.contract.events[0].name, secret });
  if (!kit.signature(first, secret)) throw new Unproven('the first attempt of the sample is not signed');
  await kit.settle();
  await kit.settle();
  const caught = endpoint.caught.find((each) => !kit.signature(each, secret));
  return caught && { ...unsigned(kit, { call, caught, secret }), twin: first, difference: 'it is a retry' };
}

/** Whether samples are signed by a scheme whose secrets are base64 (GAP-14). */
async function takesBase64(kit: ServiceKit): Promise<boolean> {
  const event = kit.contract.events[0].name;
  const { caught } = await sampleAt(kit, kit.endpoint(), { event, secret: plainSecret });
  return kit.signature(caught, plainSecret)?.scheme.key.encoding === 'base64';
}

/** Section 4.2: fields stand at the top of the body. */
export const plainBody = serviceCheck<{ readonly event: string }>({
  id: 'service/samples/plain-body',
  title: 'takes url and event as they are, without a wrapper',
  requirements: ['TRG-5'],
  about: ['operation:sample'],
  needs: [],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: ({ contract }) => [fc.record({ event: fc.constantFrom(...contract.events.map(({ name }) => name)) })],
  run: async (kit, { event }) => {
    const plain = sampleOf(kit, { url: kit.endpoint().url, event });
    const call = await kit.call(trigger, { body: plain });
    if (isTaken(kit, call)) {
      await learnRetries(kit, event);
      return undefined;
    }
    const twin = await kit.call(trigger, { body: withPointer({}, kit.terms.webhook.wrapper, plain) });
    if (!isTaken(kit, twin))
      throw new Unproven(`the call was not taken, with or without a wrapper: ${describeAnswer(call.answer)}`);
    return finding('TRG-5', {
      expected: 'a body with url and event at its top is taken',
      actual: `${describeAnswer(call.answer)}, while the same body in a wrapper is taken`,
      exchanges: [call],
      twin,
      difference: `no wrapper ${kit.terms.webhook.wrapper}`,
    });
  },
  hint: 'The trigger endpoint is no resource endpoint: parse its body on its own.',
});

/**
 * GAP-22: whether a sample is sent again that the receiver refuses. A trigger endpoint that waits for the receiver's
 * answer may report the refusal in its own, or never answer within the kit's time: neither is wrong.
 */
async function learnRetries(kit: ServiceKit, event: string): Promise<void> {
  const endpoint = kit.endpoint([refuse()]);
  await kit.attempt(trigger, { body: sampleOf(kit, { url: endpoint.url, event }) });
  const [caught] = await kit.untilCaught(endpoint);
  if (caught === undefined) return;
  await kit.settle();
  await kit.settle();
  const seconds = ((kit.elapsed() - caught.at) / 1000).toFixed(1);
  const evidence = `a sample that was refused came ${counted(endpoint.caught.length, 'time')} within ${seconds} s`;
  kit.learn('sample.retries', endpoint.caught.length > 1 ? 'retried' : 'never', evidence);
}
