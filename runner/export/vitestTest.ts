import { isRecord } from '../../spec/jsonSchema.ts';
import { jsonLine } from '../../reports/text/jsonText.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { Options } from '../options/option.ts';
import { receiverReplayOptions, serviceReplayOptions } from '../options/replayOptions.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import { kitIdentity } from '../options/packages.ts';
import { hiddenVariables } from '../replay/replaySaved.ts';
import { fileOptions, isPlace } from '../replay/trustedOptions.ts';
import { commentLines } from './commentLines.ts';

/** The first version of Node that runs the package, as its `engines` say. */
const oldestNode = '24.18';

/** What a test is given of each subject: what no file holds, how something is seen of it, and its options. */
const given = {
  receiver: { secret: 'secret', secretIs: 'webhook secret', seen: 'probe', options: receiverReplayOptions },
  service: { secret: 'token', secretIs: 'API key', seen: 'emit', options: serviceReplayOptions },
} as const;

/**
 * A saved case as a Vitest test, for a project that has `seaworthy` and `vitest` installed. It holds the case, so that it
 * runs wherever it is put.
 *
 * @param file - where it will be, for the command that runs it
 */
export function vitestTest(saved: SavedCase, file: string): string {
  const { secret } = given[saved.subject];
  const options = ['url', secret, ...namesOf(saved)].map(
    (name) => typescript`    ${identifier(name)}: ${valueOf(name, saved)},`,
  );
  return typescript`${comment(introduction(saved, file))}
import { replay, type SavedCase } from ${kitIdentity().name};
import { expect, test } from 'vitest';

const saved: unknown = ${dataOf(saved)};

test(${nameOf(saved)}, async () => {
  const { outcome, says } = await replay(saved as SavedCase, {
${options}
  });
  expect(outcome, says).toBe('fixed');
}, 300_000);

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(name + ' is not set in the environment: the comment at the top of this file says what it holds');
}
`.toString();
}

/** What failed, and how to run the test. */
function introduction(saved: SavedCase, file: string): readonly string[] {
  const { requirements, title, expected, actual } = saved;
  const { name, version } = kitIdentity();
  return [
    `${requirements.join(', ')}: ${title}`,
    '',
    ...sequenceLines(saved),
    `Expected: ${expected}`,
    `Seen:     ${actual}`,
    '',
    `Written by ${name} ${version}. It needs Node ${oldestNode} or later, vitest, and ${name}, which comes from a clone of its repository. There:`,
    '    npm ci && npm pack',
    'In the project that has this test:',
    `    npm install -D vitest <the clone>/${name}-${version}.tgz`,
    `    npx vitest run ${shellWord(file)}`,
    ...environmentLines(saved),
  ];
}

function sequenceLines(saved: SavedCase): readonly string[] {
  const { sequence = [] } = saved;
  if (sequence.length === 0) return [];
  const steps = sequence.map(({ words }, at) => `  ${at + 1}. ${words}`);
  return ['The sequence that showed the failure:', ...steps, ...besideLines(saved), ''];
}

/** What is played at the same time, without which it does not fail. */
function besideLines({ beside = [] }: SavedCase): readonly string[] {
  if (beside.length === 0) return [];
  const others = beside.length === 1 ? 'another one is' : `${beside.length} others are`;
  return [
    '',
    `It fails only while ${others} played at the same time, and so it is played with:`,
    ...beside.flatMap((steps, at) => [
      ...(at === 0 ? [] : ['and with:']),
      ...steps.map(({ words }, step) => `  ${step + 1}. ${words}`),
    ]),
  ];
}

function environmentLines(saved: SavedCase): readonly string[] {
  const { url, env, subject, options } = saved;
  const { secret, secretIs } = given[subject];
  const ways = namesOf(saved).filter((name) => name !== 'header');
  return [
    'It takes from the environment, and runs, reads and calls nothing else:',
    `  SEAWORTHY_URL, where the ${subject} is (when it was found: ${url})`,
    `  ${variableOf(secret)}, its ${secretIs}${secret === 'secret' ? ' (where there are several, one a line)' : ''}`,
    ...ways.map((name) => {
      const found = options[name]?.join(', ');
      return `  ${variableOf(name)}, as ${optionsOf(saved)[name]?.flag} takes it${found === undefined ? '' : ` (when it was found: ${found})`}`;
    }),
    ...hiddenVariables(saved).map(
      (name) => `  ${name}, which the file does not hold: what the run was given in its place`,
    ),
    ...(env.length === 0 ? [] : [`  ${env.join(', ')}, which the ${subject} is started with`]),
  ];
}

function optionsOf({ subject }: SavedCase): Options {
  return given[subject].options;
}

/** The options that come from the environment: all that say more than how the case is played. */
function namesOf(saved: SavedCase): readonly string[] {
  const { data, named } = fileOptions(saved);
  const placed = [...Object.keys(named), ...Object.keys(data)].filter((name) => name in named || isPlace(name));
  const known = placed.filter((name) => name in optionsOf(saved));
  return [...new Set([given[saved.subject].seen, ...known])];
}

/** `SEAWORTHY_API_LISTEN` */
function variableOf(name: string): string {
  return `SEAWORTHY_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The value of an option, as an expression. */
function valueOf(name: string, { options }: SavedCase): TypeScript {
  if (name === 'url') return typescript`required(${variableOf(name)})`;
  if (name === 'header') return typescript`[\n${(options['header'] ?? []).map(headerItem)}\n    ]`;
  const value = typescript`process.env[${variableOf(name)}]`;
  if (name === 'secret') return typescript`${value}?.split('\\n')`;
  if (name === 'insecure') return typescript`${value} === 'true'`;
  return name === 'port' ? typescript`Number(${value}) || undefined` : value;
}

/** A header with what the environment holds in place of a variable that is its whole value. */
function headerItem(text: string): TypeScript {
  const [, start, variable] = /^([^$]*: ?)\$(SEAWORTHY_HEADER_\w+)$/.exec(text) ?? [];
  return variable === undefined ? typescript`      ${text},` : typescript`      ${start} + required(${variable}),`;
}

/** What must hold: a test that passes is read as well. */
function nameOf({ requirements, title, expected }: SavedCase): string {
  return `${requirements.join(', ')}: ${title.replace(/\.$/, '')}: ${expected.split('\n')[0]}`;
}

/** The case without what is there for people only, and without addresses. */
function dataOf(saved: SavedCase): object {
  const { exchange: _, timeline: __, sent: ___, ...kept } = saved;
  const { data } = fileOptions(saved);
  return { ...kept, value: null, options: Object.fromEntries(Object.entries(data).filter(([name]) => !isPlace(name))) };
}

/** Source of a TypeScript module; nothing outside this file makes it of text. */
class TypeScript {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

export type { TypeScript };

/**
 * A piece of TypeScript. Whatever is filled in is data, and stands there as a literal; other pieces, or a list of them one below
 * the other, stand as they are.
 *
 * @example typescript`const url = ${url};` // a string, whatever the url is
 */
function typescript(parts: TemplateStringsArray, ...values: readonly unknown[]): TypeScript {
  return new TypeScript(String.raw({ raw: parts }, ...values.map(filledIn)));
}

/** Comments of a line each, broken where they are long (see `commentLines`). */
function comment(texts: readonly string[]): TypeScript {
  return new TypeScript(texts.flatMap((text) => commentLines(text, '//')).join('\n'));
}

/** The name of a member or a variable. @throws TypeError where it is none */
function identifier(name: string): TypeScript {
  if (!/^[a-z_$][\w$]*$/i.test(name)) throw new TypeError(`${JSON.stringify(name)} is no identifier.`);
  return new TypeScript(name);
}

function filledIn(value: unknown): string {
  if (value instanceof TypeScript) return value.toString();
  const pieces = Array.isArray(value) ? value.filter((item) => item instanceof TypeScript) : [];
  return Array.isArray(value) && pieces.length === value.length ? pieces.join('\n') : literal(value);
}

/** Of an object a line for each member, and for each object in a list that a member is. */
function literal(value: unknown): string {
  if (!isRecord(value)) return compact(value);
  const members = membersOf(value).map(([name, member]) => {
    const listed = Array.isArray(member) && member.length > 0 && member.every(isRecord);
    const list = listed ? `[\n${member.map((item) => `    ${compact(item)},\n`).join('')}  ]` : compact(member);
    return `  ${/^[a-z]\w*$/i.test(name) ? name : key(name)}: ${list},\n`;
  });
  return `{\n${members.join('')}}`;
}

function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  if (!isRecord(value)) return jsonLine(value ?? null).trimEnd();
  return `{${membersOf(value)
    .map(([name, member]) => `${key(name)}:${compact(member)}`)
    .join(',')}}`;
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Without the brackets this one name would set the prototype. */
function key(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : jsonLine(name).trimEnd();
}
