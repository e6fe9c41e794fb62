import type { Command } from '../command.ts';
import { mockOptions } from './options.ts';

/** `seaworthy mock` */
export const mockCommand: Command = {
  name: 'mock',
  summary: 'a static mock of the service, and a receiver that validates',
  description:
    'Prism serves the contract: every operation answers something valid that never changes, and refuses what the contract does not allow. Beside the API there is an address that takes notifications, and says what is wrong with those that are none. Nothing is stored and nothing is sent.',
  options: mockOptions,
  examples: [
    ['seaworthy mock', 'at port 4010, until Ctrl-C'],
    ['seaworthy mock --port 0', 'at any free port, which is printed'],
  ],
  exitCodes: [
    [0, 'ended by Ctrl-C'],
    [2, 'the command was used wrongly, or the port is taken'],
    [70, 'a bug of seaworthy itself'],
  ],
  run: async (input) => (await import('./run.ts')).runMock(input),
};
