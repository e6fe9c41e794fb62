import type { RunEvent } from '../../reports/model/events.ts';
import type { Reporter } from '../../reports/formats/format.ts';
import { createSummary } from '../../reports/model/summary.ts';
import { described, SeaworthyError } from '../errors.ts';
import { hiddenEvent, Secrets } from '../secrets/secrets.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** A reporter and what it is called where it fails. */
export interface NamedReporter {
  readonly name: string;
  readonly reporter: Reporter;
}

/**
 * Feeds every event of a run to every reporter, in their order (the journal first), then the summary. A reporter that
 * throws is left out from then on, and its error becomes an event that all others hear; the run goes on.
 *
 * @param secrets - what errors of reporters may not show; the events of a run show none
 * @throws what the run throws before its first event, and every UsageError, TargetError or KitError
 * @example
 * const reporter = createReporter('terminal', streamSink(process.stdout));
 * const { verdict } = await reportRun(runReceiver(plan), [{ name: 'terminal', reporter }]);
 */
export async function reportRun(
  events: AsyncIterable<RunEvent>,
  reporters: readonly NamedReporter[],
  secrets = new Secrets(),
): Promise<RunSummary> {
  const audience = new Audience(reporters, secrets);
  let begun = false;
  try {
    for await (const event of events) {
      audience.tell(event);
      begun = true;
    }
  } catch (error) {
    if (!begun || error instanceof SeaworthyError) {
      audience.leave();
      throw error;
    }
    audience.tellOfError('engine', error);
  }
  return await audience.end();
}

/** Those that still listen to a run. */
class Audience {
  readonly #listeners: Set<NamedReporter>;
  readonly #secrets: Secrets;
  readonly #summary = createSummary();
  #ms = 0;

  constructor(listeners: readonly NamedReporter[], secrets: Secrets) {
    this.#secrets = secrets;
    this.#listeners = new Set(listeners);
  }

  tell(event: RunEvent): void {
    if ('ms' in event) this.#ms = Math.max(this.#ms, event.ms);
    this.#summary.add(event);
    for (const listener of this.#listeners) {
      try {
        listener.reporter.onEvent(event);
      } catch (error) {
        this.#dismiss(listener, error);
      }
    }
  }

  tellOfError(where: string, error: unknown): void {
    const event = { type: 'kit.errored', ms: this.#ms, where, ...described(error) } as const;
    this.tell(hiddenEvent(event, this.#secrets));
  }

  /** The journal comes first and ends last: it holds what goes wrong in the others' ends. */
  async end(): Promise<RunSummary> {
    for (const listener of [...this.#listeners].toReversed()) {
      try {
        await listener.reporter.end?.(this.#summary.summary());
      } catch (error) {
        this.#dismiss(listener, error);
      }
    }
    return this.#summary.summary();
  }

  /** Without a report. */
  leave(): void {
    for (const { reporter } of this.#listeners) reporter.leave?.();
  }

  #dismiss(listener: NamedReporter, error: unknown): void {
    this.#listeners.delete(listener);
    this.tellOfError(`reporter ${listener.name}`, error);
  }
}
