import { Secrets } from '../secrets/secrets.ts';
import { explainError } from './explainError.ts';
import { runProgram } from './program.ts';
import { quietWarnings } from './quietWarnings.ts';
import { processWorld } from './world.ts';

const world = processWorld();
const secrets = new Secrets();

function fail(error: unknown): number {
  const { text, exitCode } = explainError(error);
  world.stderr.write(secrets.hide(text));
  return exitCode;
}

quietWarnings();
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.exit(fail(error)));
}

process.exitCode = await runProgram(process.argv.slice(2), world, secrets).catch(fail);
