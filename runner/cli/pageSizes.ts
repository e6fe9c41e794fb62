import type { HeardCall } from '../../reference/service/service.ts';
import { assumptionValue, resolveAssumptions } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';

/** How long the pages are that the receiver reads the notifications in. */
export class PageSizes {
  /** Items of a page where the call names no number, and at most. */
  static readonly offered = { usual: 5, most: 1000 } as const;
  readonly #parameter: string;
  readonly #list: string;
  #longest: number = PageSizes.offered.usual;

  constructor(contract: Contract) {
    this.#list = contract.operation('notifications').operationId;
    this.#parameter = assumptionValue(resolveAssumptions(contract.assumptions), 'list.paging').split(',')[1]!;
  }

  /** Items of the longest page that was asked for. */
  get longest(): number {
    return this.#longest;
  }

  heard({ operationId, path }: HeardCall): void {
    if (operationId !== this.#list) return;
    const asked = Number(new URL(path, 'http://localhost').searchParams.get(this.#parameter) ?? 0);
    if (asked > this.#longest) this.#longest = Math.min(asked, PageSizes.offered.most);
  }
}
