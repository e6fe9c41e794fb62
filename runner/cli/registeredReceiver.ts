import type { RunningService } from '../../reference/service/service.ts';
import type { Json } from '../../generators/json/json.ts';
import { valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import type { Contract } from '../../spec/contract.ts';
import { authorizationWith, memberPlace } from '../../spec/serviceTerms.ts';
import { freePort } from '../catcher/freePort.ts';
import { parentOf } from '../../spec/pointer.ts';

/** The reference receiver, with a webhook of its own. */
export interface RegisteredReceiver {
  readonly url: string;
  /** Where effects are counted; holds `{id}`. */
  readonly probe: string;
  readonly secret: string;
  /** Removes the webhook, so that a database that is kept holds no dead address, and ends the receiver. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Starts the reference receiver on this machine, and registers it with a service for every event. */
export async function registeredReceiver(contract: Contract, service: RunningService): Promise<RegisteredReceiver> {
  const { startReceiver } = await import('../../reference/receiver/receiver.ts');
  const port = await freePort(host, new Set());
  const { id, secret } = await registerWebhook(contract, service, `http://${host}:${port}/hooks`);
  const receiver = await startReceiver({ secrets: [secret], port, host });
  const removal = contract.operation('delete');
  return {
    url: receiver.url,
    probe: receiver.probe,
    secret,
    close: async () => {
      const path = removal.path.replace(/\{\w+\}/, id);
      const [name, value] = keyOf(contract, service.token);
      // oxlint-disable-next-line no-restricted-globals -- this service was started here, and nobody else named its address
      await fetch(service.url + path, { method: removal.method, headers: { [name]: value } });
      await receiver.close();
    },
  };
}

/** Registers a webhook for every event. @returns its id and its secret */
export async function registerWebhook(
  contract: Contract,
  service: RunningService,
  url: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { method, path, request } = contract.operation('create');
  const [mediaType = 'application/json'] = Object.keys(request);
  const [name, value] = keyOf(contract, service.token);
  // oxlint-disable-next-line no-restricted-globals -- this service was started here, and nobody else named its address
  const answer = await fetch(service.url + path, {
    method,
    headers: { [name]: value, 'Content-Type': mediaType },
    body: JSON.stringify(webhookBody(contract, url)),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`the receiver could not be registered: the service answered ${answer.status} ${text}`);
  const terms = contract.service!;
  const { answer: holder } = terms.webhook;
  const at = (pointer: string): string => valueAt(JSON.parse(text) as Json, holder + pointer) as string;
  return { id: at(memberPlace(terms, 'id')), secret: at(memberPlace(terms, 'secret')) };
}

/** A webhook for every event, at an address of this machine. */
export function webhookBody(contract: Contract, url = 'http://localhost:3000/hooks'): Json {
  if (contract.service === undefined) throw new TypeError('the contract says nothing of webhooks');
  const { wrapper, type, members } = contract.service.webhook;
  const holder = withPointer(type === undefined ? {} : { type }, parentOf(members.url), {});
  return withPointer(
    {},
    wrapper,
    withPointer(withPointer(holder, members.url, url), memberPlace(contract.service, 'active'), true),
  );
}

/** The header that carries the key. */
export function keyOf({ service }: Contract, token: string): readonly [name: string, value: string] {
  if (service === undefined) throw new TypeError('the contract says nothing of keys');
  return [service.authorization.header, authorizationWith(service, token)];
}
