import { hasTimestamp, readSignature, signatureHeaders } from '../../spec/signature.ts';
import type { Delivery, Header } from '../../suites/delivery.ts';
import type { ReceiverPlan } from './plan.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { headerValue } from '../../spec/headerText.ts';

/** Seconds for which a delivery is sent with the signature that it has, at most. */
const usualAge = 10;

/** What signatures depend on. */
type SigningContext = Pick<ReceiverContext, 'scheme' | 'signatureHeader'> & {
  readonly plan: Pick<ReceiverPlan, 'secrets'>;
};

/** Signs the deliveries of a case, and again those that are sent later. */
export class CaseSigner {
  readonly #context: SigningContext;
  readonly #secrets: readonly string[];
  /** What plain deliveries are signed with; nothing where they go out without a signature. */
  readonly #usual: string | undefined;
  readonly #clock: () => number;

  /** @param clock - milliseconds since the epoch. Default: the system's */
  constructor(context: SigningContext, { secret }: Pick<ControlResult, 'secret'>, clock: () => number = Date.now) {
    this.#clock = clock;
    this.#context = context;
    const { secrets } = context.plan;
    this.#usual = secret === undefined ? secrets[0] : (secret ?? undefined);
    this.#secrets = this.#usual === undefined ? secrets : [this.#usual, ...secrets];
  }

  /** Whole seconds since the epoch. */
  now(): number {
    return Math.floor(this.#clock() / 1000);
  }

  /** @param skew - seconds by which the timestamp is ahead of the clock. Default 0 */
  sign(body: Buffer, id: string, given?: string, skew = 0): readonly Header[] {
    const secret = given ?? this.#usual;
    return secret === undefined ? [] : this.#signed({ secret, body, id, timestamp: this.now() + skew });
  }

  /**
   * The delivery as a service sends it at this moment: where some time has passed since it was signed, it is signed anew, as
   * a retry is. A signature that the kit did not make like that (a forgery, one with something added) stays.
   */
  timely(delivery: Delivery): Delivery {
    const { scheme, signatureHeader } = this.#context;
    if (!hasTimestamp(scheme)) return delivery;
    const { body, headers, skew = 0 } = delivery;
    const received = readSignature(scheme, signatureHeader, (name) => headerValue(headers, name));
    const timestamp = this.now() + skew;
    const oldest = Math.min(usualAge, (scheme.tolerance ?? Infinity) / 4000);
    if (received === undefined || timestamp - received.timestamp < oldest) return delivery;
    const own = new Set(scheme.headers.map(({ name = signatureHeader }) => name.toLowerCase()));
    const isOwn = ([name]: Header): boolean => own.has(name.toLowerCase());
    const given = JSON.stringify(headers.filter(isOwn));
    const { id } = received;
    const secret = this.#secrets.find(
      (each) => JSON.stringify(this.#signed({ secret: each, body, id, timestamp: received.timestamp })) === given,
    );
    if (secret === undefined) return delivery;
    return {
      ...delivery,
      headers: [...headers.filter((each) => !isOwn(each)), ...this.#signed({ secret, body, id, timestamp })],
    };
  }

  #signed(input: Parameters<typeof signatureHeaders>[2]): readonly Header[] {
    return signatureHeaders(this.#context.scheme, this.#context.signatureHeader, input);
  }
}
