import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

import { plainLog } from '../../reports/formats/github/workflowCommand.ts';
import type { Sink } from '../../reports/sink.ts';

/** What GitHub Actions passes to a step of a job in its environment. */
export interface GithubActions {
  /** Takes what is shown on the page of the job, as Markdown; several runs of a step are shown one below the other. */
  readonly summary?: Pick<Sink, 'write'>;
  /** From the root of the repository to the working directory, with a slash at its end; not there at the root. */
  readonly fromRoot?: string;
  /** The root itself, where the working directory is below it. */
  readonly root?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether this is a step of a job of GitHub Actions. */
export function isGithubActions(environment: Environment): boolean {
  return environment['GITHUB_ACTIONS'] === 'true';
}

/** The same sink; in a step of a job, one in which nothing that a target says is taken for a workflow command. */
export function logOf(sink: Sink, environment: Environment): Sink {
  return isGithubActions(environment) ? plainLog(sink, randomUUID()) : sink;
}

/** @see https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
export function githubActions(environment: Environment, workingDirectory: string): GithubActions {
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: workspace } = environment;
  const path = workspace ? relative(workspace, workingDirectory).split(sep).join('/') : '';
  const below = path !== '' && path !== '..' && !path.startsWith('../');
  return {
    ...(summary && { summary: { write: (text) => appendFileSync(summary, `${text}\n`) } }),
    ...(workspace && below && { fromRoot: `${path}/`, root: workspace }),
  };
}
