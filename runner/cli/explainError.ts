import type { CommanderError } from 'commander';

import { SeaworthyError, UsageError } from '../errors.ts';
import { commandGroups, commands } from './commands.ts';
import type { Option } from '../options/option.ts';
import { nearest } from '../../spec/nearest.ts';
import type { Command } from './command.ts';

/** What the program says as it ends with an error, and the exit code that goes with it. */
export interface Explained {
  readonly text: string;
  readonly exitCode: number;
}

const names = [...commandGroups, ...commands].map(({ name }) => name.split(' ')[0]);
const commandsNamed = new RegExp(`\\bseaworthy (?=(?:${names.join('|')}|--help)\\b)`, 'g');

/**
 * Every error of the catalogue says what to do; any other is a bug of the kit, and says how to report it.
 *
 * @param program - the words that start the kit, for the commands that it names. Default: its name
 */
export function explainError(error: unknown, program = 'seaworthy'): Explained {
  if (error instanceof SeaworthyError) {
    const [received = '', ...others] = error.message.split('\n');
    const advice = others.map((line) => `${line.replaceAll(commandsNamed, () => `${program} `)}\n`).join('');
    return { text: `seaworthy: ${received}\n${advice}  code:  ${error.code}\n`, exitCode: error.exitCode };
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = trace
    .split('\n')
    .slice(0, 8)
    .map((line) => `  ${line.trim()}`);
  return {
    text: [
      'seaworthy: this is a bug of seaworthy, and says nothing about the target',
      ...lines,
      '  do:    report it with these lines, the command, and the journal of the run if there is one',
      '  code:  SW_INTERNAL',
      '',
    ].join('\n'),
    exitCode: 70,
  };
}

const codes = {
  'commander.excessArguments': 'SW_ARGUMENT_EXCESS',
  'commander.missingArgument': 'SW_ARGUMENT_MISSING',
  'commander.optionMissingArgument': 'SW_OPTION_VALUE',
} as const;

/** What commander found wrong with a command line, as an error of the catalogue. */
export function usageError(error: CommanderError, words: readonly string[]): UsageError {
  const command = commands.find(({ name }) => name.split(' ').every((word, at) => word === words[at]));
  const code = codes[error.code as keyof typeof codes] ?? 'SW_OPTION_UNKNOWN';
  const [said = ''] = error.message.replace(/^error: /, '').split('\n');
  const help =
    command === undefined
      ? 'seaworthy --help lists the commands'
      : `seaworthy ${command.name} --help lists its options`;
  const flag = unknownFlag(said);
  // Commander says of a switch with a value that it does not know it.
  if (optionsOf(command).some((option) => option.flag === flag))
    return new UsageError(
      'SW_OPTION_VALUE',
      {
        received: `${flag} was given a value`,
        valid: `${flag} alone`,
        next: `write it alone, or leave it out. ${help}`,
      },
      { cause: error },
    );
  const suggestion =
    code === 'SW_ARGUMENT_EXCESS'
      ? excessAdvice(command)
      : (argumentOf(said, command) ?? optionOf(said, command) ?? ownersOf(said, command) ?? nearestOf(said, command));
  return new UsageError(
    code,
    { received: withoutValues(said), next: suggestion === undefined ? help : `${suggestion} ${help}` },
    { cause: error },
  );
}

/** Says of an option that the command has no such option for: it takes that as its argument. */
function argumentOf(said: string, command: Command | undefined): string | undefined {
  const { name: shown, mistakenFor = [] } = command?.argument ?? {};
  const flag = unknownFlag(said);
  if (command === undefined || flag === undefined || !mistakenFor.includes(flag)) return undefined;
  return `give it as the argument: seaworthy ${command.name} <${shown}>.`;
}

/** Says of an option of other programs under which name the command has it. */
function optionOf(said: string, command: Command | undefined): string | undefined {
  const flag = unknownFlag(said);
  const meant = optionsOf(command).find(({ mistakenFor = [] }) => flag !== undefined && mistakenFor.includes(flag));
  return meant && `it is called ${[meant.flag, meant.kind.placeholder ?? []].flat().join(' ')} here.`;
}

function optionsOf(command: Command | undefined): readonly Option<unknown>[] {
  return Object.values(command?.options ?? {});
}

function nearestOf(said: string, command: Command | undefined): string | undefined {
  const [near] = nearest(unknownFlag(said) ?? '', ['--help', ...optionsOf(command).map(({ flag }) => flag)]);
  return near && `did you mean ${near}?`;
}

/** What somebody may have meant who gave more arguments than the command takes. */
function excessAdvice(command: Command | undefined): string | undefined {
  const takesWords = optionsOf(command).some(({ flag }) => flag === '--start');
  const quotes = takesWords ? ["put a value with spaces in quotes: --start 'npm start'"] : [];
  const advice = [...(command?.ifMore === undefined ? [] : [command.ifMore]), ...quotes];
  return advice.length === 0 ? undefined : `${advice.join('; ')}.`;
}

/** Says of an option of other commands whose it is. */
function ownersOf(said: string, command: Command | undefined): string | undefined {
  const flag = unknownFlag(said);
  const owners = commands.filter(({ options }) => Object.values(options).some((option) => option.flag === flag));
  if (command === undefined || owners.length === 0) return undefined;
  return `${flag} is an option of ${owners.map(({ name }) => name).join(', ')}.`;
}

function unknownFlag(said: string): string | undefined {
  return /^unknown option '(--[^'=]*)/.exec(said)?.[1];
}

/** Nobody knows of these words what they are, and one that stands at the wrong place may be secret. */
function withoutValues(said: string): string {
  return said.replace(/^(unknown option '--[^=']*)=.*$/s, "$1'").replace(/( but got \d+): .*$/s, '$1');
}
