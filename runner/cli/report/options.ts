import { switchKind } from '../../options/optionKinds.ts';
import { option, sharedOptions } from '../../options/options.ts';

/** What `seaworthy report` takes. */
export const reportOptions = {
  report: option({
    ...sharedOptions.report,
    description: 'how it is written, any format but journal; without a path to standard output',
  }),
  compare: option({
    flag: '--compare',
    kind: switchKind,
    group: 'Reports',
    description: 'compare two runs, the earlier one first: what broke, what was mended, what became slower',
    default: false,
  }),
  sideBySide: option({
    flag: '--side-by-side',
    kind: switchKind,
    group: 'Reports',
    description: 'every journal is about a target of its own, also where addresses are the same',
    default: false,
  }),
} as const;
