import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { receiverFaults } from '../reference/faults/receiver/index.ts';

/** The reference with a fault, as a process. */
export interface RunningReference {
  /** Arguments of the program for it. */
  readonly words: readonly string[];
  close(): Promise<void>;
}

const secret = 'a secret of the table';
/** How the service delivers: quickly, as one that is set up for tests. */
const pace = ['--backoff', '20ms,30ms,40ms', '--timeout', '400ms', '--speed', '20'];

/**
 * @param fault - one of a receiver or of a service; nothing for the receiver that conforms
 * @param folder - where it keeps its database. Default: in its memory
 */
export async function startReference(fault?: string, folder?: string): Promise<RunningReference> {
  const isReceiver = fault === undefined || receiverFaults[fault] !== undefined;
  const main = fileURLToPath(new URL(`../reference/${isReceiver ? 'receiver' : 'service'}/main.ts`, import.meta.url));
  const own = isReceiver ? ['--secret', secret] : pace;
  const kept = folder === undefined ? [] : ['--database', join(folder, 'reference.db')];
  const faulty = fault === undefined ? [] : ['--fault', fault];
  const child = spawn(process.execPath, [main, '--port', '0', ...kept, ...faulty, ...own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  const died = once(child, 'exit').then(() => {
    throw new Error(`The reference with ${fault ?? 'no fault'} ended before it listened.`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), died])) as [string];
  died.catch(() => undefined);
  const reported = JSON.parse(line) as Readonly<Record<string, string>>;
  return {
    words: isReceiver ? receiverWords(reported) : serviceWords(reported),
    close: async () => {
      process.off('exit', end);
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

function receiverWords({ url = '', probe = '' }: Readonly<Record<string, string>>): readonly string[] {
  return [url, '--secret', secret, '--probe', probe];
}

function serviceWords({ url = '', token = '', emit = '' }: Readonly<Record<string, string>>): readonly string[] {
  return ['--service', url, '--token', token, '--emit', emit, '--assume', 'delivery.timeout=400ms'];
}
