import type { Call } from './call.ts';
import type { ListPolicies, Page } from './policies.ts';
import type { Problem } from './records.ts';
import { Refusal } from './refusal.ts';

/**
 * The page that a call asks for: `page[number]` from 1, `page[size]`.
 *
 * @throws Refusal (400) for anything that is no whole number from 1 on
 */
export function pageOf(query: Call['query'], { usual, most }: ListPolicies['pageSize']): Page {
  return { number: countIn(query, 'page[number]', 1), size: Math.min(countIn(query, 'page[size]', usual), most) };
}

/** Where a page is found: the address below the origin. */
export function linkTo(path: string, { number, size }: Page): string {
  const query = new URLSearchParams({ 'page[number]': String(number), 'page[size]': String(size) });
  return `${path}?${query.toString()}`;
}

function countIn(query: Call['query'], parameter: string, byDefault: number): number {
  const given = query[parameter];
  if (given === undefined) return byDefault;
  if (typeof given === 'string' && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  const detail = `${parameter} is ${JSON.stringify(given).slice(0, 40)}; valid is a whole number from 1 on, once.`;
  const problem: Problem = { status: 400, rule: 'page', pointer: '', parameter, detail };
  throw new Refusal([problem]);
}
