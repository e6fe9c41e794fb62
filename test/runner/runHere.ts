import { streamSink } from '../../reports/sink.ts';
import { explainError } from '../../runner/cli/explainError.ts';
import { runProgram } from '../../runner/cli/program.ts';
import { Secrets } from '../../runner/secrets/secrets.ts';
import type { Ended } from './runCli.ts';

/**
 * Runs a command line in this process: what `runCli` does without a start, which costs more than a wrong use of it does.
 *
 * @param onOutput - called with all of standard output whenever it has grown, and with what ends the command as Ctrl-C does
 */
export async function runHere(
  words: readonly string[],
  workingDirectory: string,
  environment: Readonly<Record<string, string>> = {},
  onOutput?: (stdout: string, end: () => void) => void,
): Promise<Ended> {
  const ending = new AbortController();
  const stdout = writing((text) => onOutput?.(text, () => ending.abort()));
  const stderr = writing();
  const { signal } = ending;
  const world = {
    stdout: stdout.sink,
    documents: stdout.sink,
    stderr: stderr.sink,
    environment,
    workingDirectory,
    signal,
  };
  const secrets = new Secrets();
  const code = await runProgram(words, world, secrets).catch((error: unknown) => {
    const { text, exitCode } = explainError(error);
    stderr.sink.write(secrets.hide(text));
    return exitCode;
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function writing(onText?: (text: string) => void) {
  let written = '';
  const write = (text: string): void => {
    written += text;
    onText?.(written);
  };
  return { sink: streamSink({ write }, {}), text: () => written };
}
