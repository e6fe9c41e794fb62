import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach } from 'vitest';

import { freePort } from '../../../runner/catcher/freePort.ts';
import type { Death, TargetProcess, ProcessOptions, ProcessSpec } from '../../../runner/process/targetProcess.ts';
import { openProcess } from '../../../runner/process/openProcess.ts';
import { runCommand } from '../../../runner/process/shellCommand.ts';

/** A target of the tests, and what became known of it. */
export interface Opened {
  readonly targetProcess: TargetProcess;
  readonly spec: ProcessSpec;
  readonly url: URL;
  readonly outputFile: string;
  /** The deaths that nobody asked for. */
  readonly deaths: readonly Death[];
  /** What `GET <path>` answers. */
  readonly get: (path: string, options?: RequestInit) => Promise<string>;
}

/** What is given to open one. */
interface Wanted extends Partial<ProcessOptions> {
  /** The environment of the target. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes the spec of a target that listens on this port of the kit's machine, and may write to this folder. */
export type SpecOf = (port: number, folder: string, env: Readonly<Record<string, string>>) => ProcessSpec;

/** The target of the tests, run by this very Node. */
export const nodeTarget = `"${process.execPath}" "${fileURLToPath(new URL('./target.ts', import.meta.url))}"`;

/** A command: {@link nodeTarget}, or one that runs it in a more complicated way. */
export function commandSpec(command = nodeTarget): SpecOf {
  return (port, folder, env) => ({
    kind: 'command',
    command,
    env: { PORT: String(port), FILE: join(folder, 'kept'), ...env },
  });
}

/** Opens target processes that are closed after each test, with all that they left. */
export function useProcesses(): (specOf: SpecOf, wanted?: Wanted) => Promise<Opened> {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  return async (specOf, { env = {}, ...options } = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'seaworthy-process-'));
    closers.push(() => rm(folder, { recursive: true }));
    const port = await freePort('127.0.0.1', new Set());
    const url = new URL(`http://127.0.0.1:${port}/hooks`);
    const outputFile = join(folder, 'output', 'target.log');
    const deaths: Death[] = [];
    const spec = specOf(port, folder, env);
    const targetProcess = await openProcess(spec, {
      url,
      outputFile,
      onDeath: (death) => void deaths.push(death),
      ...options,
    });
    closers.push(() => targetProcess.close());
    const get = async (path: string, request: RequestInit = {}): Promise<string> =>
      (await fetch(new URL(path, url), { headers: { connection: 'close' }, ...request })).text();
    return { targetProcess, spec, url, outputFile, deaths, get };
  };
}

/** Starts a target from a process of its own, which does nothing else. @returns kills that process, and it alone */
export async function startedByAnotherKit({ spec, url, outputFile }: Opened): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL('./kit.ts', import.meta.url));
  const kit = spawn(process.execPath, [program, JSON.stringify(spec), url.href, outputFile]);
  let failure = '';
  kit.stderr.on('data', (text: Buffer) => (failure += text.toString()));
  const started = await Promise.race([once(kit.stdout, 'data'), once(kit, 'close').then(() => undefined)]);
  if (started === undefined) throw new Error(failure);
  return async () => {
    const ended = once(kit, 'exit');
    kit.kill('SIGKILL');
    await ended;
  };
}

/** The processes that know the file which only this target writes to, or the containers at its port; empty for none. */
export async function leftovers({ spec, url }: Opened): Promise<string> {
  if (spec.kind === 'container') {
    return (await runCommand(`docker ps --all --quiet --filter publish=${url.port}`, { timeout: 20_000 })).stdout;
  }
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map((name) => knows(name, `FILE=${spec.env['FILE']}`)));
  return names.filter((_, index) => found[index]).join(' ');
}

/** A process that is over has no environment any more. */
async function knows(pid: string, text: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).includes(text);
}
