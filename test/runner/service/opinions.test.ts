import fc from 'fast-check';
import { expect, it, vi } from 'vitest';

import { stringsOf } from '../../../generators/contracts/index.ts';
import { schemaArbitrary } from '../../../generators/index.ts';
import type { UntimedEvent } from '../../../runner/engine/eventStream.ts';
import { openOpinions } from '../../../runner/service/opinions.ts';
import { type Contract, loadContract } from '../../../spec/contract.ts';
import type { Call } from '../../../suites/exchange.ts';

const contract = loadContract();
const mediaType = 'application/json';
const operation = contract.operations.find(({ request }) => mediaType in request)!;
const { schema } = operation.request[mediaType]!;

/** A contract whose own validator takes no request of that operation, where Prism takes what its document does. */
const refusing = {
  ...contract,
  operations: contract.operations.map((each) =>
    each === operation ? { ...each, request: { [mediaType]: { schema, validate: () => false } } } : each,
  ),
} as unknown as Contract;

const bodies = fc.sample(schemaArbitrary(schema, { strings: stringsOf(contract) }), { numRuns: 2, seed: 1 });
const [first, second] = bodies.map((body): Call => {
  const { operationId, method, path } = operation;
  const headers = [['Content-Type', mediaType]] as const;
  return {
    kind: 'call',
    request: { operationId, method, path, headers, body: Buffer.from(JSON.stringify(body)) },
    answer: { kind: 'broken', code: 'ECONNRESET', ms: 1 },
    at: 0,
  };
}) as [Call, Call];

it('judges while there is nothing else to do, and what is left at the end', async () => {
  const events: UntimedEvent[] = [];
  const opinions = await openOpinions(refusing, (event) => void events.push(event));
  opinions.judge(first);
  expect(events).toEqual([]);
  await vi.waitFor(() => expect(events).toHaveLength(1), 20_000);
  opinions.judge(second);
  opinions.finish();
  const differed = expect.objectContaining({ type: 'opinion.differed', part: 'request', kit: 'invalid' }) as unknown;
  expect(events).toEqual([differed, differed, { type: 'opinion.finished', compared: 2, differed: 2 }]);
});
