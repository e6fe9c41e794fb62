import { createServer, type Server } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { runHere } from '../runHere.ts';

const kept = fileURLToPath(new URL('../../proof/fuzzed/forgets-an-id-30-ms-after-a-forged-copy.json', import.meta.url));
/** An address that is neither loopback nor private. */
const remote = 'http://203.0.113.1/hooks';
let cwd: string;
let canary: string;
/** Takes connections, so that nothing else can be started there, and counts what is sent to it. */
let taken: Server;
let url: string;
let sent = 0;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-reset-'));
  canary = join(cwd, 'canary');
  taken = createServer((_, response) => {
    sent += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  url = `http://127.0.0.1:${(taken.address() as AddressInfo).port}/v2`;
});

afterAll(async () => {
  taken.closeAllConnections();
  taken.close();
  await rm(cwd, { recursive: true });
});

beforeEach(async () => {
  await rm(canary, { force: true });
  sent = 0;
});

/** A command line, `@` for the address that is taken, with a reset that leaves a trace. */
function run(line: string, reset = `touch '${canary}'`) {
  const words = line.split(' ').map((word) => word.replace('@host', new URL(url).host).replace('@', url));
  return runHere([...words, '--reset', reset], cwd);
}

describe('the reset does not run where the run is refused', () => {
  it.each([
    'receiver @ --only NO-SUCH-*',
    'receiver @ --events no.such.*',
    'receiver @ --assume signature.scheme=md5',
    `receiver ${remote}`,
    'receiver @ --probe http://203.0.113.1/{id}',
    'receiver @ --ca no.pem',
    'receiver @ --expect-failures no.yaml',
    'receiver @ --report pdf',
    'receiver @ --report json=/dev/null/x',
    'receiver @ --report journal=/dev/null/x',
    'receiver @ --published 203.0.113.9',
    'receiver @ --api-listen @host',
    'receiver @ --start true --port 80',
    'receiver @ --start cat',
    'service @ --only NO-SUCH-*',
    `service ${remote}`,
    'service @ --ca no.pem',
    'service @ --report junit=/dev/null/x',
    'service @ --report journal=/dev/null/x',
    'service @ --learn /dev/null/x',
    'service @ --catcher-listen @host',
    'service @ --start cat',
    `fuzz ${remote}`,
    'fuzz @ --only NO-SUCH-*',
    'fuzz @ --ca no.pem',
    'fuzz @ --export vitest=/dev/null/x',
    'fuzz @ --corpus /dev/null/x',
    'fuzz @ --report journal=/dev/null/x',
    'fuzz @ --api-listen @host',
    'fuzz @ --start cat',
    'fuzz --service @ --learn /dev/null/x',
    'fuzz --service @ --catcher-listen @host',
    'fuzz --service @ --start cat',
    `replay ${kept} --url ${remote}`,
    `replay ${kept} --url @ --ca no.pem`,
    `replay ${kept} --url @ --start cat`,
  ])('%s', async (line) => {
    const { code, stderr } = await run(line);
    expect({ code, reset: existsSync(canary), sent }, `${line}: ${stderr}`).toEqual({ code: 2, reset: false, sent: 0 });
  });
});

describe('a reset that fails', () => {
  it.each(['receiver @', 'service @', 'fuzz @', 'fuzz --service @'])(
    'ends %s before anything is sent',
    async (line) => {
      const { code, stderr } = await run(line, 'echo no such table; exit 4');
      expect(stderr).toContain('no such table');
      expect(stderr).toContain('code:  SW_RESET_FAILED');
      expect({ code, sent }).toEqual({ code: 3, sent: 0 });
    },
  );

  it('is why a saved case cannot be tried again', async () => {
    const { code, stdout } = await run(`replay ${kept} --url @`, 'echo no such table; exit 4');
    expect(stdout).toContain('no such table');
    expect({ code, sent }).toEqual({ code: 3, sent: 0 });
  });
});

it('a run that is refused before its first event leaves no journal', async () => {
  await run('receiver @ --api-listen @ --report journal=refused.ndjson');
  await run('receiver @ --report journal=refused.ndjson', 'false');
  expect(await readdir(cwd)).not.toContain('refused.ndjson');
});
