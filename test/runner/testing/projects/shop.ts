import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export const secret = 'only-for-trying';

const effects = new Map<string, number>();

/** How often a notification took effect in this process. */
export function count(id: string): number {
  return effects.get(id) ?? 0;
}

/** A receiver that is right, but for a redelivery that takes effect again where that is asked for. */
export function shop({ forgetful = false } = {}): (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void> {
  return async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (body !== undefined) response.writeHead(take(body, request.headers['x-svc-webhook-signature'], forgetful)).end();
  };
}

function take(body: Buffer, signature: string | string[] | undefined, forgetful: boolean): number {
  if (createHmac('sha256', secret).update(body).digest('hex') !== signature) return 401;
  const id = idOf(body.toString());
  if (id === undefined) return 400;
  if (forgetful || !effects.has(id)) effects.set(id, count(id) + 1);
  return 202;
}

function idOf(text: string): string | undefined {
  try {
    const { data } = JSON.parse(text) as { readonly data?: { readonly id?: unknown } };
    return typeof data?.id === 'string' ? data.id : undefined;
  } catch {
    return undefined;
  }
}
