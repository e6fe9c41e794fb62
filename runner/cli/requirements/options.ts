import { switchKind } from '../../options/optionKinds.ts';
import type { Option } from '../../options/options.ts';

/** What `seaworthy requirements` takes. */
export const requirementsOptions = {
  assumptions: {
    flag: '--assumptions',
    kind: switchKind,
    group: 'Contract',
    description: 'show what the kit assumes where the contract is silent, and how to change it',
    default: false,
  },
  json: {
    flag: '--json',
    kind: switchKind,
    group: 'Reports',
    description: 'as JSON',
    default: false,
  },
} as const satisfies Record<string, Option<boolean>>;
