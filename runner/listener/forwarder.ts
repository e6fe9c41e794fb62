import type { Contract } from '../../spec/contract.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Answer, Delivery, Header } from '../../suites/delivery.ts';
import type { Caught, CatchStep } from '../../suites/exchange.ts';
import { checkStep } from '../catcher/endpoint.ts';
import type { Access } from '../http/access.ts';
import { createDeliverer, type Deliverer } from '../http/deliverer.ts';

/** Deliveries that are forwarded at the same time. */
const concurrency = 64;

/** Of one connection alone (RFC 9110, section 7.6.1), or made anew by each sender. */
const notPassedOn =
  /^(host|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect|transfer-encoding|content-length)$/i;

interface ForwarderOptions extends Access {
  readonly url: URL;
  /** Milliseconds that an answer may take. */
  readonly timeout: number;
  /** Added to each delivery, such as the authorization of the address. */
  readonly headers: readonly Header[];
}

/** Passes deliveries on to a receiver, byte for byte. */
export class Forwarder {
  readonly url: URL;
  readonly #deliverer: Deliverer;
  readonly #contract: Contract;

  constructor(contract: Contract, { url, timeout, headers, ...access }: ForwarderOptions) {
    this.url = url;
    this.#contract = contract;
    this.#deliverer = createDeliverer({ url, timeout, concurrency, headers, ...access });
  }

  /** @param signal - ends it where the sender has gone */
  forward(caught: Caught, signal?: AbortSignal): Promise<Answer> {
    return this.#deliverer.deliver(deliveryOf(caught), signal);
  }

  /** The receiver's answer as the listener gives it; where there is none, as a gateway says so (RFC 9110, section 15.6). */
  stepOf(answer: Answer): CatchStep {
    if (answer.kind !== 'answered') {
      const status = answer.kind === 'timed-out' ? 504 : 502;
      return { do: 'respond', status, headers: plainText, body: `${this.url.host}: ${describeAnswer(answer)}\n` };
    }
    const { status, body } = answer;
    const headers = answer.headers.filter(([name]) => !notPassedOn.test(name) && !/^content-encoding$/i.test(name));
    const step: CatchStep = { do: 'respond', status, headers, body };
    return isPlayable(step) ? step : { do: 'respond', status: this.#contract.delivery.acceptedStatuses[0] };
  }

  close(): Promise<void> {
    return this.#deliverer.close();
  }
}

const plainText: readonly Header[] = [['Content-Type', 'text/plain; charset=utf-8']];

/** What is sent again of a delivery: all but what belongs to the connection that it came over. */
export function deliveryOf({ key, method, headers, body }: Caught): Delivery {
  return { id: key, event: '', method, headers: headers.filter(([name]) => !notPassedOn.test(name)), body };
}

function isPlayable(step: CatchStep): boolean {
  try {
    checkStep(step);
    return true;
  } catch {
    return false;
  }
}
