import type { RunEvent } from '../../reports/model/events.ts';
import type { Sink } from '../../reports/sink.ts';
import { summarise } from '../../reports/model/summary.ts';
import { createTerminalReporter } from '../../reports/formats/terminal/index.ts';
import { paper } from './paper.ts';

/** All that a terminal reporter writes about a run. */
export async function shown(run: readonly RunEvent[], parts: Partial<Sink> = {}): Promise<string> {
  const sink = paper(parts);
  const reporter = createTerminalReporter(sink, { journal: '.seaworthy/run.ndjson' });
  for (const event of run) reporter.onEvent(event);
  await reporter.end?.(summarise(run));
  return sink.text();
}
