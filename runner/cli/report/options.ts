import { formatNames, formatsFor } from '../../../reports/formats/index.ts';
import { switchKind } from '../../options/optionKinds.ts';
import { option, sharedOptions } from '../../options/options.ts';

/** The formats that only a run itself is written in. */
const withoutReport = formatNames.filter((name) => !formatsFor('run').includes(name));

/** What `seaworthy report` takes. */
export const reportOptions = {
  report: option({
    ...sharedOptions.report,
    description: `write a report in this format, any but ${withoutReport.join(' and ')}; without a path to standard output`,
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
