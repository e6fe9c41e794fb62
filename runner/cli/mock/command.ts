import { listenOptions, sharedOptions } from '../../options/sharedOptions.ts';
import type { Command } from '../command.ts';

const { contract, openapi } = sharedOptions;

/** What `seaworthy mock` takes. */
export const mockOptions = { ...listenOptions(4010), contract, openapi } as const;

/** `seaworthy mock` */
export const mockCommand: Command = {
  name: 'mock',
  summary: 'a static mock of the service, and a receiver that validates',
  description:
    'Serves the contract with Prism: every operation gives a valid answer that never changes, and refuses what the contract does not allow. Another address accepts notifications, and says what is wrong with invalid ones. Nothing is stored and nothing is sent.',
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
