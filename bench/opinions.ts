import fc from 'fast-check';

import { schemaArbitrary } from '../generators/index.ts';
import { createSecondOpinion } from '../runner/prism/secondOpinion.ts';
import { loadContract } from '../spec/contract.ts';
import type { Call } from '../suites/exchange.ts';
import { perSecond } from './group.ts';

const contract = loadContract();
const { operationId, method, path, responses } = contract.operations.find(
  (operation) => operation.operationId === 'createWebhook',
)!;
const mediaType = 'application/json';
const { schema, validate } = responses['201']![mediaType]!;
const bodies = fc.sample(schemaArbitrary(schema), { numRuns: 100, seed: 1 }).map((value) => JSON.stringify(value));
const request = { operationId, method, path, headers: [], body: Buffer.alloc(0) };
const calls = bodies.map((body): Call => ({
  kind: 'call',
  request,
  answer: { kind: 'answered', status: 201, headers: [['Content-Type', mediaType]], body, ms: 1 },
  at: 0,
}));
const opinion = await createSecondOpinion(contract);

/** Answers that are read and checked against their schema in a second, measured over `ms` milliseconds: what the kit does itself. */
export function judgedPerSecond(ms: number): number {
  return perSecond(ms, (at) => validate(JSON.parse(bodies[at % bodies.length]!)));
}

/** Answers on which Prism is asked for its opinion in a second, measured over `ms` milliseconds. */
export function opinionsPerSecond(ms: number): number {
  return perSecond(ms, (at) => opinion.compare(calls[at % calls.length]!));
}
