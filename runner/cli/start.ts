import { Secrets } from '../secrets/secrets.ts';
import { explainError } from './explainError.ts';
import { runProgram } from './program.ts';
import { processEnvironment } from './programEnvironment.ts';

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
  const { text, exitCode } = explainError(error);
  programEnvironment.stderr.write(secrets.hide(text));
  return exitCode;
}

quietWarnings();
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.exit(fail(error)));
}

process.exitCode = await runProgram(process.argv.slice(2), programEnvironment, secrets).catch(fail);
