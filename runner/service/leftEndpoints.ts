import type { Catcher } from '../catcher/catcher.ts';
import type { DeliveryLog } from './deliveryLog.ts';

/** The endpoints at which nobody looks any more: what came to them goes where the catcher has little room left. */
export class LeftEndpoints {
  readonly #catcher: Pick<Catcher, 'isCrowded' | 'forget'>;
  readonly #deliveryLog: DeliveryLog;
  readonly #names = new Set<string>();

  constructor(catcher: Pick<Catcher, 'isCrowded' | 'forget'>, deliveryLog: DeliveryLog) {
    this.#catcher = catcher;
    this.#deliveryLog = deliveryLog;
  }

  add(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    if (!this.#catcher.isCrowded) return;
    for (const name of this.#names) {
      this.#catcher.forget(name);
      this.#deliveryLog.forgetAt(name);
    }
  }
}
