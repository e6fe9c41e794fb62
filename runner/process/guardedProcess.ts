import { setTimeout as sleep } from 'node:timers/promises';

import type { RunEnd, UntimedEvent } from '../engine/eventStream.ts';
import type { Presence } from './presence.ts';
import { TargetError } from '../errors.ts';
import { type Guarded, Guardian, type GuardianOptions } from './guardian.ts';
import { openSupervisedTarget, type SupervisedTarget, type SupervisedTargetOptions } from './supervisedTarget.ts';
import type { Death, ProcessSpec } from './targetProcess.ts';
import { control } from '../engine/cases.ts';
import type { ProcessChange } from '../../reports/model/events.ts';
import { NotStarted } from '../../suites/processControl.ts';

/** A target under process control, and the guardian that keeps it up. */
export interface GuardedProcess {
  readonly target: SupervisedTarget;
  readonly guardian: Guardian;
}

/** What a guarded process has to know of the run. */
interface GuardedOptions extends Pick<
  SupervisedTargetOptions,
  'url' | 'access' | 'directory' | 'secrets' | 'deadline' | 'elapsed' | 'emit' | 'ask'
> {
  /** `receiver` or `service`, for messages. */
  readonly kind: string;
  readonly presence: Presence;
  /** Aborted when the run ends. */
  readonly ended: AbortSignal;
  /** See {@link GuardianOptions}. */
  readonly lateness?: GuardianOptions['lateness'];
  readonly end: (end: RunEnd) => void;
}

/**
 * Sets a guardian over a target. One with a spec is started by the kit: its process is opened, and nothing is started yet.
 *
 * @throws UsageError where the target cannot be started in this way at all
 */
export async function openGuarded(
  spec: ProcessSpec | undefined,
  options: GuardedOptions,
): Promise<{ readonly guardian: Guardian; readonly targetProcess: GuardedProcess | undefined }> {
  if (spec !== undefined) {
    const targetProcess = await openGuardedProcess(spec, options);
    return { guardian: targetProcess.guardian, targetProcess };
  }
  const { ended, kind, presence, lateness } = options;
  const target = new ReturningTarget({
    presence,
    ended,
    elapsed: () => options.elapsed(),
    emit: (event) => options.emit(event),
    guardian: () => guardian,
  });
  const guardian: Guardian = new Guardian({ target, kind, ended, lateness, end: (end) => options.end(end) });
  return { guardian, targetProcess: undefined };
}

async function openGuardedProcess(spec: ProcessSpec, options: GuardedOptions): Promise<GuardedProcess> {
  const { ended, kind, presence, lateness, url, access, directory, secrets, deadline, ask } = options;
  const target = await openSupervisedTarget(spec, {
    url,
    ...(access && { access }),
    directory,
    secrets,
    signal: ended,
    deadline,
    ...(ask && { ask }),
    elapsed: () => options.elapsed(),
    emit: (event) => options.emit(event),
    onDied: (death) => guardian.died({ how: deathWords(death, target.tail(lastLines, 'last-start')) }),
    suspect: () => guardian.suspect ?? control,
  });
  const guarded: Guarded = {
    reportsDeath: true,
    get running() {
      return target.running;
    },
    ensureUp: (owner) => target.ensureUp(owner),
    look: () => isGone(target, presence, guardian),
  };
  const guardian: Guardian = new Guardian({ target: guarded, kind, ended, lateness, end: (end) => options.end(end) });
  return { target, guardian };
}

/**
 * Waits until the death of a target that takes no connections is known. One that runs and still takes none is as good as
 * dead, and killed.
 */
async function isGone(target: SupervisedTarget, presence: Presence, guardian: Guardian): Promise<boolean> {
  const { deaths } = guardian;
  const isKnown = (): boolean => guardian.deaths > deaths || !target.running;
  if (await presence.reachable()) return false;
  for (let looked = 0; looked < 50 && !isKnown(); looked++) await sleep(20);
  if (isKnown()) return true;
  if (await presence.stillThere()) return false;
  await killed({ target, guardian }, 'ran, and took no connections any more');
  return true;
}

/** Kills a target that is as good as dead, and counts that as its death. @param how - what was wrong, without a subject */
export async function killed({ target, guardian }: GuardedProcess, how: string): Promise<void> {
  await target.controlFor(guardian.suspect ?? control, () => {}).kill();
  guardian.died({ how: `${how}, so that the kit killed it`, hung: true });
}

/** Lines of its output among which is the one that says what a target died of: it may be followed by a dump of an object. */
const lastLines = 400;

/** How runtimes begin the line in which they say what they end of: the name of an error, then what it says of it. */
const named = /^(Uncaught |Unhandled |Exception in |panic: |fatal error: |[\w.:$]*(Error|Exception|Panic)\b(?! code))/;

/** What else stands in such a line. */
const telling = /\b(error|exception|panic|fatal|abort|assert|segmentation|traceback|overflow|killed)/i;

/** How a process ended, in words that go on from `the receiver`. @example 'died with exit code 1, after it wrote: TypeError: x' */
function deathWords({ code, signal }: Death, said: readonly string[]): string {
  const how = signal === null ? `died with exit code ${code}` : `died of the signal ${signal}`;
  const lines = said.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('at '));
  const last = [named, telling, /./].map((form) => lines.findLast((line) => form.test(line))).find(Boolean);
  return last === undefined ? `${how}, and wrote nothing` : `${how}, after it wrote: ${last.slice(0, 200)}`;
}

/** Whether the target runs. One that the kit cannot start ends the run, as one that cannot be reached does. */
export async function startedProcess(
  targetProcess: GuardedProcess | undefined,
  run: Pick<GuardedOptions, 'ended' | 'end'>,
): Promise<boolean> {
  try {
    await targetProcess?.target.start();
    return true;
  } catch (error) {
    if (!(error instanceof TargetError) || run.ended.aborted) throw error;
    run.end(processFailed(error));
    return false;
  }
}

/** The end of a run whose target's process cannot be held. */
export function processFailed({ explanation: { received: reason, next }, code }: TargetError): RunEnd {
  return { reason, advice: `${next.charAt(0).toUpperCase()}${next.slice(1)} (${code}).` };
}

/** Milliseconds in which something else may start a target again, and between two looks whether it did. */
const returnTime = 5_000;

const interval = 50;

/** What has to be known of the run. */
interface ReturningOptions {
  readonly presence: Presence;
  readonly ended: AbortSignal;
  /** Milliseconds of the run. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  guardian(): Guardian;
}

/**
 * A target that the kit did not start. That it is gone is seen from outside, by its port; a supervisor or a person may start
 * it again.
 */
class ReturningTarget implements Guarded {
  readonly reportsDeath = false;
  readonly #options: ReturningOptions;
  #lostAt: number | undefined;

  constructor(options: ReturningOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#lostAt === undefined;
  }

  async ensureUp(): Promise<void> {
    const { presence, ended } = this.#options;
    const lostAt = this.#lostAt;
    if (lostAt === undefined) return;
    while (!ended.aborted) {
      if (await presence.reachable()) return this.#returned(Math.round(this.#options.elapsed() - lostAt));
      if (this.#options.elapsed() - lostAt > returnTime) throw new NotStarted(goneForGood, { byKit: false });
      await sleep(interval, undefined, { signal: ended }).catch(() => undefined);
    }
  }

  async look(): Promise<boolean> {
    const { presence, ended } = this.#options;
    const code = await presence.absence();
    if (code === undefined || ended.aborted || this.#lostAt !== undefined) return false;
    // Only a refusal says that nothing listens; anything else may be a busy target, or a connection lost on the way.
    if (code !== 'ECONNREFUSED' && (await presence.stillThere())) return false;
    this.#lostAt = this.#options.elapsed();
    const how = wordsOf(code);
    this.#report('lost', how);
    this.#options.guardian().died({ how });
    return true;
  }

  #returned(took: number): void {
    this.#lostAt = undefined;
    this.#report('returned', `after ${took} ms`);
  }

  #report(change: ProcessChange, detail: string): void {
    const { check, case: number } = this.#options.guardian().suspect ?? control;
    this.#options.emit({ type: 'life.changed', check, case: number, change, detail });
  }
}

const goneForGood = `did not come back within ${returnTime / 1000} s`;

/** How it went, in words that go on from `the receiver`. */
function wordsOf(code: string): string {
  if (code === 'ECONNREFUSED') return 'went away: connections to it were refused (ECONNREFUSED)';
  if (code === 'TIMED_OUT') return 'stopped taking connections: attempts to connect got no answer';
  return `stopped taking connections (${code})`;
}
