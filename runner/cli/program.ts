import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';

import { UsageError } from '../errors.ts';
import { kitIdentity } from '../options/packages.ts';
import { defaultText, type Option, type Options } from '../options/option.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';
import { environmentStandIns, passwordStandIns, typedStandIns } from '../secrets/confided.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { CommandLine } from '../options/settings.ts';
import { asFlags } from './writtenHelp.ts';
import type { Command } from './command.ts';
import { usageError } from './explainError.ts';
import { commandGroups, commands } from './commands.ts';
import { type CommandWorld, type ProgramEnvironment, requireFiles } from './programEnvironment.ts';
import { indented } from '../../reports/formats/terminal/page.ts';
import type { Sink } from '../../reports/sink.ts';

/**
 * Runs one command line.
 *
 * @param typed - its words, without the program's own name
 * @param secrets - takes what the command is given in confidence
 * @returns the exit code
 * @throws SeaworthyError, or whatever a bug throws
 */
export async function runProgram(
  typed: readonly string[],
  given: ProgramEnvironment,
  secrets = new Secrets(),
): Promise<number> {
  const words = asFlags(typed);
  requireCommand(words);
  let code = 0;
  const programEnvironment: CommandWorld = {
    ...given,
    stdout: hidingSink(given.stdout, secrets),
    documents: hidingSink(given.documents, secrets),
    stderr: hidingSink(given.stderr, secrets),
    secrets,
  };
  const program = assemble(programEnvironment, (result) => (code = result));
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError)
      return endOfParsing(error, words, programEnvironment, calledIn(program, words).helpInformation());
    throw error;
  }
  return code;
}

function assemble(programEnvironment: CommandWorld, done: (code: number) => void): Commander {
  const { name, version } = kitIdentity();
  const program = new Commander(name)
    .description('Contract tests and conformance reports for webhooks.')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => programEnvironment.stdout.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(programEnvironment.stdout.columns, 100),
      getOutHasColors: () => programEnvironment.stdout.colors,
    })
    .configureHelp({ minWidthToWrap: 20 })
    .addHelpText('after', '\nseaworthy help <command> explains a command and its options.');
  for (const command of commands) addCommand(program, command, programEnvironment, done);
  return program;
}

function addCommand(
  program: Commander,
  command: Command,
  programEnvironment: CommandWorld,
  done: (code: number) => void,
): void {
  const { argument, second, options } = command;
  const [name = '', inner] = command.name.split(' ');
  const parent = inner === undefined ? program : groupIn(program, name);
  const child = parent
    .command(inner ?? name)
    .summary(command.summary)
    .description(command.description);
  if (argument !== undefined) {
    child.argument(`[${argument.name}${argument.several ? '...' : ''}]`, argument.description);
  }
  if (second !== undefined) child.argument(`[${second.name}]`, second.description);
  for (const [name, option] of Object.entries(options)) child.addOption(commanderOption(name, option));
  child.addHelpText('after', () => afterHelp(command, Math.min(programEnvironment.stdout.columns, 100)));
  child.action(async (...received: readonly unknown[]) => {
    const operands = received
      .slice(0, -2)
      .flat()
      .filter((word) => typeof word === 'string');
    const [operand] = operands;
    requireFiles();
    const given = givenTexts(child.opts(), options);
    const texts = [...operands, ...Object.values(given).flat()];
    programEnvironment.secrets.add(
      command.tellsSecrets
        ? passwordStandIns(texts)
        : [...typedStandIns(given, operand, operands), ...environmentStandIns(programEnvironment.environment)],
    );
    done(
      await command.run({ ...(operand !== undefined && { argument: operand }), operands, given, programEnvironment }),
    );
  });
}

/** The commands of a group are commands of the word that they begin with. */
function groupIn(program: Commander, name: string): Commander {
  const known = program.commands.find((each) => each.name() === name);
  if (known !== undefined) return known;
  const { summary = '', description = '' } = commandGroups.find((each) => each.name === name) ?? {};
  return program
    .command(name)
    .summary(summary)
    .description(description)
    .usage('<command>')
    .helpCommand(false)
    .addHelpText('after', `\nseaworthy ${name} <command> --help explains a command and its options.`);
}

/** The group that the words call without a command of it, or the program itself. */
function calledIn(program: Commander, [name]: readonly string[]): Commander {
  return program.commands.find((each) => each.commands.length > 0 && each.name() === name) ?? program;
}

/** Texts are collected as they stand; what they mean is decided in one place for all sources, `resolveSettings`. */
function commanderOption(name: string, option: Option<unknown>): CommanderOption {
  const { flag, kind, group } = option;
  const made = new CommanderOption(flagsOf(option));
  made.description = describe(option);
  made.helpGroup(`${group}:`);
  if (kind.placeholder !== undefined) {
    made.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
  }
  if (made.attributeName() !== name) throw new TypeError(`${flag} is not the flag of the option ${name}`);
  return made;
}

/** How an option is written: `-o, --output <file>`. */
export function flagsOf({ flag, short, kind }: Option<unknown>): string {
  const names = short === undefined ? flag : `${short}, ${flag}`;
  return kind.placeholder === undefined ? names : `${names} ${kind.placeholder}`;
}

function describe(option: Option<unknown>): string {
  const { description, kind, environment } = option;
  const shown = defaultText(option);
  const notes = [
    ...(kind.repeatable ? ['repeatable'] : []),
    ...(environment === undefined ? [] : [`or ${environment}`]),
    ...(shown === undefined ? [] : [`default: ${shown}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function givenTexts(values: Readonly<Record<string, unknown>>, options: Options): CommandLine {
  // What --no-... turns off is on from the start, and was not given then.
  const given = Object.entries(options).filter(
    ([name, { flag }]) => values[name] !== undefined && !(flag.startsWith('--no-') && values[name] === true),
  );
  return Object.fromEntries(given.map(([name]) => [name, textsOf(values[name])]));
}

function textsOf(value: unknown): readonly string[] {
  return typeof value === 'boolean' ? [String(value)] : (value as string[]);
}

/** Help and version are no errors; a program without a command shows its help and has been used wrongly. */
function endOfParsing(
  error: CommanderError,
  words: readonly string[],
  programEnvironment: ProgramEnvironment,
  help: string,
): number {
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') {
    programEnvironment.stderr.write(help);
    return 2;
  }
  throw usageError(error, words);
}

/** What may stand before the name of a command. */
const beforeCommand = new Set(['-h', '--help', '-V', '--version', '--']);

/** Commander shows the help of the program where --help stands beside a command that does not exist, and calls it right. */
function requireCommand(words: readonly string[]): void {
  const at = words.findIndex((word) => !beforeCommand.has(word));
  requireOneOf(words[at], [...new Set(commands.map(({ name }) => firstWord(name)))]);
  const group = commandGroups.find(({ name }) => name === words[at]);
  if (group === undefined) return;
  const own = commands.filter(({ name }) => name.startsWith(`${group.name} `));
  requireOneOf(
    words[at + 1],
    own.map(({ name }) => name.slice(group.name.length + 1)),
    group.name,
  );
}

function requireOneOf(name: string | undefined, names: readonly string[], group?: string): void {
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
  const called = group === undefined ? 'seaworthy' : `seaworthy ${group}`;
  const help = `${called} --help lists the commands`;
  const suggestion = didYouMean(nearest(name, names));
  throw new UsageError('SW_COMMAND_UNKNOWN', {
    received: `unknown command '${group === undefined ? name : `${group} ${name}`}'`,
    valid: names.join(', '),
    next: suggestion === undefined ? help : `${suggestion} ${help}`,
  });
}

function firstWord(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}

/** What stands below a command's options in its help: examples and exit codes. */
function afterHelp({ examples, exitCodes }: Command, columns: number): string {
  const lines = examples.map(([line, does]) => `  ${line}\n${indented(does, columns, '      ')}`);
  const codes = exitCodes.map(([code, when]) => indented(when, columns, '       ', `  ${String(code).padEnd(5)}`));
  return `\nExamples:\n${lines.join('\n')}\n\nExit codes:\n${codes.join('\n')}`;
}

/** The same sink, without what is secret by the time of each write. */
function hidingSink(sink: Sink, secrets: Secrets): Sink {
  return {
    write: (text) => sink.write(secrets.hide(text)),
    get columns() {
      return sink.columns;
    },
    colors: sink.colors,
    tty: sink.tty,
    ...(sink.printer && { printer: sink.printer }),
  };
}
