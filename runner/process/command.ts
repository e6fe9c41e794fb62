import { randomUUID } from 'node:crypto';

import type { Variables } from '../../suites/processControl.ts';
import type { Access } from '../http/access.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import { Announcement, type KeptOutput } from './programOutput.ts';
import { Guard } from './guard.ts';
import { CommandStart } from './commandStart.ts';
import type { Kind, Start, CommandSpec } from './targetProcess.ts';
import { takesConnections } from './presence.ts';
import { userEnvironment } from './shellCommand.ts';

/** The variable whose value distinguishes the processes of a target from all others. */
const markVariable = 'SEAWORTHY_LIFE';

/**
 * A target that is started by a shell command, in a process group and a session of its own. Whatever it starts belongs to
 * it as well, also where it leaves the group, for it carries a mark in its environment.
 *
 * Nothing of it outlives this process: a guard kills it where this process was killed.
 */
export class Command implements Kind {
  readonly name: string;
  readonly valid = 'a command that goes on as long as the target runs, which takes connections at the URL';
  readonly #spec: CommandSpec;
  readonly #output: KeptOutput;
  readonly #mark = randomUUID();
  #guard: Guard | undefined;
  #start: CommandStart | undefined;
  #announced: Announcement | undefined;
  readonly #killAtExit = (): void => this.#start?.killNow();

  constructor(spec: CommandSpec, output: KeptOutput) {
    this.name = `--start ${shellWord(spec.shown ?? spec.command)}`;
    this.#spec = spec;
    this.#output = output;
  }

  launch(variables: Variables = {}): Promise<Start> {
    const guard = (this.#guard ??= this.#watched());
    const env = { ...userEnvironment(), ...this.#spec.env, ...variables, [markVariable]: this.#mark };
    const { command, wait } = this.#spec;
    this.#announced = wait && new Announcement(wait);
    const start = new CommandStart(command, env, this.#mark, this.#output, this.#announced);
    guard.tell(String(start.leader));
    void start.gone.then(() => guard.tell('0'));
    this.#start = start;
    return Promise.resolve(start);
  }

  async isUp(url: URL, access?: Access): Promise<boolean> {
    if (this.#announced !== undefined) {
      const found = this.#announced.found;
      if (found === undefined) return false;
      if (found.port !== undefined) url.port = found.port;
    }
    return takesConnections(url, access);
  }

  async discard(): Promise<void> {
    process.off('exit', this.#killAtExit);
    await this.#guard?.dismiss();
  }

  #watched(): Guard {
    process.on('exit', this.#killAtExit);
    return commandGuard(this.#mark);
  }
}

/**
 * Kills, where the input ends without the word `done`, the group that was reported last (0 is none), and then everything whose
 * environment holds the mark, until nothing does: what is killed may just have made a child.
 */
const script = `
group=0
while read -r word; do
  [ "$word" = done ] && exit 0
  group=$word
done
[ "$group" -gt 1 ] && kill -KILL "-$group"
found=yes
while [ "$found" = yes ]; do
  found=no
  for environment in /proc/[0-9]*/environ; do
    process=\${environment#/proc/}
    process=\${process%/environ}
    if grep -qF "$1" "$environment"; then
      kill -KILL "$process" && found=yes
    fi
  done
done
`;

/** Watches over what a command started. Receives its group while that runs, and 0 as soon as it has ended. */
function commandGuard(mark: string): Guard {
  return new Guard('/bin/sh', ['-c', script, 'seaworthy-guard', mark]);
}
