import { Refusal } from './refusal.ts';

const deepest = 32;

export type JsonObject = { readonly [member: string]: unknown };

/** @throws Refusal with status 400 where the bytes are no JSON in UTF-8, or JSON that nobody sends in good faith */
export function parseJson(body: Buffer): unknown {
  const value = parse(body);
  if (!isTame(value, 0)) throw new Refusal(400, `The body is nested too deeply or holds "__proto__".\n`);
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch (cause) {
    throw new Refusal(400, `The body is not JSON: ${(cause as Error).message}\n`);
  }
}

function isTame(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepest || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isTame(member, depth + 1));
}
