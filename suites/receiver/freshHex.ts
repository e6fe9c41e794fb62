import { createHash } from 'node:crypto';

import type { ReceiverKit } from '../kit.ts';

/** So many hexadecimal digits that nobody has seen before. The ids of a contract may have any form. */
export function freshHex(kit: Pick<ReceiverKit, 'freshId'>, digits: number): string {
  return createHash('sha256').update(kit.freshId()).digest('hex').slice(0, digits);
}

/** A whole number below another, drawn as {@link freshHex} is. */
export function freshNumber(kit: Pick<ReceiverKit, 'freshId'>, below: number): number {
  return Number.parseInt(freshHex(kit, 8), 16) % below;
}
