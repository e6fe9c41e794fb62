import type { Contract } from '../../spec/contract.ts';
import type { Exchange } from '../../suites/exchange.ts';
import type { Traits } from '../engine/agreement.ts';
import { distinct, headerTraits } from '../engine/headerTraits.ts';
import { textAt } from './located.ts';

/** What a case of a service was about, by its calls and what came of them. */
export function traitsOf(exchanges: readonly Exchange[], contract: Contract): Traits {
  const calls = exchanges.flatMap((exchange) => (exchange.kind === 'call' ? exchange.request : []));
  const caught = exchanges.flatMap((exchange) => (exchange.kind === 'caught' ? exchange : []));
  return {
    values: {
      event: distinct(caught.map((each) => textAt(each, contract.delivery.event))),
      operation: distinct(calls.map(({ operationId }) => operationId)),
      ...headerTraits(calls.map(({ headers }) => headers)),
    },
    bytes: Math.max(0, ...calls.map(({ body }) => body.length)),
  };
}
