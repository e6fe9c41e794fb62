import type { Json } from '../../generators/json/json.ts';
import type { Call } from '../exchange.ts';

/** Everything that a list holds, page after page. */
export interface Listing {
  readonly items: readonly Json[];
  readonly pages: readonly Call[];
  /** How many items each page held. */
  readonly sizes: readonly number[];
  /** False where paging did not come to an end within the kit's bound, or where the only page may be cut off. */
  readonly complete: boolean;
  /** The bound of the kit after which nothing more was read: "100 pages (--max-pages)". Absent where none was reached. */
  readonly cutAfter?: string | undefined;
}
