import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, relative, resolve } from 'node:path';

import { callScript } from '../../reports/curl/callScript.ts';
import {
  isCaught,
  type ReportedAnswer,
  type ReportedAttempt,
  type ReportedBody,
} from '../../reports/model/exchange.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { parseDuration } from '../../spec/duration.ts';
import { parseScheme, signatureHeaderName } from '../../spec/signature.ts';
import { assume } from '../options/assume.ts';
import { kitIdentity } from '../output/kitIdentity.ts';
import { receiverReplayOptions } from '../options/replayOptions.ts';
import type { SavedAttempt, SavedCase } from '../engine/savedCase.ts';
import { textAt } from '../service/textAt.ts';
import { tokenVariable } from '../secrets/standIns.ts';
import { resolveSettings } from '../options/settings.ts';
import { shippedContract } from '../options/shippedContract.ts';
import { fileOptions } from '../replay/trustedOptions.ts';
import { commentLines } from './commentLines.ts';
import { hiddenVariables } from '../replay/filledText.ts';
import { canBeFresh } from './freshIds.ts';
import type { JudgedStatus, Judgement } from './judgeLines.ts';
import { signedAnew } from './signedAnew.ts';
import { pathIn, receiverScript, type ScriptRequest } from './receiverScript.ts';

/** What the shell cannot show, and why: for people. */
export interface NotShown {
  readonly why: string;
}

/**
 * A saved case as a shell script that needs nothing beside curl and openssl.
 *
 * @param secrets - those of the receiver; without them the script sends the very same bytes
 */
export async function curlExport(
  saved: SavedCase,
  workingDirectory: string,
  secrets: readonly string[],
): Promise<string | NotShown> {
  if (saved.beside !== undefined)
    return {
      why: 'it fails only while other sequences are played at the same time, and a script plays one; --export vitest shows the case',
    };
  if (saved.timeline !== undefined)
    return { why: 'a shell kills and pauses nothing here; --export vitest shows the case' };
  const exchanges = saved.sent?.attempts ?? saved.exchange?.attempts ?? [];
  const sent = exchanges.filter((exchange): exchange is SavedAttempt => !isCaught(exchange));
  if (sent.length === 0)
    return {
      why: 'the file holds no request; a case that a search has found does, and --export vitest shows any case',
    };
  if (sent.length < exchanges.length)
    return { why: 'curl hears no deliveries of a service; --export vitest shows the case' };
  if (!sent.every(isHttp)) return { why: 'it holds a request that is not valid HTTP' };
  const lines =
    saved.subject === 'service'
      ? serviceLines(saved, sent, workingDirectory)
      : await receiverLines(saved, sent, workingDirectory, secrets);
  if (lines === undefined) return { why: 'it holds no request that curl can send; --export vitest shows the case' };
  return `${['#!/bin/sh', ...heading(saved, secrets), 'set -u', '', ...lines].join('\n')}\n`;
}

function heading(
  { requirements, title, expected, actual, sequence = [], subject, url }: SavedCase,
  secrets: readonly string[],
) {
  const own =
    subject === 'service'
      ? [`SEAWORTHY_URL says where the service is (when it was found: ${url}), and ${tokenVariable} is its API key.`]
      : [
          `SEAWORTHY_URL says where the receiver is (when it was found: ${url}), SEAWORTHY_SECRET its secret, SEAWORTHY_PROBE how effects are counted (as --probe takes it), and SEAWORTHY_SETTLE how many seconds they may take (10 without it).`,
          ...(secrets.length > 0
            ? []
            : [
                'It sends the same ids each time: the receiver must not have seen them yet. Export it with --secret for fresh ones.',
              ]),
        ];
  const { name, version } = kitIdentity();
  const remark = [
    `${requirements.join(', ')}: ${title}`,
    ...(sequence.length === 0 ? [] : ['', 'The sequence that showed the failure:']),
    ...sequence.map(({ words }, at) => `  ${at + 1}. ${words}`),
    '',
    `Expected: ${expected}`,
    `Seen:     ${actual}`,
    '',
    `Written by ${name} ${version}. Needs curl, and openssl where it signs. Exit code 1: it still fails. 0: it does not, and all that it takes was done. 3: that was not possible, or shows nothing.`,
    ...own,
  ];
  return remark.flatMap((text) => commentLines(text, '#'));
}

function serviceLines(
  { url: found }: SavedCase,
  sent: readonly ReportedAttempt[],
  workingDirectory: string,
): readonly string[] | undefined {
  const base = pathIn(found).replace(/\/$/, '');
  const calls = sent.flatMap(({ request: { method, url, headers, body } }) => {
    const path = pathIn(url);
    if (!path.startsWith(`${base}/`)) return [];
    const bytes = reportedBytes(body, workingDirectory) ?? Buffer.alloc(0);
    return [{ method, url: path.slice(base.length), headers, body: bytes }];
  });
  if (calls.length < sent.length) return undefined;
  const script = callScript({ calls, variables: [tokenVariable], base: 'SEAWORTHY_URL' });
  const ending = ["echo; echo 'CANNOT RUN all of it: this shows the answers; seaworthy replay judges them'", 'exit 3'];
  return script === undefined ? undefined : [script, ...ending];
}

async function receiverLines(
  saved: SavedCase,
  sent: readonly ReportedAttempt[],
  workingDirectory: string,
  secrets: readonly string[],
): Promise<readonly string[] | undefined> {
  const contract = shippedContract();
  const { data } = fileOptions(saved);
  const sources = { commandLine: data, environment: {}, config: [], directory: workingDirectory };
  const settings = resolveSettings(receiverReplayOptions, sources);
  const assumptions = await assume(contract, settings.assume);
  const scheme = parseScheme(assumptionValue(assumptions, 'signature.scheme'));
  const header = signatureHeaderName(scheme, assumptionValue(assumptions, 'signature.header'));
  const requests = sent.map((attempt) => scriptRequest(attempt, workingDirectory));
  const plain = saved.sent && { request: saved.sent.control, answer: unanswered };
  const control = plain && isHttp(plain) ? scriptRequest(plain, workingDirectory) : undefined;
  const effects = (saved.exchange?.effects ?? []).map(({ id, expected, actual }) => {
    return { id: String(id), expected: Number(expected), actual: Number(actual) };
  });
  const signed = sent.some(({ request }) =>
    request.headers.some(([name]) => name.toLowerCase() === header.toLowerCase()),
  );
  const ids = idsOf([...(control ? [control] : []), ...requests], contract);
  const canSign = !signed || secrets.length > 0;
  // A forgery that was made of its own bytes is sent as it is: no receiver accepts it because it knows the id.
  const isForged =
    saved.cause === 'accepted' &&
    scheme.layout === 'body' &&
    requests.some(
      ({ headers, body }) => body && signedAnew({ headers, body }, { scheme, header, secrets }) === 'stale',
    );
  const accepting = contract.delivery.acceptedStatuses;
  return receiverScript({
    control,
    requests,
    ids: canSign && !isForged && ids.every(canBeFresh) ? ids : [],
    mayBeKnown: isForged,
    signing: { scheme, header, secrets },
    variables: hiddenVariables(saved),
    tries: triesOf(saved),
    judgement:
      effects.length > 0
        ? { kind: 'effects', effects, control: control && idsOf([control], contract)[0] }
        : answerJudgement(saved, requests.at(-1)?.status, accepting),
    accepting,
    isAll: saved.sent !== undefined,
    timeout: settings.timeout ?? parseDuration(assumptionValue(assumptions, 'delivery.timeout')),
  });
}

const unanswered: ReportedAnswer = { kind: 'timed-out', ms: 0 };

/** How often it is tried: one that depends on chance, or on what happens at the same moment, several times. */
function triesOf({ rate, sent }: SavedCase): number {
  if (sent?.attempts.some(({ moment }) => moment !== undefined)) return 10;
  return rate !== undefined && rate.failed < rate.tries ? 5 : 1;
}

/** What the last answer shows, by the cause of the failure. @param status - of the last answer when it was found */
function answerJudgement(
  { cause = '' }: SavedCase,
  status: number | undefined,
  accepting: readonly number[],
): Judgement {
  const accepted = accepting.join(' | ');
  const owed = [right(accepted), wrong('*')];
  const judgements: Readonly<Record<string, readonly JudgedStatus[]>> = {
    accepted: [wrong(accepted), right('[1-9]??')],
    failed: [right('4?? | 501 | 503 | 505'), wrong('[1-9]??')],
    refused: owed,
    unanswered: owed,
    gone: owed,
  };
  const seen = status === undefined ? [] : [wrong(String(status))];
  return { kind: 'answer', statuses: Object.hasOwn(judgements, cause) ? (judgements[cause] ?? []) : seen };
}

function right(pattern: string): JudgedStatus {
  return { pattern, isRight: true };
}

function wrong(pattern: string): JudgedStatus {
  return { pattern, isRight: false };
}

function idsOf(requests: readonly ScriptRequest[], { delivery: { members } }: Contract): readonly string[] {
  const found = requests.map(({ body }) => (body === undefined ? '' : textAt(body, members.id)));
  return [...new Set(found.filter((id) => id !== ''))];
}

function scriptRequest({ request, answer, ...how }: SavedAttempt, workingDirectory: string): ScriptRequest {
  const { method, url, headers, wire } = request;
  const whole = wire === undefined || isWhole(wire);
  const bytes = whole ? reportedBytes(request.body, workingDirectory) : undefined;
  return {
    method,
    url,
    headers,
    body: bytes,
    answered: answerWords(answer),
    ...(answer.kind === 'answered' && { status: Number(answer.status) }),
    ...(wire?.some((line) => !atOnce.test(line)) && { paced: true }),
    ...(wire !== undefined && !whole && { remark: `written by hand: ${wire.join(', ')}` }),
    ...(typeof how.from === 'string' && isIP(how.from) > 0 && { from: how.from }),
    ...(Number.isInteger(how.waited) && { waited: Number(how.waited) }),
    ...(Number.isInteger(how.moment) && { moment: Number(how.moment) }),
    ...(whole && bytes === undefined && { remark: `its body of ${request.body.bytes} bytes was not kept` }),
  };
}

/** Whether it is what a program can have sent: a file may hold anything, and curl takes some of it for options and for files. */
function isHttp({ request }: ReportedAttempt): boolean {
  const { method, url, headers } = request;
  return (
    /^[\w-]+$/.test(method) &&
    /^https?:\/\/[!-~]+$/i.test(url) &&
    URL.canParse(url) &&
    headers.flat().every((text) => typeof text === 'string')
  );
}

/** What a plain request does, and what takes time only. */
const atOnce = /^send the headers with a content length$|^send the body$/;
const waiting = /^send nothing (?:for|until) |^wait until all copies /;
const part = /^send the body from ([\d.]+%) to ([\d.]+%)$/;

/** Whether what was written by hand is a whole request all the same: with pauses, or with a body that came in parts. */
function isWhole(wire: readonly string[]): boolean {
  const parts = wire.flatMap((line) => (line === 'send the body' ? [['', '0%', '100%']] : [part.exec(line) ?? []]));
  const sent = parts.filter(({ length }) => length > 0);
  const isComplete = sent.at(-1)?.[2] === '100%' && sent.every(([, from], at) => from === (sent[at - 1]?.[2] ?? '0%'));
  return isComplete && wire.every((line) => atOnce.test(line) || waiting.test(line) || part.test(line));
}

function answerWords(answer: ReportedAnswer): string {
  if (answer.kind === 'answered') return String(Number(answer.status));
  return answer.kind === 'broken' ? 'the connection broke' : 'no answer in time';
}

/**
 * The bytes of a body that a report tells of; nothing where they are too many, and not in their file any more. Of files, a
 * report may name those below the working directory.
 */
function reportedBytes(body: ReportedBody, workingDirectory: string): Buffer | undefined {
  const candidates = [
    () => (body.text === undefined ? undefined : Buffer.from(body.text)),
    () => (body.base64 === undefined ? undefined : Buffer.from(body.base64, 'base64')),
    () => (body.file === undefined ? undefined : readBelow(workingDirectory, body.file)),
  ];
  return candidates.map(readOrNothing).find((bytes) => bytes !== undefined && isBody(bytes, body));
}

function readBelow(folder: string, file: string): Buffer | undefined {
  const path = resolve(folder, file);
  const inside = relative(folder, path);
  const isBelow = !isAbsolute(inside) && !inside.split(/[\\/]/).includes('..');
  return isBelow && statSync(path).isFile() ? readFileSync(path) : undefined;
}

function readOrNothing(read: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isBody(bytes: Buffer, { sha256 }: ReportedBody): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256;
}
