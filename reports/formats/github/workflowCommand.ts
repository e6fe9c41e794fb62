import { visible } from '../../text/visible.ts';
import type { Sink } from '../../sink.ts';

/**
 * A sink for the log of a job, in which nothing is taken for a workflow command: GitHub ignores the space before one,
 * so that a line of an answer, however far it is indented, could be one. Text without such lines is written as it is.
 *
 * @param token - a word that nobody can guess
 */
export function plainLog(sink: Sink, token: string): Sink {
  return {
    ...sink,
    get columns() {
      return sink.columns;
    },
    write(text) {
      if (!isCommandLike(text)) return sink.write(text);
      const end = text.endsWith('\n') ? '' : '\n';
      sink.write(`${stopCommands(token)}\n${text}${end}${resumeCommands(token)}\n`);
    },
  };
}

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

/**
 * What the log of a job of GitHub Actions would take for a workflow command: `::` at the start of a line, or the older
 * spelling anywhere in it. Reports that are written to a log spell it in another way, which every reader takes for the
 * same text.
 */
export function isCommandLike(text: string): boolean {
  return /^\s*::|#{2}\[/mu.test(text);
}

/** Text of an XML or HTML document, escaped already, with entities in place of what looks like a command. */
export function quietMarkup(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gmu, '$1&#58;').replaceAll(/#{2}\[/g, '#&#35;[');
}
