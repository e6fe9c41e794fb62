import { option } from '../../options/option.ts';
import { pathKind, switchKind } from '../../options/optionKinds.ts';
import type { Command } from '../command.ts';

/** What `seaworthy show-report` takes. */
export const showReportOptions = {
  output: option({
    flag: '--output',
    kind: pathKind,
    group: 'Reports',
    description: 'the file that the page is written to',
    default: '.seaworthy/report.html',
  }),
  open: option({
    flag: '--no-open',
    kind: switchKind,
    group: 'Reports',
    description: 'do not open the page in a browser',
    default: true,
  }),
} as const;

/** `seaworthy show-report [journal]` */
export const showReportCommand: Command = {
  name: 'show-report',
  summary: 'open the HTML report of the newest run',
  description:
    'Writes the newest run of this directory as an HTML page, prints its path, and opens it in your browser. In CI, and where there is no terminal or no display, it only prints the path. The run needs no --report html for this: its journal is enough.',
  argument: { name: 'journal', description: 'the journal of another run. Default: the newest in .seaworthy/runs' },
  options: showReportOptions,
  examples: [
    ['seaworthy show-report', 'the newest run'],
    ['seaworthy show-report --no-open', 'only writes the page and prints its path'],
  ],
  exitCodes: [
    [0, 'the page was written, whatever it says about the target'],
    [2, 'the command was used wrongly, or there is no run here'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).showReport(input),
};
