import type { ServiceKit, Webhook } from '../../serviceKit.ts';

export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

/** A webhook with these headers. @returns nothing where the service refuses them */
export async function withHeaders(kit: ServiceKit, configured: readonly CustomHeader[]): Promise<Webhook | undefined> {
  const endpoint = kit.endpoint();
  const registration = { events: [kit.scenarioEvents[0]], headers: configured };
  const body = kit.creation(kit.plainAttributes(endpoint.url, registration));
  const creation = await kit.call('create', { body });
  return kit.succeeded(creation) ? kit.adopt(creation, endpoint) : undefined;
}
