import { Unobservable } from '../../check.ts';
import type { CertificateFlaw } from '../../exchange.ts';
import type { EndpointElsewhere, ServiceKit } from '../../serviceKit.ts';

/** Each flaw in words, to follow "a certificate that". */
const flaws: Readonly<Record<CertificateFlaw, string>> = {
  untrusted: 'nobody trusts',
  expired: 'has expired',
  misnamed: 'is for another host',
};

/** An endpoint with a flawed certificate, at which a webhook is registered. */
interface Distrusted {
  readonly flaw: CertificateFlaw;
  readonly endpoint: EndpointElsewhere;
}

/** Registers a webhook for each flaw that the kit can play and that the service takes the url of. */
export async function registeredDistrusted(kit: ServiceKit): Promise<readonly Distrusted[]> {
  const all = await Promise.all((Object.keys(flaws) as CertificateFlaw[]).map((flaw) => registered(kit, flaw)));
  return all.flatMap((each) => each ?? []);
}

async function registered(kit: ServiceKit, flaw: CertificateFlaw): Promise<Distrusted | undefined> {
  const endpoint = await kit.endpointElsewhere(flaw).catch(unlessUnobservable);
  if (endpoint === undefined) return undefined;
  const creation = await kit.call('create', { body: kit.creation(kit.plainAttributes(endpoint.url)) });
  return kit.succeeded(creation) && kit.adopt(creation, endpoint) ? { flaw, endpoint } : undefined;
}

function unlessUnobservable(error: unknown): undefined {
  if (!(error instanceof Unobservable)) throw error;
}

/**
 * Observes whether deliveries go out to an endpoint with such a certificate. The contract asks for an HTTPS endpoint and
 * says no more. Where the service made no connection, nothing was seen.
 */
export function observeTrust(kit: ServiceKit, { flaw, endpoint: { caught, connections } }: Distrusted): void {
  if (connections === 0) return;
  const goesOut = caught.length > 0 ? 'a delivery goes' : 'no delivery goes';
  const evidence = `${connections} connection(s) brought ${caught.length} request(s)`;
  kit.observe('CRW-6', `${goesOut} to an https endpoint with a certificate that ${flaws[flaw]}`, evidence);
}
