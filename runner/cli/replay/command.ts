import { replayOptions } from '../../options/replayOptions.ts';
import type { Command } from '../command.ts';

/** `seaworthy replay <file>...` */
export const replayCommand: Command = {
  name: 'replay',
  summary: 'try saved failures of earlier runs again',
  description:
    'Tries saved failures of earlier runs again, each from its file, against the receiver or the service as it is now: first the positive control, then exactly that case, with fresh ids. Reports for each file whether it is FIXED, FAILS, or CANNOT RUN and why. A file only shapes the case: anything that runs a command, reads a file, names an address that is not loopback, or receives a secret has to come from the command line, the environment or the config of the folder, or from a file that you --trust. No file holds a secret: pass --secret (or SEAWORTHY_SECRET) or --token (or SEAWORTHY_TOKEN) again. Any other option replaces the one in the file. A folder stands for all files in it, so in CI a folder of them is a regression suite. You can mix files about receivers and services; an option that only one kind knows applies to its files.',
  argument: {
    name: 'file',
    description: 'files of saved failures, or folders of them',
    several: true,
  },
  options: replayOptions,
  examples: [
    ['seaworthy replay .seaworthy/runs --trust', 'all failures of all runs so far, with the commands of those runs'],
    [
      'seaworthy replay test/found --url http://localhost:3000/hooks --start "node receiver.js"',
      'failures that you copied into your repository, in CI',
    ],
    [
      'seaworthy replay receiver-crash-acknowledged.json --url http://localhost:3001/hooks --start "PORT=3001 node new.js"',
      'one failure, against another version of the receiver',
    ],
    [
      'seaworthy replay receiver-fuzz-idm-2-1.json --export vitest=test/found/',
      'writes one failure as a Vitest test; sends nothing',
    ],
    [
      'seaworthy replay service-crashes-pending.json --trust --token s3cret',
      'one failure of a service, which is started as in the run',
    ],
  ],
  exitCodes: [
    [0, 'every case is fixed, or was exported'],
    [1, 'a case still fails'],
    [2, 'the command was used wrongly, a file holds no saved case, or names what needs --trust'],
    [3, 'none fails, and one cannot be run'],
    [70, 'a bug of seaworthy itself'],
    [130, 'interrupted'],
  ],
  run: async (input) => (await import('./run.ts')).replayCases(input),
};
