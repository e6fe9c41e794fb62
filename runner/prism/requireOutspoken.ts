import type { Operation } from '../../spec/contract.ts';
import { KitError } from '../errors.ts';
import { isJsonType } from './mediaType.ts';
import { judgeRequest, judgeResponse } from './judge.ts';
import type { PrismOperation } from './prismOperation.ts';

type Known = Pick<Operation, 'operationId' | 'request' | 'responses'>;

/** Values that few schemas take all of. None is empty: Prism does not look at the schema of a body that is not there. */
const probes: readonly unknown[] = [[], {}, 'a', 1, true];

/**
 * Makes sure that Prism refuses something wherever the kit's own validator does: a schema that does not compile in
 * Prism passes everything, silently.
 *
 * @throws KitError (`SW_PRISM_SILENT`)
 */
export function requireOutspoken(known: readonly Known[], operations: readonly PrismOperation[]): void {
  for (const { operationId, request, responses } of known) {
    const operation = operations.find(({ iid }) => iid === operationId);
    if (operation === undefined) throw silent(operationId, 'has not read this operation');
    requireRefusals(operationId, request, (mediaType, body) =>
      judgeRequest(operation, { ...operation, headers: typed(mediaType), body: kept(body) }),
    );
    for (const [status, content] of Object.entries(responses)) {
      requireRefusals(operationId, content, (mediaType, body) =>
        judgeResponse(operation, { status: statusOf(status), headers: typed(mediaType), body: kept(body) }),
      );
    }
  }
}

type Judge = (mediaType: string, body: unknown) => readonly { readonly where: readonly string[] }[];

function requireRefusals(operationId: string, content: Operation['request'], judge: Judge): void {
  for (const [mediaType, { validate }] of Object.entries(content)) {
    const refused = probes.filter((probe) => isJsonType(mediaType) && !validate(probe));
    const isSilent = refused.every((probe) => !judge(mediaType, probe).some(({ where }) => where[0] === 'body'));
    if (refused.length > 0 && isSilent) throw silent(operationId, `accepts any body of ${mediaType}`);
  }
}

function kept(value: unknown): { readonly kind: 'json'; readonly value: unknown } {
  return { kind: 'json', value };
}

function typed(mediaType: string): readonly (readonly [string, string])[] {
  return [['content-type', mediaType]];
}

/** Some status that a key of `responses` stands for: `201`, `4XX`, `default`. */
function statusOf(key: string): number {
  return key === 'default' ? 599 : Number(key.replaceAll('X', '0'));
}

function silent(operationId: string, what: string): KitError {
  return new KitError('SW_PRISM_SILENT', {
    received: `Prism ${what}, where the contract is stricter: ${operationId}`,
    next: 'report it; until it is fixed, Prism cannot judge by this contract',
  });
}
