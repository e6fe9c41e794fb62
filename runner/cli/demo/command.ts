import type { Command } from '../command.ts';

/** `seaworthy demo` */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'both suites against what keeps the contract, and what does not',
  description:
    'Starts the reference receiver on this machine, holds it against the contract and prints the report; then does the same with a receiver that has one mistake, to show what a failure looks like. After that both again, with the reference service.',
  options: {},
  examples: [
    [
      'seaworthy demo',
      'four runs, in less than a minute; needs nothing and changes nothing but .seaworthy/ in this directory',
    ],
  ],
  exitCodes: [
    [0, 'what is right conforms, and both mistakes were found'],
    [70, 'it went otherwise: a bug of seaworthy itself'],
    [130, 'interrupted'],
  ],
  tellsSecrets: true,
  run: async (input) => (await import('./run.ts')).playDemo(input),
};
