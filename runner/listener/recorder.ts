import { randomBytes } from 'node:crypto';

import type { Counterexample, ReportedCaught, RunEvent } from '../../reports/model/events.ts';
import { curlScript } from '../../reports/curl/curl.ts';
import type { Assumption } from '../../spec/assumptions.ts';
import type { CaughtCheck } from '../../suites/caught/caughtCheck.ts';
import { runFinished, type UntimedEvent } from '../engine/eventStream.ts';
import { requestDigest } from '../engine/journaled.ts';
import { runStarted } from '../engine/runStarted.ts';
import type { Journal } from '../output/journal.ts';
import { kitIdentity } from '../options/packages.ts';
import { reportedBody } from '../output/reportedBody.ts';
import { hiddenEvent, type Secrets } from '../secrets/secrets.ts';
import { describeStep } from '../service/serviceTimeline.ts';
import type { CaughtRecord } from './deliveryStore.ts';
import type { CaughtFinding } from './judge.ts';
import type { Listener } from './listener.ts';

interface RecorderOptions {
  readonly journal: Journal;
  readonly assumptions: readonly Assumption[];
  /** The checks that nothing is asked of. */
  readonly leftOut: readonly CaughtCheck[];
  /** The command that listens again, without secrets. */
  readonly command: string;
  /** What the journal does not hold. */
  readonly secrets: Secrets;
  /** Called once where the journal cannot be written: nothing more is recorded then. */
  readonly onFailure: (error: unknown) => void;
}

/** How a check stands after all that was caught. */
interface Standing {
  cases: number;
  failure?: { readonly finding: CaughtFinding; readonly counterexample: Counterexample };
}

/** Writes what a listener catches as the journal of a run, which `seaworthy report` reads. */
export class Recorder {
  readonly #listener: Listener;
  readonly #options: RecorderOptions;
  readonly #standings = new Map<string, Standing>();
  /** Deliveries that have not ended. */
  readonly #open = new Set<CaughtRecord>();
  readonly #stop: () => void;
  #failed = false;

  constructor(listener: Listener, options: RecorderOptions) {
    this.#listener = listener;
    this.#options = options;
    this.#begin();
    this.#stop = listener.on((moment, record) => {
      if (moment === 'arrived') this.#open.add(record);
      if (moment === 'answered') this.#ended(record);
    });
  }

  /** Ends the run. */
  close(): void {
    this.#stop();
    for (const record of this.#open) this.#ended(record);
    for (const check of this.#listener.checks) this.#finish(check);
    this.#emit(runFinished(undefined, false, this.#listener));
    this.#write(() => this.#options.journal.close());
  }

  #begin(): void {
    const { contract, url, checks } = this.#listener;
    const { assumptions, leftOut, command, journal, secrets } = this.#options;
    const plan = {
      contract,
      assumptions,
      checks,
      leftOut,
      seed: 0,
      intensity: 'standard',
      caughtOnly: true as const,
      strict: false,
      runId: `listen-${randomBytes(4).toString('hex')}`,
      command,
      kit: kitIdentity(),
    };
    this.#write(() => journal.write(hiddenEvent(runStarted(plan, { kind: 'service', address: url }), secrets)));
    for (const { id } of checks) {
      this.#standings.set(id, { cases: 0 });
      this.#emit({ type: 'check.started', check: id });
    }
  }

  #judged(record: CaughtRecord): void {
    const { findings, asked } = record.judgement;
    for (const id of asked) {
      const standing = this.#standings.get(id)!;
      standing.cases += 1;
      const finding = findings.find(({ check }) => check === id);
      if (finding === undefined || standing.failure !== undefined) continue;
      standing.failure = { finding, counterexample: this.#counterexample(record, finding) };
      // What is killed later reports at least this.
      this.#finish(this.#listener.checks.find((check) => check.id === id)!);
    }
  }

  #ended(record: CaughtRecord): void {
    if (!this.#open.delete(record)) return;
    const { caught, event } = record;
    const { method, path, headers, body, bytes, key: id, number, step, end } = caught;
    this.#emit({
      type: 'delivery.caught',
      check: 'control',
      case: record.number,
      endpoint: '',
      id,
      event,
      number,
      bytes: Math.max(bytes, body.length),
      digest: requestDigest(`${method} ${path}`, { headers, body }),
      answered: describeStep(step, end),
    });
    this.#judged(record);
  }

  #finish({ id, noted }: CaughtCheck): void {
    const { cases, failure } = this.#standings.get(id)!;
    const outcome =
      failure === undefined ? (cases > 0 ? 'passed' : 'not-observable') : noted === true ? 'warned' : 'failed';
    this.#emit({
      type: 'check.finished',
      check: id,
      outcome,
      cases,
      durationMs: Math.round(this.#listener.elapsed()),
      ...(outcome === 'not-observable' && { reason: 'no delivery came that would show it' }),
      ...(failure && { counterexample: failure.counterexample }),
    });
  }

  #counterexample(record: CaughtRecord, { requirements, expected, actual, hint }: CaughtFinding): Counterexample {
    const { store } = this.#listener;
    const earlier = store.attempts(record.caught.key).filter(({ number }) => number < record.number);
    return {
      summary: `delivery ${record.number}: ${actual}`,
      requirements,
      seed: 0,
      path: String(record.number),
      expected,
      actual,
      hint,
      exchange: { attempts: [...earlier.slice(-1), record].map((each) => this.#reported(each)) },
      curl: this.#curl(record) ?? this.#options.command,
    };
  }

  /** Shell lines that send it to the listener again. */
  #curl({ caught: { method, path, headers, body } }: CaughtRecord): string | undefined {
    const url = URL.parse(path, this.#listener.url)?.href;
    return url === undefined || body.length > shownBytes
      ? undefined
      : curlScript({ requests: [{ method, url, headers, body }] })?.text;
  }

  #reported({ caught }: CaughtRecord): ReportedCaught {
    const { method, path, headers, body, peer: from, number, step, end, at } = caught;
    const url = URL.parse(path, this.#listener.url)?.href ?? path;
    const shown = reportedBody(body.subarray(0, shownBytes), '', this.#options.secrets);
    const request = { method, url, headers, body: { ...shown, bytes: body.length } };
    return { caught: true, request, from, number, answered: describeStep(step, end), at };
  }

  #emit(event: UntimedEvent): void {
    const { journal, secrets } = this.#options;
    this.#write(() => journal.write({ ...hiddenEvent(event, secrets), ms: this.#listener.elapsed() } as RunEvent));
  }

  #write(write: () => void): void {
    if (this.#failed) return;
    try {
      write();
    } catch (error) {
      this.#failed = true;
      this.#options.onFailure(error);
    }
  }
}

/** Bytes of a body that the journal holds. */
const shownBytes = 64 * 1024;
