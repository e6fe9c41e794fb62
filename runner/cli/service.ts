import { serviceOptions } from '../options/serviceOptions.ts';
import type { Command } from './command.ts';
import { runExitCodes } from './exitCodes.ts';

/** `seaworthy service <base-url>` */
export const serviceCommand: Command = {
  name: 'service',
  summary: 'hold a service implementation against the contract',
  description:
    'Calls the API of a tracking service, registers webhooks at endpoints of its own, lets things happen, and reports requirement by requirement whether the service keeps the contract: what it accepts and refuses, what it sends, when, how often, and how it is signed.',
  argument: {
    name: 'base-url',
    description: 'the base address, with its version; with --image its path alone (may stand in the config file)',
  },
  options: serviceOptions,
  examples: [
    [
      'seaworthy service http://localhost:4010/v2 --token s3cret --emit http://localhost:4010/emit --trackable MAEU:MAEU123456789 --untrackable MAEU:MAEU123456404',
      'everything that an address can show',
    ],
    ["seaworthy service http://localhost:4010/v2 --only 'CRW-*' --seed 42", 'what creations are refused'],
    [
      "seaworthy service http://localhost:4010/v2 --token s3cret --emit http://localhost:4010/emit --start 'node server.js'",
      'and what is left of its notifications when it is killed and started again',
    ],
    [
      'seaworthy service http://localhost:4010/v2 --learn learned.yaml',
      'and keep what it does where the contract is silent, for seaworthy receiver --assume @learned.yaml',
    ],
  ],
  exitCodes: runExitCodes,
  run: async (input) => (await import('./holdService.ts')).holdService(input),
};
