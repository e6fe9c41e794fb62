import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver that reads and forgets: it answers 202 once the whole body is there. Runs as long as its parent. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(202).end());
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
