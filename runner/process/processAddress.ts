import { freePort } from '../catcher/freePort.ts';
import { UsageError } from '../errors.ts';
import { maskedAddress } from '../http/openAddress.ts';
import type { CommandSpec, ProcessSpec } from './targetProcess.ts';

/** Where a container is reached: on this machine only, at a port that nothing else uses. */
const host = '127.0.0.1';

/** Where a command is reached that says itself at which port it listens: at any of this machine's addresses. */
const named = 'localhost';

/**
 * The address of a target. A container has none before it is started, so that the user gives a path only, and the rest is
 * chosen here; any other target's address stays as it is.
 *
 * A command that prints its port has one once it runs: until then the port is 0.
 *
 * @param text - what the user gave as the address: a URL, or the path with `--image`
 * @throws UsageError where the target is a container and the text is no path
 */
export async function processAddress(text: string, targetProcess: ProcessSpec | undefined): Promise<string> {
  if (targetProcess?.kind === 'command' && printsPort(targetProcess) && text.startsWith('/'))
    return `http://${named}:0${text}`;
  if (targetProcess?.kind !== 'container') return text;
  if (!text.startsWith('/')) throw noPath(text);
  return `http://${host}:${await freePort(host, new Set())}${text}`;
}

function printsPort({ wait }: CommandSpec): boolean {
  return wait?.source.includes('(?<port>') === true;
}

function noPath(text: string): UsageError {
  const path = URL.parse(text)?.pathname;
  return new UsageError('SW_URL_INVALID', {
    received: `"${maskedAddress(text)}" was given as the address of a target that is started with --image`,
    valid: 'the path alone, such as /hooks: the kit chooses the port at which it reaches the container',
    next: path === undefined ? 'give the path' : `did you mean ${path}?`,
  });
}
