import type { Format } from '../format.ts';
import { createTerminalReporter, renderTerminal } from './terminalReport.ts';

export const terminal: Format = {
  summary:
    'for a terminal and the log of a job, while the run lasts: failures with their smallest case, counts, verdict',
  readers: 'people',
  file: 'report.txt',
  stdout: 'text',
  documents: ['run', 'comparison', 'matrix'],
  render: renderTerminal,
  create: createTerminalReporter,
};
