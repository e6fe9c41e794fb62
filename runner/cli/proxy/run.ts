import { reachOf } from '../../http/access.ts';
import { UsageError } from '../../errors.ts';
import { openAddress } from '../../http/openAddress.ts';
import { prismVersion } from '../../prism/prismVersion.ts';
import { callLines } from '../../prism/proxy/callLines.ts';
import { startProxy } from '../../prism/proxy/proxy.ts';
import { emptyTally, tallied, tallyLine } from '../../prism/proxy/tally.ts';
import { shippedContract } from '../../options/shippedContract.ts';
import { readCertificates } from '../../options/readCertificates.ts';
import { resolveSettings } from '../../options/settings.ts';
import { targetUrl } from '../../receiver/target.ts';
import type { CommandInput } from '../command.ts';
import { untilAborted } from '../untilAborted.ts';
import { proxyOptions } from './options.ts';

/** What `seaworthy proxy` does. @returns the exit code */
export async function runProxy({ argument, given, world }: CommandInput): Promise<number> {
  const { environment, workingDirectory, stdout, signal } = world;
  if (argument === undefined) throw urlMissing();
  const sources = { commandLine: given, environment, config: [], directory: workingDirectory };
  const { ca, allowRemote, ...settings } = resolveSettings(proxyOptions, sources);
  const target = await targetUrl(openAddress(argument).address, allowRemote);
  const contract = shippedContract();
  let tally = emptyTally;
  const proxy = await startProxy(contract, {
    ...settings,
    ...(ca !== undefined && { ca: await readCertificates(ca) }),
    reach: reachOf(allowRemote),
    target,
    onCall(call) {
      tally = tallied(tally, call);
      for (const line of callLines(call)) stdout.write(`${line}\n`);
    },
  });
  try {
    stdout.write(`Prism ${prismVersion()} holds what goes through against ${contract.title} ${contract.version}.\n\n`);
    stdout.write(
      `  use      ${proxy.url}\n  instead  ${target.href}\n\nOnly what is wrong is shown. Ctrl-C ends it.\n\n`,
    );
    await untilAborted(signal);
  } finally {
    await proxy.close();
  }
  stdout.write(`${tallyLine(tally)}\n`);
  return tally.violations === 0 ? 0 : 1;
}

function urlMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'proxy was given no URL',
    valid: 'the http or https base address of the service',
    next: 'seaworthy proxy http://localhost:3000/v2',
  });
}
