import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { type PressPolicies, signatureOf, type Delivery, type Hook, type PressAttempt } from './policies.ts';

/** How the print shop sends. */
export interface Sending {
  readonly policies: PressPolicies;
  /** Milliseconds before retry 1, 2, ...; the last one for all that follow. */
  readonly pauses: readonly number[];
  /** Milliseconds that an answer is waited for. */
  readonly timeout: number;
  /** A hook as it is now; nothing where it was removed. */
  readonly hookOf: (id: string) => Hook | undefined;
}

/** Sends deliveries, and again until they are accepted or no retry is left. */
export class PressSender {
  readonly #sending: Sending;
  /** What ends each request and each pause that is under way. */
  readonly #open = new Set<() => void>();
  #closed = false;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** Settles once nothing more is sent of it. */
  async send(delivery: Delivery): Promise<void> {
    const { policies, pauses, hookOf } = this.#sending;
    for (let number = 1; number <= policies.retries + 1; number += 1) {
      const hook = hookOf(delivery.hook);
      if (hook === undefined || this.#closed) return;
      const status = await this.#attempt({ delivery, hook, number });
      delivery.tries = number;
      if (policies.isAccepted(status)) {
        delivery.state = 'delivered';
        return;
      }
      if (!policies.isRetried(status)) break;
      if (number <= policies.retries) await this.#pause(pauses[Math.min(number, pauses.length) - 1] ?? 0);
    }
    delivery.state = 'given_up';
  }

  /** Sends something once. @returns the status; nothing where no answer came */
  post(target: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number | undefined> {
    const send = target.startsWith('https:') ? httpsRequest : httpRequest;
    const { timeout } = this.#sending;
    return this.#untilClosed((resolve) => {
      const request = send(target, {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(timeout),
        headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length },
      });
      request.on('response', (answer) => {
        resolve(answer.statusCode);
        // The status is all that counts.
        answer.on('error', () => {}).destroy();
      });
      request.on('error', () => {
        resolve(undefined);
      });
      request.end(body);
      return () => {
        request.destroy();
      };
    });
  }

  /** Nothing more is sent. */
  close(): void {
    this.#closed = true;
    for (const end of this.#open) end();
  }

  #attempt(attempt: PressAttempt): Promise<number | undefined> {
    const { policies } = this.#sending;
    const { delivery, hook } = attempt;
    const id = policies.idOf(attempt);
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signatureOf(hook.secret, policies.signed({ id, timestamp, body: delivery.body }));
    const headers = {
      'Press-Topic': delivery.topic,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(policies.isSigned(attempt) && { 'webhook-signature': signature }),
    };
    return this.post(hook.target, headers, delivery.body);
  }

  #pause(ms: number): Promise<void> {
    return this.#untilClosed((resolve) => {
      const timer = setTimeout(resolve, ms);
      return () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @param begin - returns what ends it early */
  #untilClosed<T>(begin: (resolve: (value: T) => void) => () => void): Promise<T> {
    return new Promise((resolve) => {
      const end = begin((value) => {
        this.#open.delete(end);
        resolve(value);
      });
      this.#open.add(end);
    });
  }
}
