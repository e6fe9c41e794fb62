import { expect } from 'vitest';

import { leftOutOf, spokenVerdict, unique, type ComparisonFacts, type Facts, type MatrixFacts } from './facts.ts';

/** A workflow command, as the runner of GitHub Actions takes a line of a log apart. */
export interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** A line by the documented grammar: `::name key=value,key=value::data`, with `%`, line ends, `:` and `,` escaped. */
export function commandOf(line: string): Command {
  expect(line).toMatch(/^::(?:error|warning|notice) \w+=[^:,\r\n]*(?:,\w+=[^:,\r\n]*)*::[^\r\n]*$/);
  expect(line.replaceAll(/%(?:25|0D|0A|3A|2C)/g, '')).not.toContain('%');
  const end = line.indexOf('::', 2);
  const [, name = '', list = ''] = /^(\w+) (.*)$/.exec(line.slice(2, end)) ?? [];
  const properties = list.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), unescaped(pair.slice(at + 1))] as const;
  });
  return { name, properties: Object.fromEntries(properties), data: unescaped(line.slice(end + 2)) };
}

/** Every line of a report, each a command. */
export function commandsOf(text: string): readonly Command[] {
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n').map(commandOf);
}

/** The facts of a run shown to GitHub Actions. */
export function readGithub(text: string): Partial<Facts> {
  const commands = commandsOf(withoutPause(text));
  const verdict = commands.find(({ properties: { title = '' } }) => title.startsWith('seaworthy: '));
  const [sentence = '', counts = ''] = verdict?.data.split('\n') ?? [];
  const titles = commands.map(({ properties: { title = '' } }) => title);
  return {
    ...spokenVerdict(sentence),
    leftOut: leftOutOf(verdict?.data),
    counts: [...counts.matchAll(/\d+/g)].map(Number),
    failing: unique(titles.flatMap((title) => /(?:broken|did not come again): (\S+)$/.exec(title)?.[1] ?? [])),
    problems: titles.filter((title) =>
      /^(?:the run|the target|the receiver|the service|the probe|a fault) /.test(title),
    ),
  };
}

/** While a run lasts the log takes no line for a command. */
function withoutPause(text: string): string {
  return text.replace(/^::stop-commands::(\S+)\n::\1::\n/, '');
}

/** The facts of two runs compared. */
export function readGithubComparison(text: string): Partial<ComparisonFacts> {
  const errors = commandsOf(text).filter(({ name }) => name === 'error');
  return { broke: errors.map(({ properties: { title = '' } }) => title.replace(/^Broke: /, '')) };
}

/** The facts of several targets, one a line, the worst first. */
export function readGithubMatrix(text: string): Partial<MatrixFacts> {
  const verdicts = commandsOf(text).map(({ data }) => spokenVerdict(data));
  return {
    targets: verdicts.length,
    codes: verdicts.map(({ exitCode }) => exitCode).toSorted((one, other) => one - other),
  };
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { 0: '', D: '\r', A: '\n', 3: ':', C: ',', 5: '%' };
  return text.replaceAll(
    /%(0D|0A|3A|2C|25)/g,
    (_, code: string) => characters[code === '3A' ? '3' : (code[1] ?? '0')] ?? '',
  );
}
