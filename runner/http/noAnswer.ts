import { describeAnswer, endTheAnswer } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import { unreadable, unreached, unreachedKind, type Unreached } from '../../suites/unreached.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import type { Access } from './access.ts';
import { Connector } from './connector.ts';
import { headerValue } from '../../spec/headerText.ts';

/** Statuses by which a server says that the target is not at this address: what answers there is another. */
const addressStatuses: ReadonlySet<number> = new Set([404, 405, 410, 421, 501]);

/** Whether an answer that is no acceptance may mean that the address is wrong. */
export function mayBeElsewhere(status: number): boolean {
  return addressStatuses.has(status);
}

/** A target that a plain request was sent to. */
interface Asked {
  readonly subject: 'receiver' | 'service';
  readonly url: URL;
  readonly access: Access;
}

/**
 * Why a run cannot go on where a plain request brought no answer of the target, and what to do about it.
 *
 * @returns nothing where the answer is one of the target
 */
export async function noAnswerEnd(asked: Asked, answer: Answer): Promise<RunEnd | undefined> {
  const { subject, url } = asked;
  const where = `the ${subject} at ${url.href}`;
  if (await isPlainToTls(asked, answer)) {
    const reason = `${where} cannot be tested: it speaks TLS there, and was asked in plain HTTP`;
    return { reason, advice: `Give the address with https:// instead of http://. ${advice.untrusted}` };
  }
  if (answer.kind === 'answered') return undefined;
  if (answer.kind === 'timed-out' || answer.status !== undefined) {
    return {
      reason: `${where} cannot be tested: ${describeAnswer(answer)}`,
      advice:
        answer.status === undefined
          ? `See what it waits for${inTime[subject]}, check the address, or give it longer with --timeout, and run again.`
          : endTheAnswer,
    };
  }
  const kind = unreachedKind(answer.code);
  if (kind === undefined) {
    const came = unreadable(answer.code);
    const does = came === undefined ? 'takes connections and closes them without an answer' : `answers with ${came}`;
    const reason = `${where} ${does} (${answer.code})`;
    return { reason, advice: `Look at what the ${subject} writes about it, check the port, and run again.` };
  }
  const reason = `${where} cannot be reached: ${unreached(answer.code) ?? ''} (${answer.code})`;
  return { reason, advice: kind === 'refused' ? `Start the ${subject}, ${advice.refused}` : advice[kind] };
}

/** What lets such a target answer in time. */
const inTime = { receiver: ' (it has to acknowledge first, and work afterwards)', service: '' } as const;

const advice: Readonly<Record<Unreached, string>> = {
  refused: 'check the address and the port, and run again.',
  unknown: 'Correct the name, or make it known to this machine (DNS, VPN, hosts file), and run again.',
  'no-way': 'Check the address, and whether this machine has a way to that network.',
  forbidden: 'Correct the address; or add --allow-remote if the target is yours.',
  untrusted:
    'Where its certificate is one of your own, give --ca with the file of the authority that issued it, or --insecure to trust any certificate.',
  outdated: 'Renew the certificate, or check the clock of this machine. --insecure tests the target all the same.',
  misnamed: 'Give the address by the name that the certificate is for. --insecure tests the target all the same.',
  plain: 'Give the address with http:// instead of https://, or the port at which it speaks TLS.',
  tls: 'Look at which versions and ciphers of TLS it offers, and whether it asks for a certificate of the client.',
};

/** Milliseconds that a handshake may take that only shows what is spoken there. */
const handshake = 2000;

/** Whether a server that was asked in plain HTTP speaks TLS: it breaks the connection then, or answers 400. */
async function isPlainToTls({ url, access }: Asked, answer: Answer): Promise<boolean> {
  if (url.protocol !== 'http:' || answer.kind === 'timed-out') return false;
  if (answer.kind === 'answered' ? answer.status !== 400 : unreachedKind(answer.code) !== undefined) return false;
  const connector = new Connector(new URL(url.href.replace(/^http:/, 'https:')), { ...access, insecure: true });
  const spoken = await connector.open(handshake).then(
    () => true,
    () => false,
  );
  await connector.closeAll();
  return spoken;
}

/** Whether an answer is a page for people, as what stands before a target often gives. */
export function isPage(answer: Answer): boolean {
  return answer.kind === 'answered' && /^text\/html\b/i.test(headerValue(answer.headers, 'Content-Type') ?? '');
}
