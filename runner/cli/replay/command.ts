import { replayOptions } from '../../options/replayOptions.ts';
import type { Command } from '../command.ts';

/** `seaworthy replay <file>...` */
export const replayCommand: Command = {
  name: 'replay',
  summary: 'try failed cases again that a run has kept',
  description:
    'Tries failed cases of earlier runs again, each from its file, against the receiver or the service as it is now: the positive control, then that very case alone, with fresh ids. Says of each file whether it is FIXED, FAILS still, or CANNOT RUN and why. A file shapes the case and decides nothing else: what runs a command, reads a file, names an address that is not loopback, or gets something secret comes from the command line, the environment or the config of the folder, or from a file that you --trust. No file holds a secret: give --secret (or SEAWORTHY_SECRET) or --token (or SEAWORTHY_TOKEN) again, and any other option to replace the one in the file. A folder stands for all files in it: in CI a folder of them is a regression suite. Files of both kinds may be given; what only one kind knows counts for its files.',
  argument: {
    name: 'file',
    description: 'files that a run wrote about its failures, or folders of them',
    several: true,
  },
  options: replayOptions,
  examples: [
    [
      'seaworthy replay .seaworthy/runs --trust',
      'all failures of all runs so far, with the commands that they were run with',
    ],
    [
      'seaworthy replay test/found --url http://localhost:3000/hooks --start "node receiver.js"',
      'those that you copied into your repository, in CI',
    ],
    [
      'seaworthy replay receiver-crash-acknowledged.json --url http://localhost:3001/hooks --start "PORT=3001 node new.js"',
      'one of them, against another version of the receiver',
    ],
    [
      'seaworthy replay receiver-fuzz-idm-2-1.json --export vitest=test/found/',
      'one as a Vitest test; nothing is sent',
    ],
    [
      'seaworthy replay service-crashes-pending.json --trust --token s3cret',
      'one about a service, started as in the run',
    ],
  ],
  exitCodes: [
    [0, 'every case is fixed, or was exported'],
    [1, 'a case fails still'],
    [2, 'the command was used wrongly, a file holds no saved case, or names what needs --trust'],
    [3, 'none fails, and one cannot be run'],
    [70, 'a bug of seaworthy itself'],
    [130, 'interrupted'],
  ],
  run: async (input) => (await import('./run.ts')).replayCases(input),
};
