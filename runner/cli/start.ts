import { UsageError } from '../errors.ts';
import { Secrets } from '../secrets/secrets.ts';
import { boundHeap } from './boundHeap.ts';
import { explainError } from './explainError.ts';
import { runProgram } from './program.ts';
import { processEnvironment, programOf } from './programEnvironment.ts';

/** About the speed at which a config file is loaded, which is nothing to its user. */
const withheld = new Set(['MODULE_TYPELESS_PACKAGE_JSON']);

/** Lets Node print its warnings as it does, but for those that a user of the program would only wonder about. */
function quietWarnings(): void {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    if (withheld.has(warning.code ?? '')) return;
    for (const listener of listeners) listener(warning);
  });
}

const programEnvironment = processEnvironment();
const secrets = new Secrets();

function fail(error: unknown): number {
  const { text, exitCode } = explainError(error, programOf(programEnvironment));
  programEnvironment.stderr.write(secrets.hide(text));
  return exitCode;
}

boundHeap();
quietWarnings();
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.exit(fail(error)));
}

/** The streams report what they could not write in a later turn of the event loop. */
async function ended(code: number): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  const { unwritten } = programEnvironment;
  return unwritten === undefined || code === 130 ? code : fail(outputUnwritable(unwritten));
}

function outputUnwritable(cause: Error): UsageError {
  return new UsageError(
    'SW_REPORT_WRITE',
    {
      received: `standard output cannot be written: ${cause.message}`,
      valid: 'a terminal, a pipe, or a file on a disk with room',
      next: 'make room, or write the output elsewhere; the journal and the reports in files hold what was seen',
    },
    { cause },
  );
}

process.exitCode = await runProgram(process.argv.slice(2), programEnvironment, secrets).then(ended, fail);
