import { pathKind, switchKind } from '../../options/optionKinds.ts';
import { option } from '../../options/option.ts';

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
