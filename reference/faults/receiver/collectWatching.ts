import type { IncomingMessage } from 'node:http';

import { BodyError } from '../../receiver/body.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';

/** Reads the body and, where its connection breaks, hands over the id if that had arrived. */
export async function collectWatching(
  policies: ReceiverPolicies,
  head: IncomingMessage,
  onBreak: (id: string) => void,
): Promise<Buffer> {
  let begun = '';
  const watch = (chunk: Buffer) => {
    if (begun.length < 4096) begun += chunk.toString('latin1');
  };
  head.on('data', watch);
  try {
    return await policies.collect(head);
  } catch (error) {
    const id = spelledId(begun);
    if (error instanceof BodyError && error.statusCode === 400 && id !== undefined) onBreak(id);
    throw error;
  }
}

/** The first id that stands in a text, which may be no JSON, or only the beginning of it. */
export function spelledId(text: string): string | undefined {
  return /["']id["']\s*:\s*["']([^"']+)["']/.exec(text)?.[1];
}
