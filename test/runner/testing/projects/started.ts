import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { secret, shop } from './shop.ts';

// What came of the secret has to be the secret: else it does not start.
if (process.env['WEBHOOK_SECRET'] !== secret) process.exit(1);
const server = createServer((request, response) => void shop()(request, response));
server.listen(0, 'localhost', () => {
  process.stdout.write(`listens on ${(server.address() as AddressInfo).port}\n`);
});
