import { once } from 'node:events';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { CatchStep, AnswerForm } from '../../suites/exchange.ts';
import type { Attempt } from './attempt.ts';
import { pause } from './readBody.ts';
import type { Header } from '../../suites/delivery.ts';

/** Bytes of a body that never ends, at most; after them it stays open without a further byte. */
const endlessBytes = 64 * 1024 * 1024;
/** Bytes of a body that is made up, written at once. */
const filler = Buffer.alloc(64 * 1024, ' ');

/** An attempt whose request has arrived, and where it is answered. */
export interface Play {
  readonly attempt: Attempt;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Does with an attempt what its step says. Resolves when that is done, or there is nothing more to do. */
export async function playStep(step: CatchStep, play: Play): Promise<void> {
  switch (step.do) {
    case 'respond':
      return respond(step, play);
    case 'hang':
      return hang(step, play);
    case 'reset':
      return reset(step, play);
    case 'close':
      return close(step, play);
    case 'endless':
      return endless(step, play);
    case 'trickle':
      return trickle(step, play);
    case 'slow-read':
      return respond({ do: 'respond', status: step.status }, play);
  }
}

type Step<Do extends CatchStep['do']> = Extract<CatchStep, { do: Do }>;

async function respond(step: Step<'respond'>, { attempt, response }: Play): Promise<void> {
  if (!(await pause(step.delay ?? 0, attempt))) return;
  if (step.form !== undefined) return attempt.answer(step.status, formedAnswer({ ...step, form: step.form }));
  const body = Buffer.from(step.body ?? usualBody(step));
  const padding = Math.max(0, (step.bodyBytes ?? 0) - body.length);
  writeHead(step, response, body.length + padding);
  // Without even an empty body, the head is written at once.
  if (padding === 0) return void response.end(body.length === 0 ? undefined : body);
  response.write(body);
  if (await fill(response, padding, attempt.signal)) response.end();
}

/**
 * A refusal says in its body what it is, as most servers write it: a client that leaves such bodies unread, and so keeps
 * their connections, runs out of them.
 */
function usualBody({ status, bodyBytes }: Step<'respond'>): string {
  return status < 400 || bodyBytes !== undefined ? '' : (STATUS_CODES[status] ?? '');
}

async function hang({ ms }: Step<'hang'>, { attempt }: Play): Promise<void> {
  if (ms !== undefined && (await pause(ms, attempt))) attempt.reset();
}

async function reset({ when }: Step<'reset'>, { attempt, request }: Play): Promise<void> {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 64\r\n\r\n';
  const written = { before: '', during: head.slice(0, head.length / 2), after: head + '.'.repeat(32) }[when];
  if (written === '') return attempt.reset();
  request.socket.write(written, () => attempt.reset());
}

function close({ when }: Step<'close'>, { attempt }: Play): void {
  attempt.close({ before: '', during: 'HTTP/1.1 ', instead: '220 ready\r\n' }[when]);
}

async function endless({ status, ms }: Step<'endless'>, { attempt, response }: Play): Promise<void> {
  writeHead({ status }, response);
  response.flushHeaders();
  const time = pause(ms, attempt);
  const enough = AbortSignal.any([attempt.signal, AbortSignal.timeout(ms)]);
  await fill(response, endlessBytes, enough);
  if (await time) attempt.reset();
}

async function trickle({ status, every, bytes }: Step<'trickle'>, { attempt, response }: Play): Promise<void> {
  writeHead({ status }, response, bytes);
  response.flushHeaders();
  for (let sent = 0; sent < bytes; sent += 1) {
    if (!(await pause(Math.max(1, every), attempt))) return;
    if (!(await fill(response, 1, attempt.signal))) return;
  }
  response.end();
}

/** @param length - of the body; left out: it has none that is known */
function writeHead(step: Pick<Step<'respond'>, 'status' | 'headers'>, response: ServerResponse, length?: number): void {
  const headers = step.headers ?? [];
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const bodiless = step.status < 200 || step.status === 204 || step.status === 304;
  const framing = length === undefined || framed || bodiless ? [] : ['Content-Length', String(length)];
  response.writeHead(step.status, [...headers.flat(), ...framing]);
}

/**
 * Writes spaces, no faster than they are read.
 *
 * @returns false where the signal ended it
 */
async function fill(response: ServerResponse, bytes: number, signal: AbortSignal): Promise<boolean> {
  for (let left = bytes; left > 0 && !signal.aborted; left -= filler.length) {
    if (response.write(filler.subarray(0, left))) continue;
    await once(response, 'drain', { signal }).catch(() => {});
  }
  return !signal.aborted;
}

interface FormedAnswer {
  readonly status: number;
  readonly headers?: readonly Header[];
  readonly body?: string;
  readonly form: AnswerForm;
}

/** An answer as it goes over the wire, in a form that the HTTP server of Node does not write. The connection ends after it. */
function formedAnswer({ status, headers = [], body = '', form }: FormedAnswer): Buffer {
  const bytes = form === 'gzip' ? gzipSync(body) : Buffer.from(body, form === 'Latin-1' ? 'latin1' : 'utf8');
  const version = form === 'HTTP/1.0' ? 'HTTP/1.0' : 'HTTP/1.1';
  const reason = form === 'no reason' ? '' : (STATUS_CODES[status] ?? '');
  const coding: readonly Header[] = form === 'gzip' ? [['Content-Encoding', 'gzip']] : [];
  // In HTTP/1.0 the connection ends after each answer, and the body with it.
  const framing: readonly Header[] =
    form === 'HTTP/1.0'
      ? []
      : [
          ['Content-Length', String(bytes.length)],
          ['Connection', 'close'],
        ];
  const lines = [...headers, ...coding, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${version} ${status} ${reason}\r\n${lines.join('')}\r\n`, 'latin1'), bytes]);
}
