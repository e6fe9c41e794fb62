import type { Command, CommandGroup } from './command.ts';
import { checkCommand } from './contract/check/command.ts';
import { contractGroup } from './contract/group.ts';
import { initCommand } from './contract/init/command.ts';
import { showCommand } from './contract/show/command.ts';
import { demoCommand } from './demo/command.ts';
import { fuzzCommand } from './fuzz/command.ts';
import { mockCommand } from './mock/command.ts';
import { proxyCommand } from './proxy/command.ts';
import { receiverCommand } from './receiver/command.ts';
import { replayCommand } from './replay/command.ts';
import { reportCommand } from './report/command.ts';
import { requirementsCommand } from './requirements/command.ts';
import { sandboxCommand } from './sandbox/command.ts';
import { serviceCommand } from './service/command.ts';

/** Every command of the program, in the order of its help and of docs/options.md. */
export const commands: readonly Command[] = [
  receiverCommand,
  serviceCommand,
  fuzzCommand,
  replayCommand,
  reportCommand,
  requirementsCommand,
  checkCommand,
  initCommand,
  showCommand,
  sandboxCommand,
  mockCommand,
  proxyCommand,
  demoCommand,
];

/** What several commands begin with, by its word. */
export const commandGroups: readonly CommandGroup[] = [contractGroup];
