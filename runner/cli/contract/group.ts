import type { CommandGroup } from '../command.ts';

/** `seaworthy contract` */
export const contractGroup: CommandGroup = {
  name: 'contract',
  summary: 'check, draft and show contracts: what --contract names',
  description:
    'A contract says in data what a provider promises of its webhooks. These commands show what the kit understands of one, draft one from an OpenAPI document, and print deliveries as it describes them.',
};
