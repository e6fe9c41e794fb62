import { startMock } from '../../prism/mock/mock.ts';
import { prismVersion } from '../../prism/prismVersion.ts';
import { openContract } from '../../options/openContract.ts';
import { resolveSettings } from '../../options/settings.ts';
import type { CommandInput } from '../command.ts';
import { untilAborted } from '../untilAborted.ts';
import { mockOptions } from './options.ts';

/** What `seaworthy mock` does. @returns the exit code */
export async function runMock({ given, programEnvironment }: CommandInput): Promise<number> {
  const { environment, workingDirectory, stdout, signal } = programEnvironment;
  const settings = resolveSettings(mockOptions, {
    commandLine: given,
    environment,
    config: [],
    directory: workingDirectory,
  });
  const contract = openContract(settings);
  const mock = await startMock(contract, settings);
  try {
    const { title, version } = contract;
    stdout.write(`Prism ${prismVersion()} serves ${title} ${version}: valid answers that never change.\n\n`);
    stdout.write(`  API       ${mock.url}\n  receiver  ${mock.receiver}  (notifications of any event)\n\n`);
    stdout.write(`Try it:\n${mock.trials.map((line) => `  ${line}\n`).join('')}\n`);
    stdout.write('What is wrong with a refused request stands in the header sl-violations. Ctrl-C ends it.\n');
    await untilAborted(signal);
    return 0;
  } finally {
    await mock.close();
  }
}
