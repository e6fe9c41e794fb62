import { createHash } from 'node:crypto';

import type { AwaitedFirst, RetriesAwaited } from '../../reports/model/events.ts';
import { hasTimestamp, runScheme } from '../../spec/signature.ts';
import type { AcrossSittings, LateRetries, Notifiable } from '../../suites/acrossSittings.ts';
import type { Caught, CatchScript } from '../../suites/exchange.ts';
import type { EarlierEndpoint, Endpoint } from '../catcher/endpoint.ts';
import { type ServiceContext, tellCaught } from './serviceContext.ts';
import { nameOf } from './deliveryLog.ts';
import { textAt } from './located.ts';
import type { Owner } from '../engine/cases.ts';
import { findSignature, valueOf } from './signatures.ts';

/** Bytes of a body that is written down at most: notifications are far smaller. */
const mostBytes = 64 * 1024;

/** The retries that one case awaits in several sittings of a run. */
export class RetriesAcrossSittings implements AcrossSittings {
  readonly #context: ServiceContext;
  readonly #owner: Owner;

  constructor(context: ServiceContext, owner: Owner) {
    this.#context = context;
    this.#owner = owner;
  }

  awaitRetries({ endpoint, secret }: Notifiable, first: Caught): void {
    const { method, path, headers, peer: from, key: id } = first;
    const body = textOf(first);
    // What has no id of its own cannot be distinguished from what happens in the next sitting.
    if (id === '' || this.#context.plan.contract.delivery.id === undefined || body === undefined) return;
    const signature = typeof secret === 'string' ? this.#signatureOf(first, secret) : undefined;
    this.#context.emit({
      type: 'retries.awaited',
      ...this.#owner,
      url: endpoint.url,
      id,
      attempts: 1,
      first: { method, path, headers, body, from, ...(signature && { signature }) },
    });
  }

  lateRetries(script: CatchScript): readonly LateRetries[] {
    const { earlier } = this.#context.plan;
    const own = earlier?.awaited.filter((one) => one.check === this.#owner.check && one.case === this.#owner.case);
    return (own ?? []).map((one) => this.#late(one, script));
  }

  #late(awaited: RetriesAwaited, script: CatchScript): LateRetries {
    const { id: key, attempts, first } = awaited;
    const endpoint = this.#reopened({ name: nameOf(awaited.url), key, attempts }, script);
    const { signature } = first;
    return {
      first: caughtOf(awaited, script),
      get retries() {
        return endpoint.caught.filter((caught) => caught.key === key);
      },
      ...(signature && { signedIn: signature.header }),
      isSignedOtherwise: (retry) =>
        signature !== undefined &&
        retry.body.toString() === first.body &&
        hashOf(retry, signature.header) !== signature.sha256,
    };
  }

  /** Opened once. What comes to it says nothing of the times of this sitting, so the delivery log leaves it out. */
  #reopened(earlier: EarlierEndpoint, script: CatchScript): Endpoint {
    const context = this.#context;
    const known = context.reopened.get(earlier.name);
    if (known !== undefined) return known;
    const endpoint = context.catcher.endpoint(script, earlier);
    context.reopened.set(earlier.name, endpoint);
    const heard = new WeakSet<Caught>();
    endpoint.on((caught) => {
      const { event } = context.plan.contract.delivery;
      if (!heard.has(caught)) tellCaught(context, caught, textAt(caught, event), this.#owner);
      heard.add(caught);
      context.changeSignal.notify();
    });
    return endpoint;
  }

  /** The signature of an attempt, where the time of it is not signed as well. */
  #signatureOf(first: Caught, secret: string): AwaitedFirst['signature'] {
    const { contract, assumptions } = this.#context.plan;
    const found = findSignature(first, secret, runScheme(contract, assumptions));
    if (found === undefined || hasTimestamp(found.scheme)) return undefined;
    return { header: found.header, sha256: hashOf(first, found.header) };
  }
}

/** The body as text; nothing where it is none, is too large, or was not caught whole. */
function textOf({ body, bytes }: Caught): string | undefined {
  const text = body.toString();
  return bytes === body.length && bytes <= mostBytes && Buffer.from(text).equals(body) ? text : undefined;
}

function hashOf({ headers }: Caught, header: string): string {
  return createHash('sha256')
    .update(valueOf(headers, header) ?? '')
    .digest('hex');
}

function caughtOf({ url, id, first }: RetriesAwaited, [step]: CatchScript): Caught {
  const { method, path, headers, from: peer } = first;
  const body = Buffer.from(first.body);
  const request = { method, path, headers, body, bytes: body.length, peer };
  return { kind: 'caught', endpoint: nameOf(url), ...request, at: 0, key: id, number: 1, step, end: undefined };
}
