import { visible } from '../../text/visible.ts';

/** A message that GitHub Actions shows beside the log, and beside a file where one is named. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** A path from the root of the repository. */
  readonly file?: string;
}

/**
 * An annotation as a line of a job's log.
 *
 * @see https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 * @see https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts for what has to be escaped
 */
export function workflowCommand({ kind, title, message, file }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`, 'line=1']),
    `title=${property(title.replaceAll(/[\r\n]+/g, ' '))}`,
  ];
  return `::${kind} ${properties.join(',')}::${data(message)}`;
}

/** Makes GitHub take what follows for plain text, until the line `::<token>::`. */
export function stopCommands(token: string): string {
  return `::stop-commands::${data(token)}`;
}

/** Ends what {@link stopCommands} began. */
export function resumeCommands(token: string): string {
  return `::${data(token)}::`;
}

function data(text: string): string {
  return visible(text, '\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
