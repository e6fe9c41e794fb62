import type { Command } from './command.ts';

/** `seaworthy demo` */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'the receiver suite against a right receiver and a wrong one',
  description:
    'Starts the reference receiver on this machine, holds it against the contract and prints the report; then does the same with a receiver that has one mistake, to show what a failure looks like.',
  options: {},
  examples: [['seaworthy demo', 'both runs; needs nothing and changes nothing but .seaworthy/ in this directory']],
  exitCodes: [
    [0, 'the right receiver conforms, and the mistake was found'],
    [70, 'it went otherwise: a bug of seaworthy itself'],
    [130, 'interrupted'],
  ],
  run: async (input) => (await import('./playDemo.ts')).playDemo(input),
};
