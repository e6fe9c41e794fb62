import { switchKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/options.ts';
import { option } from '../../options/option.ts';

const { contract, openapi } = sharedOptions;

/** What `seaworthy requirements` takes. */
export const requirementsOptions = {
  contract,
  openapi,
  assumptions: option({
    flag: '--assumptions',
    kind: switchKind,
    group: 'Contract',
    description: 'show what the kit assumes where the contract is silent, and how to change it',
    default: false,
  }),
  json: option({
    flag: '--json',
    kind: switchKind,
    group: 'Reports',
    description: 'as JSON',
    default: false,
  }),
} as const;
