import { isIdSigned, type Signing } from '../../reports/curl/resigning.ts';
import { callScript } from '../../reports/curl/callScript.ts';
import { isCaught, type ReportedAnswer, type ReportedAttempt } from '../../reports/model/exchange.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { isShippedContract } from '../../spec/shippedContracts.ts';
import { parseDuration } from '../../spec/units.ts';
import { runScheme, hasTimestamp } from '../../spec/signature.ts';
import { assume } from '../options/assume.ts';
import { kitIdentity } from '../options/packages.ts';
import { receiverReplayOptions } from '../options/replayOptions.ts';
import type { SavedAttempt, SavedCase } from '../engine/savedCase.ts';
import { textAt } from '../service/located.ts';
import { tokenVariable } from '../secrets/standIns.ts';
import { resolveSettings } from '../options/settings.ts';
import { openContract } from '../options/openContract.ts';
import { fileOptions } from '../replay/trustedOptions.ts';
import { commentLines } from './commentLines.ts';
import { hiddenVariables } from '../replay/replaySaved.ts';
import { canBeFresh, reportedBytes, scriptRequest, type ScriptRequest } from './scriptRequest.ts';
import { type JudgedStatus, type Judgement, statusPattern } from './judgeLines.ts';
import { signedAnew } from './signedAnew.ts';
import { pathIn, receiverScript, type ReceiverScriptInput } from './receiverScript.ts';
import { headerValue } from '../../spec/headerText.ts';

/** What the shell cannot show, and why: for people. */
export interface NotShown {
  readonly why: string;
}

/**
 * A saved case as a shell script that needs nothing beside curl and openssl.
 *
 * @param secrets - those of the receiver; without them the script sends the very same bytes
 * @param contract - that of the case. Default: the one that the case names, if it ships with the kit
 */
export async function curlExport(
  saved: SavedCase,
  workingDirectory: string,
  secrets: readonly string[],
  contract?: Contract,
): Promise<string | NotShown> {
  const [named] = saved.options['contract'] ?? [];
  if (contract === undefined && named !== undefined && !isShippedContract(named))
    return { why: `its contract ${named} is a file of yours: name it with --contract, or trust the case with --trust` };
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
  const input =
    saved.subject === 'service' ? undefined : await scriptInput(saved, sent, { workingDirectory, secrets, contract });
  const lines = input ? receiverScript(input) : serviceLines(saved, sent, workingDirectory);
  if (lines === undefined) return { why: 'it holds no request that curl can send; --export vitest shows the case' };
  return `${['#!/bin/sh', ...heading(saved, input), 'set -u', '', ...lines].join('\n')}\n`;
}

function heading(
  { requirements, title, expected, actual, sequence = [], url }: SavedCase,
  input: ReceiverScriptInput | undefined,
) {
  const own =
    input === undefined
      ? [`SEAWORTHY_URL says where the service is (when it was found: ${url}), and ${tokenVariable} is its API key.`]
      : [
          `SEAWORTHY_URL says where the receiver is (when it was found: ${url}), SEAWORTHY_SECRET its secret, SEAWORTHY_PROBE how effects are counted (as --probe takes it), and SEAWORTHY_SETTLE how many seconds they may take (10 without it).`,
          ...(input.ids.length > 0 || input.mayBeKnown
            ? []
            : [
                `It sends the same ids each time: the receiver must not have seen them yet.${input.signing.secrets.length > 0 ? '' : ' Export it with --secret for fresh ones.'}`,
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

interface Given {
  readonly workingDirectory: string;
  readonly secrets: readonly string[];
  readonly contract: Contract | undefined;
}

async function scriptInput(
  saved: SavedCase,
  sent: readonly ReportedAttempt[],
  given: Given,
): Promise<ReceiverScriptInput> {
  const { workingDirectory } = given;
  const { contract, signing, timeout } = await termsOf(saved, given);
  const requests = sent.map((attempt) => scriptRequest(attempt, workingDirectory));
  const plain = saved.sent && { request: saved.sent.control, answer: unanswered };
  const control = plain && isHttp(plain) ? scriptRequest(plain, workingDirectory) : undefined;
  const ids = idsOf([...(control ? [control] : []), ...requests], contract);
  const accepting = contract.delivery.acceptedStatuses;
  return {
    control,
    requests,
    idForm: contract.delivery.id?.form ?? 'uuid',
    ...freshIdsOf(ids, requests, { saved, contract, signing }),
    signing,
    variables: hiddenVariables(saved),
    tries: triesOf(saved),
    judgement:
      effectJudgement(saved, control && idsOf([control], contract)[0]) ??
      answerJudgement(saved, requests.at(-1)?.status, accepting),
    accepting,
    isAll: saved.sent !== undefined,
    timeout,
  };
}

/** The ids that get fresh ones: all of them or none. */
function freshIdsOf(
  ids: readonly string[],
  requests: readonly ScriptRequest[],
  { saved, contract, signing }: { readonly saved: SavedCase; readonly contract: Contract; readonly signing: Signing },
): Pick<ReceiverScriptInput, 'ids' | 'mayBeKnown'> {
  const signed = requests.flatMap(({ headers, body }) => (body === undefined ? [] : [{ headers, body }]));
  const covering = signed.filter((request) => ids.some((id) => isIdSigned(request, signing, id)));
  const isSigned = covering.some((request) => headerValue(request.headers, signing.header) !== undefined);
  // A forgery that was made of its own bytes is sent as it is: no receiver accepts it because it knows the id.
  const isForged =
    saved.cause === 'accepted' &&
    !hasTimestamp(signing.scheme) &&
    (ids.length === 0 ? signed : covering).some((request) => signedAnew(request, signing) === 'stale');
  const canSign = !isSigned || signing.secrets.length > 0;
  const canChange = canSign && !isForged && canBeFresh(ids, contract.delivery.id?.form ?? 'uuid');
  return { ids: canChange ? ids : [], mayBeKnown: isForged };
}

/** How deliveries are signed, and how long their answers may take. */
async function termsOf(saved: SavedCase, { workingDirectory, secrets, contract: known }: Given) {
  const { data } = fileOptions(saved);
  const sources = { commandLine: data, environment: {}, config: [], directory: workingDirectory };
  const settings = resolveSettings(receiverReplayOptions, sources);
  const contract = known ?? openContract(settings);
  const assumptions = assume(contract, settings.assume);
  const { scheme, header } = runScheme(contract, assumptions);
  const timeout = settings.timeout ?? parseDuration(assumptionValue(assumptions, 'delivery.timeout'));
  return { contract, signing: { scheme, header, secrets }, timeout };
}

const unanswered: ReportedAnswer = { kind: 'timed-out', ms: 0 };

/** How often it is tried: one that depends on chance, or on what happens at the same moment, several times. */
function triesOf({ rate, sent }: SavedCase): number {
  if (sent?.attempts.some(({ moment }) => moment !== undefined)) return 10;
  return rate !== undefined && rate.failed < rate.tries ? 5 : 1;
}

/** What the effects show; nothing where they are not the point. @param control - its id */
function effectJudgement({ exchange }: SavedCase, control: string | undefined): Judgement | undefined {
  const effects = (exchange?.effects ?? []).map(({ id, expected, actual }) => {
    return { id: String(id), expected: Number(expected), actual: Number(actual) };
  });
  return effects.length > 0 ? { kind: 'effects', effects, control } : undefined;
}

/** What the last answer shows, by the cause of the failure. @param status - of the last answer when it was found */
function answerJudgement(
  { cause = '' }: SavedCase,
  status: number | undefined,
  accepting: readonly number[],
): Judgement {
  const accepted = statusPattern(accepting);
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

function idsOf(requests: readonly ScriptRequest[], { delivery: { id } }: Contract): readonly string[] {
  const found = requests.map(({ headers, body }) => (body === undefined ? '' : textAt({ headers, body }, id?.at)));
  return [...new Set(found.filter((id) => id !== ''))];
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
