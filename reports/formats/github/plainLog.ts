import type { Sink } from '../../sink.ts';
import { isCommandLike } from './quietText.ts';
import { resumeCommands, stopCommands } from './workflowCommand.ts';

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
