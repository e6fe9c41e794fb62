import {
  type BodyFiles,
  type ScriptFile,
  bodyFiles,
  bodyKey,
  type CurlOptions,
  curlBody,
  curlCommand,
  loops,
  curlHeaders,
} from './curlCommand.ts';
import type { ReportedHeader } from '../model/events.ts';
import { usedVariables, variableWord } from './shell.ts';

/** A call of an API, to be repeated byte for byte. */
export interface ScriptCall {
  readonly method: string;
  /** The whole address, query included; what comes after the base address where that is in a variable. */
  readonly url: string;
  readonly headers: readonly ReportedHeader[];
  readonly body: Buffer;
}

/** Calls of an API, for a shell script that makes them again. */
export interface CallScriptInput extends CurlOptions {
  /** In the order made. */
  readonly calls: readonly ScriptCall[];
  /**
   * Environment variables that header values name as `$NAME`, so that a key stands in no report: the shell fills them
   * in. Every other `$` is meant as it is.
   */
  readonly variables: readonly string[];
  /** Where a body over 8 KiB goes; a second one gets `-2` before the extension. Without it all bodies stay inline. */
  readonly bodyFile?: string;
}

/**
 * Shell lines for bash and dash, printable ASCII throughout, that make these calls again with curl: the same method,
 * headers and bytes, and none of the headers that curl would add. What {@link callFiles} names must lie beside them.
 *
 * @returns nothing where there is no call, or one whose headers no client sends
 * @example callScript({ calls: [{ method: 'GET', url, headers: [['Authorization', 'Token $KEY']], body }], variables: ['KEY'] })
 */
export function callScript(input: CallScriptInput): string | undefined {
  const files = filesOf(input);
  const blocks = input.calls.map((call) => callBlock(call, input, files));
  if (blocks.length === 0 || !blocks.every((block) => block !== undefined)) return undefined;
  const values = input.calls.flatMap(({ headers }) => headers.map(([, value]) => value));
  const required = usedVariables(values, input.variables).map(
    (name) => `: "\${${name}:?set it to the key of the service}"`,
  );
  const placed = input.base === undefined ? [] : [`: "\${${input.base}:?set it to the base address of the service}"`];
  return [...placed, ...required, ...loops(blocks)].join('\n');
}

/** The files that hold the large bodies of these calls. */
export function callFiles(input: Pick<CallScriptInput, 'calls' | 'bodyFile'>): readonly ScriptFile[] {
  return [...filesOf(input).values()];
}

function filesOf({ calls, bodyFile }: Pick<CallScriptInput, 'calls' | 'bodyFile'>): BodyFiles {
  return bodyFiles(
    calls.map(({ body }) => body),
    bodyFile,
  );
}

function callBlock(call: ScriptCall, input: CallScriptInput, files: BodyFiles): string | undefined {
  const headers = curlHeaders(call, ([name, value]) => variableWord(`${name}: ${value}`, input.variables));
  if (headers === undefined) return undefined;
  const { before, data } = curlBody(call, files.get(bodyKey(call.body))?.path);
  return before + curlCommand(call, input, [...headers, ...data]);
}
