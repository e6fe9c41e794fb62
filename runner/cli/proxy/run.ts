import type { Contract } from '../../../spec/contract.ts';
import { reachOf } from '../../http/access.ts';
import { UsageError } from '../../errors.ts';
import { openAddress } from '../../http/openAddress.ts';
import { prismVersion } from '../../prism/prismInput.ts';
import { startProxy } from '../../prism/proxy/proxy.ts';
import { openContract } from '../../options/openContract.ts';
import { readCertificates } from '../../options/readCertificates.ts';
import { targetUrl } from '../../receiver/target.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { untilAborted } from '../programEnvironment.ts';
import { proxyOptions } from './command.ts';
import { visible } from '../../../reports/text/visible.ts';
import type { PassedCall, Remark } from '../../prism/proxy/judgeCall.ts';

/** What `seaworthy proxy` does. @returns the exit code */
export async function runProxy(input: CommandInput): Promise<number> {
  const { argument, programEnvironment } = input;
  const { stdout, signal } = programEnvironment;
  if (argument === undefined) throw urlMissing();
  const { ca, allowRemote, contract: named, openapi, ...settings } = commandSettings(proxyOptions, input);
  const target = await targetUrl(openAddress(argument).address, allowRemote);
  const contract = openContract({ contract: named, openapi });
  if (contract.operations.length === 0) throw nothingToCheck(contract);
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
    stdout.write(`Prism ${prismVersion()} checks what goes through against ${contract.title} ${contract.version}.\n\n`);
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

function nothingToCheck({ name }: Contract): UsageError {
  return new UsageError('SW_CONTRACT_INVALID', {
    received: `the contract ${name} describes no API, so that nothing of what goes through could be checked`,
    valid: 'a contract.yaml with a service, and an OpenAPI document with its operations',
    next: 'give another --contract, or check deliveries: seaworthy listen',
  });
}

/** What is shown of a call: nothing where there is nothing to say, else a line for the call and one for each remark. */
function callLines(call: PassedCall): readonly string[] {
  const { method, path, status, operationId, gaps, remarks, failure } = call;
  const said = [
    ...(operationId === '' ? ['undeclared: no operation of the contract is like it; passed on as it came'] : []),
    ...remarks.map(remarkLine),
    ...(failure === undefined ? [] : [`no answer from the service (${failure})`]),
    ...(remarks.length === 0 || gaps.length === 0 ? [] : [`(the contract leaves open here: ${gaps.join(', ')})`]),
  ];
  if (said.length === 0) return [];
  return [`${visible(`${method} ${path}`)}  ${status}`, ...said.map((line) => `  ${visible(line)}`)];
}

/** Prism lists all values of an enumeration. */
const longest = 160;

function remarkLine({ part, where, what, counts }: Remark): string {
  return `${counts ? 'violation' : 'note'}: ${part} ${where}: ${what.length > longest ? `${what.slice(0, longest)}...` : what}`;
}

/** How many of what went through a proxy. */
interface Tally {
  readonly calls: number;
  readonly violations: number;
  /** Calls with a violation. */
  readonly violating: number;
  /** Calls that are no operation of the contract. */
  readonly undeclared: number;
  /** Calls that the target did not answer. */
  readonly unanswered: number;
}

const emptyTally: Tally = { calls: 0, violations: 0, violating: 0, undeclared: 0, unanswered: 0 };

/** The tally with one more call. */
function tallied(tally: Tally, { operationId, remarks, failure }: PassedCall): Tally {
  const violations = remarks.filter(({ counts }) => counts).length;
  return {
    calls: tally.calls + 1,
    violations: tally.violations + violations,
    violating: tally.violating + Number(violations > 0),
    undeclared: tally.undeclared + Number(operationId === ''),
    unanswered: tally.unanswered + Number(failure !== undefined),
  };
}

/** The closing line. */
function tallyLine({ calls, violations, violating, undeclared, unanswered }: Tally): string {
  return [
    count(calls, 'call'),
    violations === 0 ? 'no violations' : `${count(violations, 'violation')} in ${count(violating, 'call')}`,
    ...(undeclared === 0 ? [] : [`${undeclared} undeclared`]),
    ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
  ].join(', ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
