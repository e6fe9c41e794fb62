import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';

/**
 * A target for tests of what the kit does to its process. It remembers what it is sent in memory and in a file.
 *
 * - `POST /keep` remembers one thing more, `GET /kept` answers `{ memory, file }`
 * - `GET /call` answers what the address in CALL answers
 * - `GET /env` answers the variable GREETING, `GET /pid` its process, `GET /die` ends it with exit code 3
 * - SIGTERM: writes `bye` to the file and ends; with STUBBORN it goes on
 * - EARLY: ends at once with that exit code; MUTE: never listens
 */
const {
  PORT = '3000',
  HOST = '127.0.0.1',
  FILE = '/kept',
  GREETING = '',
  CALL = '',
  STUBBORN,
  EARLY,
  MUTE,
} = process.env;
let memory = 0;

const server = createServer((request, response) => {
  switch (request.url) {
    case '/keep':
      memory += 1;
      appendFileSync(FILE, 'kept\n');
      return response.end();
    case '/kept':
      return response.end(JSON.stringify({ memory, file: existsSync(FILE) ? readFileSync(FILE, 'utf8') : '' }));
    case '/call':
      return void pass(response);
    case '/env':
      return response.end(GREETING);
    case '/pid':
      return response.end(String(process.pid));
    case '/die':
      return process.exit(3);
    default:
      return response.end();
  }
});

async function pass(response: ServerResponse): Promise<void> {
  const called = await fetch(CALL).then((answer) => answer.text(), String);
  response.end(called);
}

process.on('SIGTERM', () => {
  appendFileSync(FILE, 'bye\n');
  if (STUBBORN === undefined) process.exit(0);
});
process.stdout.write('to one\n');
process.stderr.write('to the other\n');
if (EARLY !== undefined) process.exit(Number(EARLY));
if (MUTE === undefined) server.listen(Number(PORT), HOST, () => process.stdout.write('listening\n'));
else setInterval(() => {}, 60_000);
