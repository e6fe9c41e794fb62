import { option } from '../../options/option.ts';
import { switchKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';

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

/** `seaworthy requirements` */
export const requirementsCommand: Command = {
  name: 'requirements',
  summary: 'the requirement catalogue: the checks that prove each, the faults that break it',
  description:
    'Shows every requirement of the contract with its level, its section, the checks that prove it, and the faults that the checks are tested with.',
  argument: { name: 'id', description: 'the requirements of this id, * for any characters: VRF-*. Default: all' },
  options: requirementsOptions,
  examples: [
    ['seaworthy requirements', 'the catalogue'],
    ["seaworthy requirements 'VRF-*'", 'those about signatures'],
    ['seaworthy requirements --assumptions', 'the gaps of the contract and what fills them'],
  ],
  exitCodes: [
    [0, 'shown'],
    [2, 'the command was used wrongly'],
  ],
  run: async (input) => (await import('./run.ts')).showRequirements(input),
};
