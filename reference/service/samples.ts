import { randomUUID } from 'node:crypto';

import type { Contract } from '../../spec/contract.ts';
import type { Announcer } from './announcer.ts';
import { madeUpOccurrence } from './scene.ts';
import type { DeliveryTuning, ServicePolicies } from './policies.ts';
import type { SampleOrder } from './records.ts';
import { refusal } from './reply.ts';
import type { Sender, Sending } from './sender.ts';
import type { WebhookStore } from './stores.ts';

export interface SampleParts {
  readonly contract: Contract;
  readonly policies: ServicePolicies;
  readonly tuning: DeliveryTuning;
  readonly webhooks: WebhookStore;
  readonly announcer: Announcer;
  readonly sender: Sender;
}

/** Samples in flight at most. */
const most = 256;

/** Milliseconds that a sample has at least: unlike an attempt, it is not made again. */
const patience = 10_000;

/** Sends samples (section 4.2): once each, to the url that the call names, without a trace in the store. */
export class Samples {
  readonly #parts: SampleParts;
  #running = 0;

  constructor(parts: SampleParts) {
    this.#parts = parts;
  }

  /** Begins to send. @throws Refusal (429) where too many are on their way */
  async send(order: SampleOrder): Promise<void> {
    if (this.#running >= most)
      throw refusal(429, 'samples', `${most} samples are on their way. Try again in a second.`);
    const { contract, policies, webhooks, announcer } = this.#parts;
    const event = policies.sampleEvent(order);
    const { included } = madeUpOccurrence(event, contract, policies.timestamp);
    const head = { id: randomUUID(), event, status: 'pending', createdAt: Date.now() } as const;
    const body = policies.sampleBody(head, included, policies.timestamp);
    const registered = webhooks.all();
    for (const webhook of registered) {
      const kept = policies.keepsSample(order, webhook);
      if (kept !== false) await announcer.keep(event, included, webhook, kept);
    }
    for (const url of policies.sampleRecipients(order, registered)) void this.#send({ ...order, url }, body);
  }

  #request(order: SampleOrder, body: Buffer): Sending {
    const { policies, tuning } = this.#parts;
    const signature = policies.sampleSignature(order, body, policies.sign);
    return {
      url: order.url,
      body,
      method: policies.method,
      headers: policies.requestHeaders({ signature, custom: [] }),
      contentLength: policies.contentLength(body),
      timeout: Math.max(policies.timeout(tuning), patience),
      answerLimit: policies.answerLimit,
    };
  }

  async #send(order: SampleOrder, body: Buffer): Promise<void> {
    this.#running += 1;
    const outcome = await this.#parts.sender.send(this.#request(order, body));
    this.#running -= 1;
    const next = this.#parts.policies.sampleRetry(outcome, order);
    if (next !== undefined) await this.#send(next, body);
  }
}
