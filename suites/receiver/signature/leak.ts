import { digestSpellings } from '../../../spec/signature.ts';
import type { Answer, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';

/** What an answer gives away of a delivery's right signature or of a secret, in words; nothing where it keeps them. */
export function leakedIn(answer: Answer, kit: ReceiverKit, genuine: Delivery): string | undefined {
  if (answer.kind !== 'answered') return undefined;
  const text = [answer.body, ...answer.headers.map(([, value]) => value)].join('\n');
  if (kit.secrets.some((secret) => secret.length >= 6 && text.includes(secret))) return 'the secret';
  const { body, id } = genuine;
  const spellings = kit.secrets.flatMap((secret) =>
    digestSpellings(kit.scheme, { secret, body, id, timestamp: kit.now() }),
  );
  return spellings.some((spelling) => text.includes(spelling)) ? 'the expected signature' : undefined;
}
