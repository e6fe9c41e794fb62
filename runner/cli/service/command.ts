import { serviceOptions } from '../../options/serviceOptions.ts';
import { type Command, runExitCodes } from '../command.ts';

/** `seaworthy service <base-url>` */
export const serviceCommand: Command = {
  name: 'service',
  summary: 'test a service implementation against the contract',
  description:
    'Calls the API of a service, registers webhooks at its own endpoints, and raises events. Reports for each requirement of the contract whether it holds: what the service accepts and refuses, what it sends, when, how often, and how it signs.',
  argument: {
    name: 'base-url',
    description: 'the base address, with its version; with --image its path alone (may stand in the config file)',
    mistakenFor: ['--url', '--base-url'],
  },
  options: serviceOptions,
  examples: [
    [
      'seaworthy service http://localhost:4010/v2 --token s3cret --emit http://localhost:4010/emit --trackable MAEU:MAEU123456789 --untrackable MAEU:MAEU123456404',
      'everything that a base address, a key and an event can show',
    ],
    [
      "seaworthy service http://localhost:4010/v2 --only 'CRW-*' --seed 42",
      'which creations are refused, with the cases of an earlier run',
    ],
    [
      "seaworthy service http://localhost:4010/v2 --token s3cret --emit http://localhost:4010/emit --start 'node server.js'",
      'also kills and restarts the service, and checks what became of its notifications',
    ],
    [
      'seaworthy service http://localhost:4010/v2 --learn learned.yaml',
      'saves what the service does where the contract is silent, for seaworthy receiver --assume @learned.yaml',
    ],
  ],
  exitCodes: runExitCodes,
  run: async (input) => (await import('./run.ts')).testService(input),
};
