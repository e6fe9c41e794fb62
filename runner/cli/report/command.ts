import { formatNames, runOnlyFormats } from '../../../reports/formats/formatNames.ts';
import { option } from '../../options/option.ts';
import { switchKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';

const formats = formatNames.filter((name) => !runOnlyFormats.some((each) => each === name));

/** What `seaworthy report` takes. */
export const reportOptions = {
  report: option({
    ...sharedOptions.report,
    description: `write a report in this format: ${formats.join(', ')}; without a path to standard output`,
  }),
  compare: option({
    flag: '--compare',
    kind: switchKind,
    group: 'Reports',
    description: 'compare two runs, the earlier one first: what broke, what was fixed, what became slower',
    default: false,
  }),
  sideBySide: option({
    flag: '--side-by-side',
    kind: switchKind,
    group: 'Reports',
    description: 'treat every journal as another target, even if their addresses are the same',
    default: false,
  }),
} as const;

/** `seaworthy report <journal>...` */
export const reportCommand: Command = {
  name: 'report',
  summary: 'render, merge or compare earlier runs',
  description:
    'Makes reports of earlier runs from their journals, in any format. The report of a run that was killed says that it is incomplete, and lists what was under way. Several journals of one target are the parts of one run (each with its own --shard or --only, all with the same --seed), and are merged. Journals of several targets are shown side by side. --compare compares a later run with an earlier one.',
  argument: { name: 'journal', description: 'journals of runs (.seaworthy/runs/<run>.ndjson)', several: true },
  options: reportOptions,
  examples: [
    ['seaworthy report .seaworthy/runs/2026-11-21T10-00-00.ndjson --report html=report.html', 'one run, as a page'],
    ['seaworthy report parts/*.ndjson --report junit=all.xml --report terminal', 'the parts of a run, merged'],
    ['seaworthy report --compare main.ndjson branch.ndjson --report markdown', 'what a change broke and fixed'],
    ['seaworthy report express.ndjson fastify.ndjson --report html=matrix.html', 'two implementations side by side'],
  ],
  exitCodes: [
    [0, 'the reports were written, whatever they say about a target'],
    [
      1,
      '--compare found a requirement broken that was not broken before, and that counts; or the parts of --shard, merged, have a failure that counts',
    ],
    [2, 'the command was used wrongly, a journal cannot be read, or they do not belong together'],
    [3, 'the parts of --shard, merged, are not a whole run: one is missing, or did not come to its end'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).reportJournals(input),
};
