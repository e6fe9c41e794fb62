import type { Command, CommandGroup } from './command.ts';
import { checkCommand, initCommand, showCommand } from './contract/commands.ts';
import { demoCommand } from './demo/command.ts';
import { explainCommand } from './explain/command.ts';
import { fuzzCommand } from './fuzz/command.ts';
import { projectInitCommand } from './init/command.ts';
import { listenCommand } from './listen/command.ts';
import { mockCommand } from './mock/command.ts';
import { proxyCommand } from './proxy/command.ts';
import { receiverCommand } from './receiver/command.ts';
import { replayCommand } from './replay/command.ts';
import { reportCommand } from './report/command.ts';
import { requirementsCommand } from './requirements/command.ts';
import { sandboxCommand } from './sandbox/command.ts';
import { serviceCommand } from './service/command.ts';
import { showReportCommand } from './show-report/command.ts';
import { triggerCommand } from './trigger/command.ts';

/** Every command of the program, in the order of its help and of docs/options.md. */
export const commands: readonly Command[] = [
  receiverCommand,
  serviceCommand,
  fuzzCommand,
  replayCommand,
  reportCommand,
  showReportCommand,
  requirementsCommand,
  explainCommand,
  checkCommand,
  initCommand,
  showCommand,
  triggerCommand,
  listenCommand,
  sandboxCommand,
  mockCommand,
  proxyCommand,
  demoCommand,
  projectInitCommand,
];

/** `seaworthy contract` */
const contractGroup: CommandGroup = {
  name: 'contract',
  summary: 'check, draft and show contracts: what --contract names',
  description:
    'A contract says in data what a provider promises of its webhooks. These commands show what the kit understands of one, draft one from an OpenAPI document, and print deliveries as it describes them.',
};

/** What several commands begin with, by its word. */
export const commandGroups: readonly CommandGroup[] = [contractGroup];
