import { hiddenVariables } from '../filledText.ts';
import { kitIdentity } from '../kitIdentity.ts';
import type { SavedCase } from '../savedCase.ts';
import { shellWord } from '../shellWord.ts';
import { comment, typescript } from './typescript.ts';

/** The first version of Node that runs the package, as its `engines` say. */
const oldestNode = '24.18';

/**
 * A saved case as a Vitest test, for a project that has `seaworthy` and `vitest` installed. It holds the case, so that it
 * runs wherever it is put.
 *
 * @param file - where it will be, for the command that runs it
 */
export function vitestTest(saved: SavedCase, file: string): string {
  const { subject } = saved;
  const options =
    subject === 'receiver'
      ? typescript`    secret: process.env['SEAWORTHY_SECRET'],\n    probe: process.env['SEAWORTHY_PROBE'],`
      : typescript`    token: process.env['SEAWORTHY_TOKEN'],\n    emit: process.env['SEAWORTHY_EMIT'],`;
  const { exchange: _, timeline: __, ...kept } = saved;
  return typescript`${comment(introduction(saved, file))}
import { replay, type SavedCase } from ${kitIdentity().name};
import { expect, test } from 'vitest';

const saved = ${{ ...kept, value: null }} as SavedCase;

test(${`${saved.requirements.join(', ')}: ${summaryOf(saved)}`}, async () => {
  const { outcome, says } = await replay(saved, {
    url: process.env['SEAWORTHY_URL'],
${options}
  });
  expect(outcome, says).toBe('fixed');
}, 300_000);
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
  const [secret, way] = subject === 'receiver' ? ['SECRET', 'probe'] : ['TOKEN', 'emit'];
  const usual = options[way]?.[0];
  return [
    'It takes from the environment:',
    `  SEAWORTHY_URL, where the ${subject} is (default: ${url})`,
    `  SEAWORTHY_${secret}, its ${subject === 'receiver' ? 'webhook secret' : 'API key'}`,
    `  SEAWORTHY_${way.toUpperCase()}, as --${way} takes it${usual === undefined ? '' : ` (default: ${usual})`}`,
    ...hiddenVariables(saved).map(
      (name) => `  ${name}, which the file does not hold: what the run was given in its place`,
    ),
    ...(env.length === 0 ? [] : [`  ${env.join(', ')}, which the ${subject} is started with`]),
  ];
}

/** What goes wrong, without what differs from run to run. */
function summaryOf({ title, actual, cause, check }: SavedCase): string {
  return cause === undefined ? `${check}, ${title}` : `${actual.split('\n')[0]}`;
}
