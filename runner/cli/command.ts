import type { Options } from '../options/option.ts';
import type { CommandLine } from '../options/settings.ts';
import type { CommandWorld } from './programEnvironment.ts';

/** What a command was called with. */
export interface CommandInput {
  /** The argument after the command's name, where there is one. */
  readonly argument?: string;
  /** All arguments, where the command takes several or a second one. */
  readonly operands?: readonly string[];
  /** The options that were given, as texts by name. */
  readonly given: CommandLine;
  readonly programEnvironment: CommandWorld;
}

/** A command of the program: data, and a thin `run`. */
export interface Command {
  /** The words that call it: `receiver`, or `contract check` for a command of a group. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  readonly description: string;
  readonly argument?: {
    readonly name: string;
    readonly description: string;
    readonly several?: true;
    /** Options by which it may be given by mistake. */
    readonly mistakenFor?: readonly string[];
  };
  /** What to say where more arguments were given than it takes, and something is often meant by that. */
  readonly ifMore?: string;
  /** A second argument, which may be left out. */
  readonly second?: { readonly name: string; readonly description: string };
  readonly options: Options;
  /** A command line and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Its exit codes and when they come. */
  readonly exitCodes: readonly (readonly [code: number, when: string])[];
  /** Whether what it is given in confidence may be shown: of a command that gives it out itself. */
  readonly tellsSecrets?: true;
  /** @returns the exit code */
  run(input: CommandInput): Promise<number>;
}

/** The first word of several commands: `contract` of `contract check`. */
export type CommandGroup = Pick<Command, 'name' | 'summary' | 'description'>;

/** The exit codes of every command that tests something. */
export const runExitCodes = [
  [0, 'at least one check ran, and no MUST is broken that was not expected to be'],
  [
    1,
    'a MUST is broken (or a SHOULD, under --strict), the target died of a case, an entry of --expect-failures does not hold, or a requirement of --require was not observed',
  ],
  [2, 'the command was used wrongly, or a report could not be written'],
  [3, 'it could not be tested: unreachable, lost, unreadable, or nothing observable'],
  [70, 'a bug of seaworthy itself'],
  [130, 'interrupted; the reports of what ran are complete'],
] as const;
