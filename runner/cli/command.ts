import type { Options } from '../options/options.ts';
import type { CommandLine } from '../options/settings.ts';
import type { CommandWorld } from './programEnvironment.ts';

/** What a command was called with. */
export interface CommandInput {
  /** The argument after the command's name, where there is one. */
  readonly argument?: string;
  /** All arguments, where the command takes several. */
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
  readonly argument?: { readonly name: string; readonly description: string; readonly several?: true };
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
