import { visible } from '../../../reports/text/visible.ts';
import type { PassedCall, Remark } from './passedCall.ts';

/** What is shown of a call: nothing where there is nothing to say, else a line for the call and one for each remark. */
export function callLines(call: PassedCall): readonly string[] {
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
