import type { Command } from '../command.ts';

/** `seaworthy demo` */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'run both suites against the reference implementations, with and without a mistake',
  description:
    'Starts the reference receiver on this machine, tests it and prints the report. Then tests a receiver with one mistake, to show what a failure looks like. Then does the same with a receiver that it kills and restarts, and with the reference service.',
  options: {},
  examples: [
    [
      'seaworthy demo',
      'six runs, in about two minutes; needs no network and writes only to .seaworthy/ in this directory',
    ],
  ],
  exitCodes: [
    [0, 'nothing is broken in the implementations without a mistake, and every mistake was found'],
    [70, 'another result: a bug of seaworthy itself'],
    [130, 'interrupted'],
  ],
  tellsSecrets: true,
  run: async (input) => (await import('./run.ts')).playDemo(input),
};
