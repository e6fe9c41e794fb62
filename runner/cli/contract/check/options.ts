import { switchKind } from '../../../options/optionKinds.ts';
import { option, sharedOptions } from '../../../options/options.ts';

/** What `seaworthy contract check` takes. */
export const checkOptions = {
  openapi: sharedOptions.openapi,
  json: option({
    flag: '--json',
    kind: switchKind,
    group: 'Reports',
    description: 'write it as JSON',
    default: false,
  }),
} as const;
