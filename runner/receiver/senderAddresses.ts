import { once } from 'node:events';
import { createServer } from 'node:net';

import { failureCode } from '../http/connector.ts';
import { UsageError } from '../errors.ts';

/**
 * The addresses of `--published`, checked: the kit has to be able to send from each of them.
 *
 * @throws UsageError for one that this machine does not have
 */
export async function senderAddresses(addresses: readonly string[]): Promise<readonly string[]> {
  for (const address of addresses) await requireOwn(address);
  return addresses;
}

async function requireOwn(address: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host: address, port: 0, exclusive: true }), 'listening');
  } catch (cause) {
    throw new UsageError(
      'SW_ADDRESS_FOREIGN',
      {
        received: `--published ${address}: this machine cannot send from that address (${failureCode(cause)})`,
        valid: 'addresses of this machine that reach the receiver, such as 127.0.0.1',
        next: `let the receiver under test allow addresses of this machine; a further loopback address may have to be added first, as in "ifconfig lo0 alias ${address}"`,
      },
      { cause },
    );
  }
  server.close();
  await once(server, 'close');
}
