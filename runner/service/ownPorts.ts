import { Unobservable } from '../../suites/check.ts';
import type { CatchScript, CertificateFlaw } from '../../suites/exchange.ts';
import type { CatchingEndpoint } from '../../suites/serviceKit.ts';
import type { Catcher } from '../catcher/catcher.ts';
import type { Endpoint, EndpointElsewhere, RefusingEndpoint } from '../catcher/endpoint.ts';

/** Where a webhook's deliveries are caught, and what lets them in. */
export interface Place {
  readonly endpoint: CatchingEndpoint;
  readonly open: () => Promise<void>;
}

/** What becomes of an endpoint: it is noted once it has a URL, and heard once it listens. */
interface Hearing {
  readonly opened: (endpoint: Pick<Endpoint, 'url'>) => void;
  readonly hear: (endpoint: Endpoint) => void;
}

/** Why there is no endpoint at a port of its own. */
export function onePort(flaw: CertificateFlaw | undefined): Unobservable {
  return new Unobservable(
    flaw === undefined
      ? 'the address of --catcher leads to one port of the kit only, so that there is no other origin'
      : 'an https endpoint with another certificate needs a --catcher with https, at a port of the kit itself',
  );
}

/** The endpoints of one owner that have a port of their own. */
export class OwnPorts {
  readonly #catcher: Catcher;
  readonly #hearing: Hearing;
  readonly #endpoints: Pick<RefusingEndpoint, 'close'>[] = [];

  constructor(catcher: Catcher, hearing: Hearing) {
    this.#catcher = catcher;
    this.#hearing = hearing;
  }

  /** One that listens; nothing where the catcher can play none such. */
  async open(script: CatchScript, flaw?: CertificateFlaw): Promise<EndpointElsewhere | undefined> {
    const elsewhere = this.#catcher.canRefuse ? await this.#catcher.elsewhere(script, flaw) : undefined;
    if (elsewhere === undefined) return undefined;
    this.#endpoints.push(elsewhere);
    this.#hearing.opened(elsewhere.endpoint);
    this.#hearing.hear(elsewhere.endpoint);
    return elsewhere;
  }

  /** One whose port takes no connections before it is opened. @throws Unobservable where the catcher can play none such */
  async refusing(script: CatchScript): Promise<Place> {
    if (!this.#catcher.canRefuse)
      throw new Unobservable('connections cannot be refused at the address of --catcher: something else listens there');
    const refusing = await this.#catcher.refusing(script);
    this.#endpoints.push(refusing);
    this.#hearing.opened(refusing);
    const endpoint: CatchingEndpoint & { caught: CatchingEndpoint['caught'] } = { url: refusing.url, caught: [] };
    const open = async (): Promise<void> => {
      const opened = await refusing.open();
      endpoint.caught = opened.caught;
      this.#hearing.hear(opened);
    };
    return { endpoint, open };
  }

  async close(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close()));
  }
}
