import { runOnlyFormats } from '../../../reports/formats/formatNames.ts';
import { switchKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/options.ts';
import { option } from '../../options/option.ts';

/** What `seaworthy report` takes. */
export const reportOptions = {
  report: option({
    ...sharedOptions.report,
    description: `write a report in this format, any but ${runOnlyFormats.join(' and ')}; without a path to standard output`,
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
