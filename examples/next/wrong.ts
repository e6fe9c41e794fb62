// app/api/hooks/route.ts
import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';
const effects = new Map<string, number>();

export async function POST(request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const signature = request.headers.get('X-SVC-Webhook-Signature');
  // Wrong: what carries no signature is not checked at all.
  if (signature !== null && !isSigned(body, signature)) return new Response(null, { status: 401 });
  const id = idOf(body);
  if (id === undefined) return new Response(null, { status: 400 });
  if (!effects.has(id)) effects.set(id, 1);
  return new Response(null, { status: 202 });
}

/** The probe: how often did this notification take effect? */
export function count(id: string): number {
  return effects.get(id) ?? 0;
}

function isSigned(body: Buffer, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function idOf(body: Buffer): string | undefined {
  try {
    const { data } = JSON.parse(body.toString()) as { data?: { id?: unknown } };
    return typeof data?.id === 'string' && data.id !== '' ? data.id : undefined;
  } catch {
    return undefined;
  }
}
