import type { Arbitrary } from 'fast-check';

import { ContractError } from '../../spec/contract.ts';
import type { WebhookBody } from '../../spec/webhookBodies.ts';
import type { Json } from '../json/json.ts';
import { schemaArbitrary, type SchemaArbitraryOptions, UnsupportedSchema } from '../schema/schemaArbitrary.ts';

/** Constraints of {@link webhookBody}. */
export type WebhookBodyOptions = Omit<SchemaArbitraryOptions, 'passOver'>;

/**
 * For bodies of a webhook of somebody else's document, valid for its schema. Parts for which no values can be generated
 * are left out, and reported to the document's `warn`; all values are valid. Undefined where the whole body is such a part.
 *
 * Arrays within arrays have two items at most by default, so that bodies stay below the limits that receivers have.
 *
 * @example const bodies = webhookBodies(document, { warn }).map((body) => webhookBody(body))
 */
export function webhookBody(body: WebhookBody, options: WebhookBodyOptions = {}): Arbitrary<Json> | undefined {
  const passOver = ({ pointer, keyword, received }: UnsupportedSchema): void => {
    const message = `No values can be generated for ${keyword}: ${received}. Bodies are generated without this part and what requires it.`;
    body.report(pointer, { keyword, effect: 'narrowed', message });
  };
  try {
    // Proves that it compiles: what cannot be validated is not generated.
    void body.validate;
    return schemaArbitrary(body.schema, { nestedItems: 2, ...options, passOver });
  } catch (error) {
    if (!(error instanceof UnsupportedSchema || error instanceof ContractError)) throw error;
    const [place, keyword, problem] =
      error instanceof UnsupportedSchema
        ? [error.pointer, error.keyword, error.received]
        : ['', 'schema', error.message.replace(/\.$/, '')];
    body.report(place, { keyword, effect: 'left-out', message: `The event ${body.key} is left out: ${problem}.` });
    return undefined;
  }
}
