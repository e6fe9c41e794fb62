import { isShippedContract } from '../../spec/shippedContracts.ts';
import { shellQuote } from './shell.ts';

/** A word of a shell, with what is quoted in it. */
const word = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs;

/** What follows the program in the command of a run. */
const commandName = / (?:receiver|service|fuzz|listen) /;

/** What a file names and may not decide: each needs `--trust`, or has to be given again. */
const named: ReadonlySet<string> = new Set(
  '--start --image --reset --ca --insecure --published --api-listen --catcher --catcher-listen'.split(' '),
);

/** These too, unless they are loopback addresses. */
const placed: ReadonlySet<string> = new Set(['--probe', '--emit', '--recover']);

/**
 * The command that tries a saved case again. It gives the address again; `--trust` where the file names more than that.
 *
 * @param command - the one that ran it: how the kit was started is taken from there, and whether it was given a secret,
 * a key or a header, whose values no file holds. Where one header is missing in the file, all are given: they count instead
 * of those in the file
 */
export function replayCommand(file: string, command: string): string {
  const [program = ''] = command.split(commandName);
  const words = command.slice(program.length).match(word) ?? [];
  const headers = optionsOf(words, ['--header']);
  const given = [
    ...(needsTrust(words) ? ['--trust'] : [...addressOf(words), ...contractOf(words)]),
    ...words.filter((each) => each === '--allow-remote'),
    ...optionsOf(words, ['--config']),
    ...optionsOf(words, ['--secret', '--token']).filter((option) => option.includes(' "')),
    ...(headers.some((option) => option.includes('$SEAWORTHY_HEADER_')) ? headers : []),
  ];
  return [program, 'replay', /^[\w./:@-]+$/.test(file) ? file : shellQuote(file), ...given].join(' ');
}

function needsTrust(words: readonly string[]): boolean {
  return words.some((flag, at) => {
    const value = (words[at + 1] ?? '').replaceAll(/^'|'$/g, '');
    if (placed.has(flag)) return !isLoopbackUrl(value);
    return named.has(flag) || (flag === '--assume' && value.startsWith('@'));
  });
}

/** The address of the run, as the option of a replay. */
function addressOf([, operand = '', ...words]: readonly string[]): readonly string[] {
  if (operand !== '' && !operand.startsWith('-')) return [`--url ${operand}`];
  return optionsOf([operand, ...words], ['--service']).map((option) => option.replace('--service', '--url'));
}

/** The contract of the run, where that is a file: what a saved case names is opened with the user's trust only. */
function contractOf(words: readonly string[]): readonly string[] {
  const files = optionsOf(words, ['--contract']).filter(
    (option) => !isShippedContract(option.replace('--contract ', '')),
  );
  return [...files, ...optionsOf(words, ['--openapi'])];
}

/** These options with their values, as they stand in a command. */
function optionsOf(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.flatMap((flag, at) => (flags.includes(flag) ? [`${flag} ${words[at + 1] ?? ''}`] : []));
}

/** The command that explains a requirement, of the contract of the run. */
export function explainCommand(id: string, command: string): string {
  const [program = ''] = command.split(commandName);
  const words = command.slice(program.length).match(word) ?? [];
  return [program, 'explain', id, ...optionsOf(words, ['--contract', '--openapi'])].join(' ');
}

/** The command that repeats one check of a run: what is expected of others is left out. */
export function repeatCommand(check: string, command: string): string {
  return `${wholeCommand(command)} --only ${/^[\w./:@-]+$/.test(check) ? check : shellQuote(check)}`;
}

/** The command that repeats a run with all its checks, where a selection was made. */
export function wholeCommand(command: string): string {
  return command.replace(/ --(?:only|skip|shard|expect-failures)[ =](?:'(?:[^']|'\\'')*'|"[^"]*"|\S+)/g, '');
}

/**
 * Whether a text is the address of something on this machine, without a name that anybody resolves, and without a variable
 * for something secret.
 */
export function isLoopbackUrl(text: string): boolean {
  const url = /^https?:\/\//i.test(text) && !text.includes('$') ? URL.parse(text) : null;
  return url !== null && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
