import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../../spec/contract.ts';
import type { CallOptions } from '../../serviceKit.ts';

/** A call without a body that is meant to do harm. */
export interface HostileRequest {
  readonly operationId: string;
  /** @param assumed - the names of the parameters for the page and its size, separated by a comma */
  readonly ask: (assumed: { readonly page: string }) => CallOptions;
  readonly difference: string;
}

const numbers = [
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'abc',
  '1;DROP TABLE webhooks',
  "1' OR '1'='1",
  '',
  '\0',
  '1.5',
];

const ids = [
  '../webhooks',
  '%2e%2e%2f%2e%2e%2fetc',
  "' OR '1'='1",
  '\0',
  '__proto__',
  'constructor',
  'undefined',
  '-1',
  '\u{1f6a2}',
  'a'.repeat(2000),
];

const headers: readonly (readonly [name: string, value: string])[] = [
  ['Accept', ';;;,,=/q'],
  ['Accept-Encoding', 'q=q;,,'],
  ['X-Long', 'x'.repeat(100_000)],
  ['Cookie', '__proto__=1; constructor=2; '.repeat(200)],
  ['X-Forwarded-For', "' OR '1'='1"],
  ['Range', 'bytes=-1-'],
];

/** Hostile pages of every list, hostile ids where one webhook is read, and hostile headers: one arbitrary for each. */
export function hostileRequests({ operations }: Contract): readonly Arbitrary<HostileRequest>[] {
  const reading = operations.filter(({ method }) => method === 'GET');
  const lists = reading.filter(({ operationId, path }) => operationId.startsWith('list') && !path.includes('{'));
  const byId = reading.filter(({ path }) => path.includes('{id}'));
  return [
    ...lists.flatMap(({ operationId }) => [pages(operationId, 0), pages(operationId, 1)]),
    ...byId.map(({ operationId }) => hostileIds(operationId)),
    ...headers.map(([name, value]) =>
      hostileHeader(
        lists.map(({ operationId }) => operationId),
        name,
        value,
      ),
    ),
  ];
}

/** @param which - 0: the number of the page, 1: its size */
function pages(operationId: string, which: 0 | 1): Arbitrary<HostileRequest> {
  return fc.constantFrom(...numbers).map((value) => ({
    operationId,
    ask: ({ page }) => ({ query: { [page.split(',')[which] ?? 'page']: value } }),
    difference: `${JSON.stringify(value)} as the ${which === 0 ? 'number of the page' : 'size of a page'}`,
  }));
}

function hostileIds(operationId: string): Arbitrary<HostileRequest> {
  return fc.constantFrom(...ids).map((id) => ({
    operationId,
    ask: () => ({ parameters: { id } }),
    difference: `${id.length > 40 ? `${id.length} characters` : JSON.stringify(id)} as the id`,
  }));
}

function hostileHeader(operationIds: readonly string[], name: string, value: string): Arbitrary<HostileRequest> {
  const words = value.length > 40 ? `${value.length} characters` : value;
  return fc.constantFrom(...operationIds).map((operationId) => ({
    operationId,
    ask: () => (name === 'Accept' ? { accept: value } : { headers: [[name, value]] }),
    difference: `the header ${name}: ${words}`,
  }));
}
