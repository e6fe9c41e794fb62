import { streamSink } from '../../reports/streamSink.ts';
import { explainError } from '../../runner/cli/explainError.ts';
import { runProgram } from '../../runner/cli/program.ts';
import type { Ended } from './runCli.ts';

/** Runs a command line in this process: what `runCli` does without a start, which costs more than a wrong use of it does. */
export async function runHere(
  words: readonly string[],
  workingDirectory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const stdout = writing();
  const stderr = writing();
  const { signal } = new AbortController();
  const world = {
    stdout: stdout.sink,
    documents: stdout.sink,
    stderr: stderr.sink,
    environment,
    workingDirectory,
    signal,
  };
  const code = await runProgram(words, world).catch((error: unknown) => {
    const { text, exitCode } = explainError(error);
    stderr.sink.write(text);
    return exitCode;
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function writing() {
  const texts: string[] = [];
  const sink = streamSink({ write: (text) => texts.push(text) }, {});
  return { sink, text: () => texts.join('') };
}
