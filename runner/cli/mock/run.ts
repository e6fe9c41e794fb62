import { startMock } from '../../prism/mock/mock.ts';
import { prismVersion } from '../../prism/prismInput.ts';
import { openContract } from '../../options/openContract.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { untilAborted } from '../programEnvironment.ts';
import { mockOptions } from './command.ts';

/** What `seaworthy mock` does. @returns the exit code */
export async function runMock(input: CommandInput): Promise<number> {
  const { stdout, signal } = input.programEnvironment;
  const settings = commandSettings(mockOptions, input);
  const contract = openContract(settings);
  const mock = await startMock(contract, settings);
  try {
    const { title, version } = contract;
    const what = `${title} ${version}`;
    const served = `Prism ${prismVersion()} serves ${what}: valid answers that never change.`;
    stdout.write(`${mock.hasApi ? served : `A receiver of the notifications of ${what}.`}\n\n`);
    const api = mock.hasApi ? mock.url : 'not described: this contract is about deliveries alone';
    stdout.write(`  API       ${api}\n  receiver  ${mock.receiver}  (notifications of any event)\n\n`);
    stdout.write(`Try it:\n${mock.trials.map((line) => `  ${line}\n`).join('')}\n`);
    const places = [
      ...(mock.hasApi || mock.hasWebhooks ? ['in the header sl-violations'] : []),
      ...(mock.hasWebhooks ? [] : ['in its answer']),
    ];
    stdout.write(`What is wrong with a refused request stands ${places.join(' or ')}. Ctrl-C ends it.\n`);
    await untilAborted(signal);
    return 0;
  } finally {
    await mock.close();
  }
}
