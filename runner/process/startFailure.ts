import { NotStarted } from '../../suites/processControl.ts';
import { TargetError, UsageError } from '../errors.ts';
import { type Death, type Kind, NotLaunched } from './targetProcess.ts';

/** How a target did not come up. */
export interface Failure {
  /** It took no connections in time, it ended, or it was not even started. */
  readonly state: 'late' | Death | NotLaunched;
  /** Milliseconds until then. */
  readonly took: number;
  /** The last lines of what it said meanwhile. */
  readonly said: readonly string[];
}

/** The first start failed: nothing can be tested. */
export function startFailed({ name, valid }: Kind, url: URL, failure: Failure): TargetError {
  const refused = failure.state instanceof NotLaunched;
  return new TargetError('SW_START_FAILED', {
    received: failureWords(name, failure),
    valid: `${valid} (${url.href})`,
    next: refused
      ? 'fix what is named above, then run this again; nothing was sent to the target'
      : 'see whether it starts by hand, and whether it listens at that address; nothing was sent to it',
  });
}

/** A later start failed, which says something about the target. */
export function notUpAgain({ name }: Kind, failure: Failure): NotStarted {
  return new NotStarted(failureWords(name, failure));
}

/** Something else listens where the target is to be started. */
export function portTaken({ name }: Kind, url: URL): UsageError {
  return new UsageError('SW_PORT_TAKEN', {
    received: `something takes connections at ${url.href} before ${name} was started`,
    valid: 'a port at which nothing listens, for the kit starts the target itself',
    next: 'end what listens there, or leave the option out to test that instead',
  });
}

/** What answers at the URL is not what was started, or got away from it. */
export function outlived({ name, valid }: Kind, url: URL): TargetError {
  return new TargetError('SW_LIFE_FAILED', {
    received: `${name}: all of its processes have ended, and ${url.href} still takes connections`,
    valid,
    next: 'end what is left there by hand; then start the target itself, in the foreground, not something that asks a service or a container engine to start it (that is --image)',
  });
}

function failureWords(name: string, { state, took, said }: Failure): string {
  const how = `${name}: ${described(state, took)}`;
  if (state instanceof NotLaunched) return how;
  if (said.length === 0) return `${how}, and said nothing`;
  return [`${how}; it said last:`, ...said.map((line) => `    ${line}`)].join('\n');
}

function described(state: Failure['state'], took: number): string {
  if (state instanceof NotLaunched) return `it could not be started: ${state.message}`;
  if (state === 'late') return `it took no connections within ${(took / 1000).toFixed(1)} s`;
  const after = `after ${Math.round(took)} ms, before it took connections`;
  return state.signal === null
    ? `it ended with exit code ${state.code} ${after}`
    : `it was ended by ${state.signal} ${after}`;
}
