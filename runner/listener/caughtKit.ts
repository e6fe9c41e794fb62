import type { Json } from '../../generators/json/json.ts';
import { type Assumption, assumptionValue } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { parseDuration } from '../../spec/duration.ts';
import { runScheme } from '../../spec/signature.ts';
import type { CaughtKit } from '../../suites/caught/caughtCheck.ts';
import type { Caught } from '../../suites/exchange.ts';
import { parsed } from '../service/answers.ts';
import { memberAt } from '../service/located.ts';
import { findSignature, valueOf } from '../service/signatures.ts';

/** What deliveries are judged by. */
export interface Judging {
  readonly contract: Contract;
  readonly assumptions: readonly Assumption[];
  /** Those under which deliveries may be signed. */
  readonly secrets: readonly string[];
}

/** What checks of caught deliveries ask. */
export function createCaughtKit({ contract, assumptions, secrets }: Judging): CaughtKit {
  const signing = runScheme(contract, assumptions);
  const bodies = new ReadBodies();
  const terms = contract.service?.notification;
  return {
    contract,
    terms: terms === undefined ? {} : { notification: terms },
    signing,
    secrets,
    schedule: scheduleOf(assumptions),
    now: () => Date.now(),
    header: ({ headers }, name) => valueOf(headers, name),
    delivered: (caught, member) => memberAt(caught, contract.delivery, member, () => bodies.of(caught)),
    deliveredJson: (caught) => bodies.of(caught),
    signature: (caught, secret) => findSignature(caught, secret, signing),
  };
}

/** Reads a body once for all checks of a delivery: that is most of the work with it. */
class ReadBodies {
  #caught: Caught | undefined;
  #value: Json | undefined;

  of(caught: Caught): Json | undefined {
    if (this.#caught !== caught) {
      this.#value = caught.bytes < 0 ? undefined : parsed(caught.body.toString());
      this.#caught = caught;
    }
    return this.#value;
  }
}

function scheduleOf(assumptions: readonly Assumption[]): readonly number[] {
  const isThere = assumptions.some(({ key }) => key === 'retries.schedule');
  const value = isThere ? assumptionValue(assumptions, 'retries.schedule') : 'any';
  return value === 'any' ? [] : value.split(',').map(parseDuration);
}
