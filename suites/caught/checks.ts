import type { ContractPart } from '../../spec/contractParts.ts';
import { readSignature, verifySignature, type HeaderLookup } from '../../spec/signature.ts';
import type { Caught } from '../exchange.ts';
import {
  jsonMismatch,
  memberMismatch,
  methodMismatch,
  type SchemedMember,
  shapeMismatch,
  deliveredEvent,
} from '../service/bodyMismatch.ts';
import { utcTime } from '../service/utcTime.ts';
import type { CaughtCheck, CaughtKit, Judged } from './caughtCheck.ts';
import { redeliveryChecks } from './redelivery.ts';
import { signatureMistake } from './signatureMistake.ts';

const method: CaughtCheck = {
  id: 'caught/delivery/method',
  title: 'delivers by the method of the contract',
  requirements: ['SVC-2', 'DLV-1'],
  hint: 'Send what is delivered as the body of a POST, not as a query and not as a form.',
  judge: (kit, { caught }) => methodMismatch(kit, caught) ?? 'right',
};

const json: CaughtCheck = {
  id: 'caught/delivery/json',
  title: 'delivers whole JSON bodies and says that they are JSON',
  requirements: ['DLV-1'],
  hint: 'Encode the body to UTF-8 once, and count its bytes, not its characters, for Content-Length. Say application/json.',
  judge: (kit, { caught }) => jsonMismatch(kit, caught) ?? 'right',
};

const shape: CaughtCheck = {
  id: 'caught/notification/shape',
  title: 'delivers bodies in the shape that the contract gives them',
  requirements: ['NTF-1', 'DLV-1'],
  hint: 'Compare the body with the schema of its event: seaworthy contract show prints one that is right.',
  judge: (kit, { caught }) => {
    if (kit.deliveredJson(caught) === undefined) return 'not asked';
    const mismatch = shapeMismatch(kit, caught);
    if (mismatch) return { ...mismatch, requirements: ['NTF-1'] };
    const event = deliveredEvent(kit.contract, kit.delivered(caught, 'event'), undefined);
    return kit.terms.notification?.schema === undefined && event === undefined ? 'not asked' : 'right';
  },
};

/** A check that a member is as the contract has it. */
function memberCheck(
  member: SchemedMember,
  about: Pick<CaughtCheck, 'title' | 'requirements' | 'hint'> & { readonly about?: readonly ContractPart[] },
): CaughtCheck {
  return {
    id: `caught/notification/${member}`,
    ...about,
    judge: (kit, { caught }) => {
      const hasSchema = kit.terms.notification?.schema !== undefined && kit.contract.delivery.members[member];
      if (!hasSchema && member !== 'id' && member !== 'event') return 'not asked';
      if (kit.deliveredJson(caught) === undefined || (hasSchema && shapeMismatch(kit, caught))) return 'not asked';
      return memberMismatch(kit, caught, member) ?? 'right';
    },
  };
}

const id = memberCheck('id', {
  title: 'gives notifications ids in the form of the contract',
  requirements: ['NTF-2'],
  about: ['id'],
  hint: 'Create the id once, when the notification is stored, in the form that the contract names.',
});

const type = memberCheck('type', {
  title: 'types what it delivers as a notification',
  requirements: ['NTF-4'],
  hint: 'The type says what the document is, not which event it is about.',
});

const event = memberCheck('event', {
  title: 'names an event of the catalogue in what it delivers',
  requirements: ['NTF-5'],
  hint: "Write the event's name as the catalogue spells it: receivers route by it.",
});

const status = memberCheck('status', {
  title: 'delivers one of the known statuses',
  requirements: ['NTF-6'],
  about: ['status'],
  hint: 'Internal states of a queue do not belong in the body: map them to those that are agreed.',
});

const included = memberCheck('included', {
  title: 'delivers related resources as an array, where they are there',
  requirements: ['NTF-8'],
  about: ['related'],
  hint: 'Write an empty list as [], and a single record as a list of one.',
});

const createdAt: CaughtCheck = {
  id: 'caught/notification/created-at',
  title: 'states the time of creation as an ISO 8601 timestamp in UTC',
  requirements: ['NTF-7'],
  about: ['created-at'],
  hint: 'Write timestamps with T and Z. A time without a zone, with a local offset, or as a number is read wrongly by somebody.',
  judge: (kit, { caught }) => {
    if (kit.deliveredJson(caught) === undefined || shapeMismatch(kit, caught)) return 'not asked';
    const value = kit.delivered(caught, 'createdAt');
    if (utcTime(value) !== undefined) return 'right';
    return {
      expected: 'a time of creation such as 2026-01-31T08:00:00Z',
      actual: value === undefined ? 'it is missing' : `it is ${JSON.stringify(value)?.slice(0, 80)}`,
    };
  },
};

const signature: CaughtCheck = {
  id: 'caught/signature/right',
  title: 'signs the bytes that it sends with the secret of the webhook',
  requirements: ['SIG-1', 'SIG-2'],
  about: ['signature'],
  hint: 'Serialise once, sign those bytes with the secret of this webhook, send those bytes.',
  judge: judgeSignature,
};

function judgeSignature(kit: CaughtKit, { caught }: { readonly caught: Caught }): Judged {
  const { signing, secrets } = kit;
  if (caught.bytes < 0 || secrets.length === 0) return 'not asked';
  const lookup = (name: string): string | undefined => kit.header(caught, name);
  const { body } = caught;
  const isRight = (secret: string) => verifySignature(signing.scheme, signing.header, lookup, { secret, body });
  if (secrets.some(isRight)) return 'right';
  const expected = `${kit.signing.header} holds a signature of the body under the secret of this webhook`;
  const elsewhere = secrets.map((secret) => kit.signature(caught, secret)).find(Boolean);
  const isThere = lookup(signing.header) !== undefined;
  if (elsewhere !== undefined && elsewhere.header.toLowerCase() !== signing.header.toLowerCase()) {
    return {
      expected,
      actual: `the signature stands in ${elsewhere.header}, not in ${signing.header}`,
      requirements: ['SIG-1'],
    };
  }
  const mistake = signatureMistake({ ...signing, lookup, body, value: kit.deliveredJson(caught), secrets });
  const isWritten = elsewhere !== undefined && / is not of the form /.test(mistake);
  const actual = isWritten ? `${mistake}: it is right, but written as ${elsewhere.scheme.name} is` : mistake;
  return { expected, actual, requirements: [isThere ? 'SIG-2' : 'SIG-1'] };
}

/** What clocks of languages count in. */
const finerUnits = [
  { name: 'milliseconds', ofSecond: 1e3 },
  { name: 'microseconds', ofSecond: 1e6 },
  { name: 'nanoseconds', ofSecond: 1e9 },
];

const timestamp: CaughtCheck = {
  id: 'caught/signature/timestamp',
  title: 'signs at the time at which it sends',
  requirements: [],
  about: ['signature', 'tolerance'],
  hint: 'Take the time when the attempt is sent, in whole seconds since 1970, and sign each retry anew. Synchronise the clock.',
  judge: (kit, { caught }) => {
    const { scheme, header } = kit.signing;
    const lookup: HeaderLookup = (name) => kit.header(caught, name);
    const received = readSignature(scheme, header, lookup);
    if (received === undefined || scheme.tolerance === undefined) return 'not asked';
    const tolerance = scheme.tolerance / 1000;
    const off = (timestamp: number): number => kit.now() / 1000 - timestamp;
    const isNear = (timestamp: number): boolean => Math.abs(off(timestamp)) <= tolerance;
    if (isNear(received.timestamp)) return 'right';
    const unit = finerUnits.find(({ ofSecond }) => isNear(received.timestamp / ofSecond));
    const age = Math.round(off(received.timestamp));
    return {
      expected: `the timestamp of the signature is within ${tolerance} s of the clock`,
      actual: unit
        ? `it is in ${unit.name}, not in seconds`
        : `it is ${Math.abs(age)} s ${age > 0 ? 'old' : 'in the future'}`,
    };
  },
};

/** All that is said of a delivery that was caught, in the order in which it is shown. */
export const caughtChecks: readonly CaughtCheck[] = [
  method,
  json,
  signature,
  timestamp,
  shape,
  id,
  type,
  event,
  status,
  createdAt,
  included,
  ...redeliveryChecks,
];
