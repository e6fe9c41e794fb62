import { journalLine } from '../../model/journal.ts';
import type { Format } from '../format.ts';

export const journal: Format<never> = {
  summary: 'for the kit itself: every event of the run as it happens, one JSON object a line',
  readers: 'programs',
  file: 'run.ndjson',
  stdout: 'never',
  documents: [],
  /** Every event is written at once, so that a killed run leaves its journal behind. */
  create: (sink) => ({ onEvent: (event) => sink.write(journalLine(event)) }),
};
