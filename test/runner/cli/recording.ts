import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { takesConnections } from '../../../runner/process/presence.ts';
import { drawing, type Piece } from './drawing.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const images = `${root}docs/images/`;
const kit = 'npm run -s seaworthy --';
const given = '--contract stripe --secret only-for-trying';
const address = new URL('http://127.0.0.1:4012/');

/** What is pressed, once a text is shown, and how many seconds later. */
const pressed = [
  ['#1  answered', '5', 1.5],
  ['#4  answered', 'q', 2],
];

/** What is sent meanwhile, and the seconds before it. */
const sent = [
  ['', 2],
  ['--repeat 1', 4],
  ['--tamper', 2],
] as const;

/**
 * Records the terminal of `seaworthy listen` anew, as docs/images/listening.cast (asciicast v2), and draws what it showed as
 * docs/images/listening.svg. The port 4012 has to be free.
 */
async function main(): Promise<void> {
  const script = fileURLToPath(new URL('pseudoTerminal.py', import.meta.url));
  const command = ['sh', '-c', 'echo "\\$ $0" && exec $0', `${kit} listen ${given}`];
  const terminal = spawn('python3', [script, JSON.stringify(pressed), ...command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(terminal.stdout);
  await send();
  if (terminal.exitCode === null) await once(terminal, 'exit');
  const { pieces } = JSON.parse(await output) as { readonly pieces: readonly Piece[] };
  const header = { version: 2, width: 120, height: 30, title: 'seaworthy listen' };
  const events = pieces.filter(([, piece]) => piece !== '').map(([second, piece]) => [second, 'o', piece]);
  await writeFile(`${images}listening.cast`, [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''));
  await writeFile(`${images}listening.svg`, drawing(pieces));
}

async function send(): Promise<void> {
  const until = AbortSignal.timeout(20_000);
  while (!(await takesConnections(address))) await pause(100, undefined, { signal: until });
  for (const [option, seconds] of sent) {
    await pause(seconds * 1000);
    const words = `${kit} trigger ${address.href} invoice.paid ${given} ${option}`.trim().split(' ');
    // It exits with 1 where a delivery is not accepted, which is shown.
    await promisify(execFile)(words[0]!, words.slice(1), { cwd: root }).catch(() => undefined);
  }
}

await main();
