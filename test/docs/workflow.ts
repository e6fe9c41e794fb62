import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { parseYaml } from '../../spec/parseYaml.ts';
import { program, room } from '../programs.ts';
import { textOf } from './documents.ts';

/** A step of a job, or of an action. */
export interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly 'working-directory'?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** The action of this repository. */
export const action = parseYaml(textOf('action.yml')) as Action;

/** The inputs of actions of others, as the metadata of these versions lists them. */
export const inputsOf: Readonly<Record<string, RegExp>> = {
  'actions/checkout@v4': /^(?:repository|ref|token|path|clean|fetch-depth|submodules)$/,
  'actions/checkout@v5': /^(?:repository|ref|token|path|clean|fetch-depth|submodules)$/,
  'actions/setup-node@v4': /^(?:node-version(?:-file)?|architecture|check-latest|registry-url|scope|token|cache)$/,
  'actions/setup-node@v5': /^(?:node-version(?:-file)?|architecture|check-latest|registry-url|scope|token|cache)$/,
  'actions/upload-artifact@v4':
    /^(?:name|path|if-no-files-found|retention-days|compression-level|overwrite|include-hidden-files)$/,
  'actions/upload-artifact@v5':
    /^(?:name|path|if-no-files-found|retention-days|compression-level|overwrite|include-hidden-files)$/,
  'actions/download-artifact@v5': /^(?:name|artifact-ids|path|pattern|merge-multiple|github-token|repository|run-id)$/,
  'github/codeql-action/upload-sarif@v3':
    /^(?:sarif_file|checkout_path|ref|sha|token|matrix|category|wait-for-processing)$/,
};

/** A folder in which jobs run, as a runner of GitHub runs them: a step after the other, until one fails. */
export class Job {
  readonly folder: string;
  /** What was uploaded, by the name of the artifact: files of the folder. */
  readonly artifacts = new Map<string, readonly string[]>();
  stdout = '';
  readonly #own: string;

  private constructor(folder: string, own: string) {
    this.folder = folder;
    this.#own = own;
  }

  /** @param words - what is added to each run, so that it takes less time */
  static async open(folder: string, words: readonly string[] = []): Promise<Job> {
    const own = join(folder, '.runner');
    await mkdir(own);
    // The package is not published: in its place the program of this repository, with the words after its name.
    const kit = `exec '${process.execPath}' ${room.join(' ')} '${program('seaworthy')}' "$@"`;
    const more = words.map((word) => ` '${word}'`).join('');
    const skip = 'while [ "$1" != seaworthy ]; do shift; done; shift';
    await writeFile(join(own, 'npx'), `#!/bin/sh\n${skip}\n[ "$1" = report ] && ${kit}\n${kit}${more}\n`);
    await chmod(join(own, 'npx'), 0o755);
    return new Job(folder, own);
  }

  /** @param values - of expressions: `{ 'inputs.target': 'http://...' }` @returns the exit code of the job */
  async run(steps: readonly Step[], values: Readonly<Record<string, string>> = {}): Promise<number> {
    let code = 0;
    for (const step of steps) {
      if (code !== 0 && step.if?.includes('always()') !== true) continue;
      if (!holds(step.if, values)) continue;
      code = (await this.#runStep(filled(step, values))) || code;
    }
    return code;
  }

  /** What a file of the runner holds, such as the summary. */
  fileOf(name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY'): Promise<string> {
    return readFile(join(this.#own, name), 'utf8');
  }

  /** Runs a script as `shell: bash` does. */
  shell(script: string, env: Readonly<Record<string, string>> = {}, cwd = '.'): Promise<number> {
    const runner = ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => [name, join(this.#own, name)]);
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const all = { ...Object.fromEntries(runner), HOME, NODE_COMPILE_CACHE, GITHUB_ACTIONS: 'true', ...env };
    const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script];
    const options = { cwd: join(this.folder, cwd), env: { ...all, PATH: `${this.#own}${delimiter}${PATH}` } };
    return new Promise((resolve) => {
      execFile('bash', words, options, (error, stdout, stderr) => {
        this.stdout += stdout + stderr;
        resolve(Number(error?.code ?? 0));
      });
    });
  }

  #runStep({ run, uses = '', with: given = {}, env, 'working-directory': cwd }: Step): Promise<number> | number {
    if (run !== undefined) return this.shell(run, env, cwd);
    if (uses.includes('/upload-artifact@')) this.#upload(given);
    if (!uses.includes('/seaworthy@')) return 0;
    const inputs = Object.entries(action.inputs).map(
      ([name, input]) => [`inputs.${name}`, String(given[name] ?? input.default)] as const,
    );
    return this.run(action.runs.steps, Object.fromEntries(inputs));
  }

  #upload(given: NonNullable<Step['with']>): void {
    const paths = String(given['path']).split('\n');
    const isHidden = (path: string): boolean => /(?:^|\/)\.[^./]/.test(path);
    const files = paths.filter((path) => path !== '' && existsSync(join(this.folder, path)));
    const taken = given['include-hidden-files'] === true ? files : files.filter((path) => !isHidden(path));
    if (taken.length > 0) this.artifacts.set(String(given['name']), taken);
  }
}

function filled<T>(value: T, values: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(value).replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (expression, name: string) =>
    values[name] === undefined ? expression : JSON.stringify(values[name]).slice(1, -1),
  );
  return JSON.parse(text) as T;
}

/** Conditions are `always()`, comparisons with a text, and both. */
function holds(condition = 'always()', values: Readonly<Record<string, string>>): boolean {
  return condition.split(' && ').every((part) => {
    const [, name = '', text] = /^([\w.-]+) != '(\w+)'$/.exec(part) ?? [];
    return part === 'always()' || (text !== undefined && values[name] !== text);
  });
}
