import { type ProcessControl, type Variables, NotStarted } from '../../suites/processControl.ts';
import { freePort } from '../catcher/freePort.ts';
import { UsageError, TargetError } from '../errors.ts';
import type { Access } from '../http/access.ts';
import { maskedAddress } from '../http/openAddress.ts';
import type { Secrets } from '../secrets/secrets.ts';

/**
 * What is different about a target that is a command and one that is a container. When to do what, and what it means that
 * something did not happen, is the same for both: {@link import('./controlledProcess.ts').HeldLife}.
 */
export interface Kind {
  /** The option that it was given by, for messages: `--start node server.js`. */
  readonly name: string;
  /** What a target of this kind has to be, for messages. */
  readonly valid: string;
  /**
   * Starts it, and does not wait until it is up. Called again only when the start before has ended.
   *
   * @param variables - of its environment, for this start only
   * @throws NotLaunched where that is refused
   */
  launch(variables?: Variables): Promise<Start>;
  /** Whether the target itself, and not what stands before it, takes connections now. */
  isUp(url: URL, access?: Access): Promise<boolean>;
  /** Removes all that is left of it. Called once, when no start is left. */
  discard(): Promise<void>;
}

/** One start of a target, from its first process to its last. */
export interface Start {
  /** Resolves once nothing of it is left and its output was read. Never rejects. */
  readonly ended: Promise<Death>;
  /**
   * Kills all of it, without waiting for anything before, and resolves once nothing is left.
   *
   * @throws TargetError where something cannot be killed
   */
  kill(): Promise<void>;
  /** Asks it to end, also where it is paused, and does not wait until it has. */
  terminate(): Promise<void>;
  /** Freezes all of it, and waits until it stands still. */
  pause(): Promise<void>;
  /** Lets all of it go on. */
  resume(): Promise<void>;
}

/** Thrown where not even a first process could be started; the message says what the system or the engine said. */
export class NotLaunched extends Error {
  override readonly name = 'NotLaunched';
}

/** How a target is started: by a shell command, or from an image of the local container engine. */
export type ProcessSpec = CommandSpec | ContainerSpec;

/** `--start <command>` */
export interface CommandSpec {
  readonly kind: 'command';
  /** A shell command that goes on as long as the target runs. */
  readonly command: string;
  /** The same as it is shown, without secrets. Default: as it is. */
  readonly shown?: string;
  /**
   * What it prints on standard output once it is up. Where the pattern has a group `port`, that is where it listens from then
   * on: the port of {@link ProcessOptions.url} becomes it, at each start. Default: it is up where it takes connections.
   */
  readonly wait?: RegExp;
  /** Added to the environment of the user's shell. */
  readonly env: Readonly<Record<string, string>>;
}

/** `--image <ref> --port <n>` */
export interface ContainerSpec {
  readonly kind: 'container';
  readonly image: string;
  /** The port that it listens on inside; the port of {@link ProcessOptions.url} leads to it. */
  readonly port: number;
  /** The environment of the container. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a target ended: its exit code, or the signal that ended it. */
export interface Death {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What is needed beside the spec. */
export interface ProcessOptions {
  /** Where the target takes connections once it is up. */
  readonly url: URL;
  /** How it may be connected to there. */
  readonly access?: Access;
  /** Where its output is kept: a file, made with its folder when the target first says something. */
  readonly outputFile: string;
  /** What is left out of its output. Default: nothing. */
  readonly secrets?: Secrets;
  /** Milliseconds that it may take to come up. Default 60 000. */
  readonly startTime?: number;
  /** Milliseconds (`left`) until the run has to be at its end: its first start is not awaited for longer. Default: any number. */
  readonly deadline?: { readonly left: number };
  /** Milliseconds that it may take to end after SIGTERM, see {@link import('./stopGrace.ts').StopGrace}. Default 15 000. */
  readonly stopTime?: number;
  /** Called when it ended although nobody asked for it. */
  readonly onDeath?: (death: Death) => void;
  /** Where it is aborted, waiting for the target ends. */
  readonly signal?: AbortSignal;
}

/**
 * A target that is under process control. Every kind of target passes the same suite of tests.
 *
 * All methods wait until what they ask for has come true. They may be called in any order and one at a time: what is
 * true already is no error (a kill of what has ended, a resume of what runs).
 */
export interface TargetProcess extends ProcessControl {
  readonly state: 'running' | 'paused' | 'ended';
  /**
   * The last lines of its output, both streams together, at most this many.
   *
   * @param of - `last-start`: without what it wrote before it was started last
   */
  tail(lines: number, of?: 'last-start'): readonly string[];
  /** The file with all of its output; nothing where it said nothing. */
  readonly outputFile: string | undefined;
  /** To be called before the first start. @throws UsageError where something else listens at the URL */
  requireFree(): Promise<void>;
  /** Ends it for good, and leaves no process and no container. Safe to call twice, and in any state. */
  close(): Promise<void>;
}

/** Where a container is reached: on this machine only, at a port that nothing else uses. */
const host = '127.0.0.1';

/** Where a command is reached that says itself at which port it listens: at any of this machine's addresses. */
const named = 'localhost';

/**
 * The address of a target. A container has none before it is started, so that the user gives a path only, and the rest is
 * chosen here; any other target's address stays as it is.
 *
 * A command that prints its port has one once it runs: until then the port is 0.
 *
 * @param text - what the user gave as the address: a URL, or the path with `--image`
 * @throws UsageError where the target is a container and the text is no path
 */
export async function processAddress(text: string, targetProcess: ProcessSpec | undefined): Promise<string> {
  if (targetProcess?.kind === 'command' && printsPort(targetProcess) && text.startsWith('/'))
    return `http://${named}:0${text}`;
  if (targetProcess?.kind !== 'container') return text;
  if (!text.startsWith('/')) throw noPath(text);
  return `http://${host}:${await freePort(host, new Set())}${text}`;
}

function printsPort({ wait }: CommandSpec): boolean {
  return wait?.source.includes('(?<port>') === true;
}

function noPath(text: string): UsageError {
  const path = URL.parse(text)?.pathname;
  return new UsageError('SW_URL_INVALID', {
    received: `"${maskedAddress(text)}" was given as the address of a target that is started with --image`,
    valid: 'the path alone, such as /hooks: the kit chooses the port at which it reaches the container',
    next: path === undefined ? 'give the path' : `did you mean ${path}?`,
  });
}

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
