import { Unproven } from '../../suites/check.ts';
import type { CatchingEndpoint } from '../../suites/serviceKit.ts';
import { Caller } from './caller.ts';
import type { ServiceContext } from './context.ts';
import { Registrar } from './registrar.ts';
import type { Owner } from './run.ts';

interface Companion {
  readonly registrar: Registrar;
  readonly endpoint: CatchingEndpoint;
}

/**
 * Webhooks that refuse everything go along with what happens: they show when retries come. Each is good for one
 * happening, for a service may deactivate what keeps failing; it is removed once it has seen all retries.
 */
export class Companions {
  readonly #context: ServiceContext;
  readonly #owner: Owner;
  #companions: readonly Companion[] = [];

  constructor(context: ServiceContext, owner: Owner) {
    this.#context = context;
    this.#owner = owner;
  }

  /** Registers one for an event that is about to happen. Goes without where the service does not create it. */
  async accompany(event: string): Promise<void> {
    const done = this.#companions.filter((companion) => this.#isDone(companion));
    this.#companions = this.#companions.filter((companion) => !done.includes(companion));
    await Promise.all(done.map(({ registrar }) => registrar.clean()));
    const registrar = new Registrar(this.#context, new Caller(() => this.#context, this.#owner), this.#owner);
    try {
      const { endpoint } = await registrar.register({ script: [{ do: 'respond', status: 500 }] }, [event]);
      this.#companions = [...this.#companions, { registrar, endpoint }];
    } catch (error) {
      if (!(error instanceof Unproven)) throw error;
    }
  }

  #isDone({ endpoint }: Companion): boolean {
    const { post, plan } = this.#context;
    const letters = post.at(endpoint);
    return letters.length > 0 && letters.every(({ attempts }) => attempts.length > plan.contract.delivery.retries);
  }
}
