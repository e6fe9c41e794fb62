import type { BodyFiles, ScriptFile } from './bodyFiles.ts';
import { bodyFiles, bodyKey } from './bodyFiles.ts';
import type { CurlOptions } from './curlCommand.ts';
import { curlBody, curlCommand, loops } from './curlCommand.ts';
import { curlHeaders } from './curlHeaders.ts';
import type { ReportedHeader } from '../model/events.ts';
import type { Resigning, Signing } from './resigning.ts';
import { mustSignAgain, signAgain } from './resigning.ts';
import { printfFormat, shellQuote, withinQuotes } from './shell.ts';
import { usedVariables, variableWord } from './shellVariables.ts';

/** A request to be repeated byte for byte. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly ReportedHeader[];
  readonly body: Buffer;
  /** Anything here says that the request was written by hand, which curl cannot repeat. */
  readonly wire?: unknown;
  /** The address that it is sent from. Default: the system chooses. */
  readonly from?: string;
}

export interface CurlInput extends CurlOptions {
  /** In the order sent. */
  readonly requests: readonly CurlRequest[];
  /** Where a body over 8 KiB goes; a second one gets `-2` before the extension. Without it all bodies stay inline. */
  readonly bodyFile?: string;
  /** How the target's deliveries are signed: schemes with a timestamp sign again, from `$SEAWORTHY_SECRET`. */
  readonly signing?: Signing;
  /**
   * Environment variables that header values and a probe's address name as `$NAME`, so that what is secret stands in no
   * report: the shell fills them in. Every other `$` is meant as it is.
   */
  readonly variables?: readonly string[];
  /** Where the number of effects is the point: the probe (a URL with `{id}`, or a shell command) is asked last. */
  readonly effects?: { readonly probe: string; readonly ids: readonly string[] };
}

export interface CurlScript {
  /** Lines for bash and dash, printable ASCII throughout. */
  readonly text: string;
  /** What must lie beside it. */
  readonly files: readonly ScriptFile[];
}

/**
 * Shell lines that send these requests again with curl: the same method, headers and bytes, and none of the headers
 * that curl would add.
 *
 * @returns nothing where curl cannot show it: a request written by hand, a header that no client sends, or a
 * time-stamped signature that is not the receiver's own and would have become stale
 */
export function curlScript(input: CurlInput): CurlScript | undefined {
  const { requests, effects } = input;
  const files = bodyFiles(
    requests.map(({ body }) => body),
    input.bodyFile,
  );
  const blocks = requests.map((request) => requestBlock(request, input, files));
  if (blocks.length === 0 || !blocks.every((block) => block !== undefined)) return undefined;
  const lines = [...requiredVariables(input), ...loops(blocks), ...(effects ? probeLines(effects, input) : [])];
  return { text: lines.join('\n'), files: [...files.values()] };
}

/** Asks for each variable that the lines name before anything is sent. */
function requiredVariables({ requests, effects, variables = [] }: CurlInput): readonly string[] {
  const headers = requests.flatMap((request) => request.headers);
  const used = usedVariables([...headers.map(([, value]) => value), effects?.probe ?? ''], variables);
  return used.map((name) => {
    const [header] = headers.find(([, value]) => value === `$${name}`) ?? [];
    const what = header === undefined ? 'what the run was given in its place' : `the value of the header ${header}`;
    return `: "\${${name}:?set it to ${what}}"`;
  });
}

function requestBlock(request: CurlRequest, input: CurlInput, files: BodyFiles): string | undefined {
  if (request.wire !== undefined) return undefined;
  const file = files.get(bodyKey(request.body))?.path;
  const decision = mustSignAgain(request, input.signing);
  if (decision === 'impossible') return undefined;
  return decision === 'no' ? plainBlock(request, input, file) : signedBlock(request, input, decision, file);
}

function plainBlock(request: CurlRequest, input: CurlInput, file: string | undefined): string | undefined {
  const headers = curlHeaders(request, wordOf(input));
  if (headers === undefined) return undefined;
  const { before, data } = curlBody(request, file);
  return before + curlCommand(request, input, [...headers, ...data]);
}

function signedBlock(
  request: CurlRequest,
  input: CurlInput,
  how: Resigning,
  file: string | undefined,
): string | undefined {
  const headers = curlHeaders(request, ([name, given]) => {
    const value = how.values.get(name.toLowerCase());
    return value === undefined ? wordOf(input)([name, given]) : `"${withinQuotes(name)}: ${value}"`;
  });
  if (headers === undefined) return undefined;
  const source = file === undefined ? `printf ${printfFormat(request.body)}` : `cat ${shellQuote(file)}`;
  const send = curlCommand(request, input, [...headers, '--data-binary @-']);
  return [`body() { ${source}; }`, ...signAgain(how), `body | ${send}`].join('\n');
}

function wordOf({ variables = [] }: CurlInput): (header: ReportedHeader) => string | undefined {
  return ([name, value]) => variableWord(`${name}: ${value}`, variables);
}

function probeLines(
  { probe, ids }: { readonly probe: string; readonly ids: readonly string[] },
  { variables = [], insecure = false }: CurlInput,
): readonly string[] {
  const wait = 'sleep 1';
  if (/^https?:\/\//.test(probe)) {
    return [
      wait,
      ...ids.map((id) => {
        const address = probe.replaceAll('{id}', encodeURIComponent(id));
        return `curl -sS ${insecure ? '-k ' : ''}${variableWord(address, variables) ?? shellQuote(address)} -w '\\n'`;
      }),
    ];
  }
  const simple = /^[\w./:=@%+, -]+$/.test(probe) ? probe : `sh -c ${shellQuote(probe)}`;
  return [wait, `printf '%s\\n' ${ids.map(shellQuote).join(' ')} | ${simple}`];
}
