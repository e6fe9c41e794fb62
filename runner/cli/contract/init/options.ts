import { pathKind } from '../../../options/optionKinds.ts';
import { option } from '../../../options/options.ts';

/** What `seaworthy contract init` takes. */
export const initOptions = {
  output: option({
    flag: '--output',
    short: '-o',
    kind: pathKind,
    group: 'Reports',
    description: 'write the draft to this file, which must not exist',
    defaultText: 'standard output',
  }),
} as const;
