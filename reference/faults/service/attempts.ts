import { randomUUID } from 'node:crypto';

import type { Header } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';
import { rewritten, withAttributes } from './rewriting.ts';

/** What goes over the wire is not what should (SVC-2, DLV-1, WHK-10, WHK-11, NTF-3, NTF-7, IPS). */
export const attemptFaults: ServiceFaults = {
  'puts-instead-of-posting': {
    summary: 'Sends deliveries and samples with PUT.',
    breaks: ['SVC-2', 'DLV-1', 'TRG-1'],
    change: (policies) => ({ ...policies, method: 'PUT' }),
  },
  'calls-its-json-text': {
    summary: 'Sends JSON and says that it is text/plain.',
    breaks: ['DLV-1'],
    change: (policies) => ({
      ...policies,
      requestHeaders: (parts) =>
        policies
          .requestHeaders(parts)
          .map(([name, value]): Header => [name, name === 'Content-Type' ? 'text/plain' : value]),
    }),
  },
  'changes-the-id-on-a-retry': {
    summary: 'Gives each retry an id of its own.',
    breaks: ['NTF-3', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        if (attempt.number === 1) return body;
        return rewritten(body, ({ data, ...rest }) => ({ data: { ...data, id: randomUUID() }, ...rest }));
      },
    }),
  },
  'dates-each-attempt-anew': {
    summary: 'Builds the body for each attempt, with the time of the attempt as that of the creation.',
    breaks: ['NTF-7'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) =>
        withAttributes(policies.attemptBody(attempt), { created_at: policies.timestamp(Date.now()) }),
    }),
  },
  'sends-no-custom-headers': {
    summary: 'Stores custom headers and never sends them.',
    breaks: ['WHK-10', 'ACT-3'],
    change: (policies) => ({ ...policies, customHeaders: () => [] }),
  },
  'forgets-custom-headers-on-a-retry': {
    summary: 'Sends custom headers with the first attempt only.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) => (attempt.number > 1 ? [] : policies.customHeaders(attempt)),
    }),
  },
  'smuggles-headers': {
    summary: 'Takes custom headers with line breaks, and sends what follows a break as a header.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      headerProblems: ({ name, value }, pointer) =>
        policies.headerProblems(
          { name: name.split(lineBreak)[0]!.split(':')[0]!, value: value.split(lineBreak)[0]! },
          pointer,
        ),
      requestHeaders: ({ signature, custom }) => [
        ...policies.requestHeaders({ signature, custom: custom.filter(({ name, value }) => !isBroken(name + value)) }),
        ...custom.flatMap(({ name, value }) => (isBroken(name + value) ? linesOf(`${name}: ${value}`) : [])),
      ],
    }),
  },
  'leaves-header-names-as-they-are': {
    summary: 'Shows and sends the names of custom headers as they were given.',
    breaks: ['WHK-11'],
    change: (policies) => ({ ...policies, headerName: (name) => name }),
  },
  'publishes-other-addresses': {
    summary: 'Publishes the addresses of a machine that sends nothing.',
    breaks: ['IPS-2'],
    change: (policies) => ({ ...policies, senderAddresses: () => ['127.0.0.77'] }),
  },
  'publishes-no-addresses': {
    summary: 'Offers the list of sender addresses, and never fills it.',
    breaks: ['IPS-1', 'IPS-2'],
    change: (policies) => ({ ...policies, senderAddresses: () => [] }),
  },
};

const lineBreak = /[\r\n]+/;

function isBroken(text: string): boolean {
  return lineBreak.test(text);
}

/** What a server that is not careful would see: one header a line. */
function linesOf(text: string): readonly Header[] {
  return text.split(lineBreak).flatMap((line): Header[] => {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value!]];
  });
}
