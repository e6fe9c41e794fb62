import { fuzzOptions } from '../../options/fuzzOptions.ts';
import type { Command } from '../command.ts';

/** `seaworthy fuzz <url>` */
export const fuzzCommand: Command = {
  name: 'fuzz',
  summary: 'search for sequences that break a receiver or a service',
  description:
    'Searches for failures that no check foresees, until its budget ends. It generates sequences of deliveries (and redeliveries, forgeries, broken connections, kills) to a receiver, or of calls, events and answers to a service, and compares the result of each with what a correct target would do. A failure is shrunk to the fewest steps that show it, tried again, reported, and saved in a file for seaworthy replay. A search that finds nothing proves nothing.',
  argument: {
    name: 'url',
    description:
      'where the receiver takes notifications (may stand in the config file); --service names a service instead',
    mistakenFor: ['--url'],
  },
  ifMore: 'fuzz a receiver with seaworthy fuzz <url>, and a service with seaworthy fuzz --service <base-url>',
  options: fuzzOptions,
  examples: [
    [
      "seaworthy fuzz http://localhost:3000/hooks --secret s3cret --probe 'http://localhost:3000/effects/{id}'",
      'fuzzes a receiver for a minute',
    ],
    [
      "seaworthy fuzz http://localhost:3000/hooks --secret s3cret --probe ./count.sh --start 'node receiver.js' --time 10m",
      'also through kills, pauses and restarts',
    ],
    [
      'seaworthy fuzz --service http://localhost:4010/v2 --token s3cret --emit http://localhost:4010/emit --until-failure',
      'fuzzes a service until it finds a failure',
    ],
    [
      'seaworthy fuzz http://localhost:3000/hooks --runs 2000 --seed 42 --export vitest=test/found/',
      'tries 2000 sequences, and writes each failure as a Vitest test',
    ],
  ],
  exitCodes: [
    [0, 'at least one sequence was tried, and no MUST was found broken'],
    [1, 'a MUST was found broken (or a SHOULD, under --strict)'],
    [2, 'the command was used wrongly'],
    [3, 'it could not be tested: unreachable, lost, unreadable, or nothing observable'],
    [70, 'a bug of seaworthy itself'],
    [130, 'interrupted; the reports of what was found are complete'],
  ],
  run: async (input) => (await import('./run.ts')).searchTarget(input),
};
