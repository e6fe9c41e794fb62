import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestContext } from 'vitest';

import { root, textOf } from './documents.ts';
import { program, room } from '../programs.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { Terminal } from './terminal.ts';

/** Milliseconds for what has to come on a screen: a whole run takes the longest. */
const timeLimit = 120_000;

/** A fenced block that is meant for a terminal or a file, or the word to end the receiver. */
interface Step {
  readonly language: string;
  /** The terminal, or the file in the receiver's folder. */
  readonly where: string;
  readonly content: string;
  /** What the commands end with. */
  readonly exit: number;
}

/** A home folder with a clone of the repository in it, made of links, and the terminals that are open there. */
export class Reader {
  readonly home: string;
  readonly clone: string;
  readonly #terminals = new Map<string, Terminal>();
  /** Where programs are looked for first. */
  #first: string | undefined;

  private constructor(home: string) {
    this.home = home;
    this.clone = join(home, 'seaworthy');
  }

  /** Arrives, and leaves when the test has ended. */
  static async arrive({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Reader> {
    const reader = new Reader(await mkdtemp(join(tmpdir(), 'seaworthy-reader-')));
    onTestFinished(() => reader.#leave());
    await mkdir(reader.clone);
    const entries = (await readdir(root)).filter((name) => !['.git', '.seaworthy', '.scratch'].includes(name));
    await Promise.all(entries.map((name) => symlink(join(root, name), join(reader.clone, name))));
    return reader;
  }

  /** From now on `npm run -s seaworthy` starts the bundled program, and not npm and the sources: that takes a fifth of it. */
  async bundle(): Promise<void> {
    const own = join(this.home, '.own');
    await mkdir(own);
    const start = `npm_lifecycle_event=seaworthy exec '${process.execPath}' ${room.join(' ')} '${program('seaworthy')}' "$@"`;
    await writeFile(join(own, 'npm'), `#!/bin/sh\nshift 4\n${start}\n`);
    await chmod(join(own, 'npm'), 0o755);
    this.#first = own;
  }

  async #leave(): Promise<void> {
    for (const terminal of this.#terminals.values()) await terminal.interrupt();
    await rm(this.home, { recursive: true });
  }

  /**
   * Does what a document says, from the top: types in what is marked `sh <terminal>`, waits until there is what is
   * marked `text <terminal>`, and saves what is marked `js <file>` or `yaml <file>`. Ports are replaced by free ones.
   *
   * @param edit - changes commands before they are typed in; it receives what they end with, too
   * @throws Error where a command ends otherwise than it should, or something does not come
   */
  async follow(
    path: string,
    edit: (commands: string, exit: number) => string = (commands) => commands,
  ): Promise<readonly Step[]> {
    const steps = stepsOf(await withFreePorts(textOf(path)));
    for (const { language, where, content, exit } of steps) {
      if (language === 'stop') await (await this.#terminal(where)).interrupt();
      else if (language === 'js' || language === 'yaml')
        await writeFile(join(this.home, 'my-receiver', where), content);
      else if (language === 'text') await (await this.#terminal(where)).show(content.split('\n').map(shown), timeLimit);
      else await type(await this.#terminal(where), edit(content, exit), exit);
    }
    return steps;
  }

  async #terminal(name: string): Promise<Terminal> {
    const found = this.#terminals.get(name) ?? (await Terminal.open(this.home, this.clone, this.#first));
    this.#terminals.set(name, found);
    return found;
  }
}

function stepsOf(text: string): readonly Step[] {
  const found = text.matchAll(/^```(\w+) (\S+)(?: exit=(\d))?\n([\s\S]*?)^```$|Stop the receiver/gm);
  return [...found].map(([, language = 'stop', where = 'terminal-2', exit = '0', content = '']) => {
    return { language, where, content, exit: Number(exit) };
  });
}

async function withFreePorts(text: string): Promise<string> {
  const ports = new Map([
    ['4010', await freePort('127.0.0.1', new Set())],
    ['3000', await freePort('127.0.0.1', new Set())],
  ]);
  return text.replaceAll(/\b(4010|3000)\b/g, (port) => String(ports.get(port)));
}

/** What serves goes on; everything else ends. */
async function type(terminal: Terminal, commands: string, exit: number): Promise<void> {
  const ended = terminal.run(commands);
  if (/\bsandbox --|^node \w+\.mjs$/m.test(commands)) return;
  const code = await ended;
  if (code !== exit) throw new Error(`This ended with ${code}:\n${commands}`);
}

/** A line of a screen, whatever its ids (of runs, too), ports, times and durations are, and in how many other cases it was so. */
function shown(line: string): RegExp {
  const escaped = line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = escaped
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`)
    .replaceAll(/\d{4}(-\d\d){2}T(\d\d-){3}[\da-f]{6}/g, String.raw`[\dT-]+[\da-f]{6}`)
    .replaceAll(/\/[\da-f]{32}\b/g, String.raw`/[\da-f]{32}`)
    .replaceAll(/127\\\.0\\\.0\\\.1:\d+/g, String.raw`127\.0\.0\.1:\d+`)
    .replaceAll(/\d\d:\d\d:\d\d/g, String.raw`\d\d:\d\d:\d\d`)
    .replaceAll(/\d+(\\\.\d+)? (ms|s)\b/g, String.raw`\d+(\.\d+)? (ms|s)`)
    // How many checks there are changes with each new one.
    .replace(/^Checks .*/, (counts) => counts.replaceAll(/\d+/g, String.raw`\d+`));
  return new RegExp(`${pattern}( \\(and.*)?$`, 'm');
}
