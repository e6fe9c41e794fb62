import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { UsageError } from '../../errors.ts';
import { configNames } from '../../options/findConfig.ts';
import { makeDirectory } from '../../output/writtenFile.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { type ProgramEnvironment, programOf } from '../programEnvironment.ts';
import { type Answers, askedAnswers, onTerminal, seenAnswers } from './answers.ts';
import { projectInitOptions } from './command.ts';
import { configText, testFiles, testText, workflowOf } from './projectTexts.ts';
import { type Project, seenProject } from './project.ts';

/** A file of the project, and what it says where it is written. */
interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** What `seaworthy init` does. @returns the exit code */
export async function initProject(input: CommandInput): Promise<number> {
  const { programEnvironment } = input;
  const { workingDirectory, stdout, signal } = programEnvironment;
  const { yes } = commandSettings(projectInitOptions, input);
  const project = seenProject(workingDirectory);
  stdout.write(seenText(project));
  const config = configNames.find((name) => existsSync(join(workingDirectory, name)));
  const asks = !yes && config === undefined;
  const answers = await answersTo(project, asks, programEnvironment);
  if (signal.aborted || answers === undefined) return 130;
  const { tests, ...rest } = project;
  // A test file imports the config.
  const written = tests !== undefined && /\.[jt]s$/.test(config ?? '.ts') ? project : rest;
  for (const file of filesOf(written, answers, config)) {
    stdout.write(`${write(join(workingDirectory, file.path), file) ? 'wrote' : 'left as it is'}  ${file.path}\n`);
  }
  stdout.write(nextText(written, answers, programOf(programEnvironment)));
  return 0;
}

/** Nothing where the user ended the questions. */
async function answersTo(
  project: Project,
  asks: boolean,
  { openInput, stdout, signal }: ProgramEnvironment,
): Promise<Answers | undefined> {
  const input = asks ? openInput?.() : undefined;
  if (input?.isTTY !== true) return seenAnswers(project);
  const { Writable } = await import('node:stream');
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      // What readline puts at the end of a line that is given up.
      stdout.write(chunk.toString().replaceAll('\r\n', '\n'));
      done();
    },
  });
  return onTerminal({ input, output, signal }, (ask) => askedAnswers(project, ask)).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  });
}

function filesOf(project: Project, answers: Answers, config: string | undefined): readonly ProjectFile[] {
  const { tests, ci } = project;
  const path = config ?? 'seaworthy.config.ts';
  return [
    { path, text: configText(answers) },
    ...(tests ? [{ path: testFiles[tests].path, text: testText(tests, path) }] : []),
    ...(!tests && ci !== undefined ? [workflowOf(ci, { ...project, start: answers.start })] : []),
  ];
}

/** @returns false where the file was there */
function write(path: string, { path: shown, text }: ProjectFile): boolean {
  if (existsSync(path)) return false;
  try {
    makeDirectory(dirname(path));
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    throw new UsageError(
      'SW_INIT_WRITE',
      {
        received: `${shown} cannot be written: ${(cause as Error).message}`,
        valid: 'a directory that you may write to',
        next: 'give yourself the right to write there, or call init in the directory of your project',
      },
      { cause },
    );
  }
}

function seenText({ framework, start, port, path, secretEnv, contract, tests, ci }: Project): string {
  const rows = [
    ['framework', framework],
    ['start', start],
    ['port', port?.toString()],
    ['path', path],
    ['secret', secretEnv],
    ['contract', contract],
    ['tests', tests ?? '(Vitest or node:test: not seen)'],
    ['CI', ci && { github: 'GitHub Actions', gitlab: 'GitLab' }[ci]],
  ] as const;
  const lines = rows.map(([name, value]) => `  ${name.padEnd(11)}${value ?? '(not seen)'}\n`);
  return `Seen in this directory:\n${lines.join('')}\n`;
}

function nextText({ tests, ci }: Project, { start }: Answers, program: string): string {
  const steps = [
    'Look at what was written, above all at what says "not seen" here.',
    ...(start === undefined ? ['Start your receiver.'] : []),
    `Run: ${program} receiver`,
    ...(tests ? [`Or as tests: ${testFiles[tests].run}`] : []),
    ...(!tests && ci === 'gitlab' ? ['Include .gitlab/seaworthy.yml in .gitlab-ci.yml.'] : []),
    `See the report: ${program} show-report`,
  ];
  return `\nNext:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}
