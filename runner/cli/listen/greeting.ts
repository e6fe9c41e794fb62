import { visible } from '../../../reports/text/visible.ts';
import type { Listener } from '../../listener/listener.ts';
import { secretStandIns } from '../../secrets/standIns.ts';

interface Greeted {
  /** Whether the secret was made for this session. */
  readonly isMade: boolean;
  /** The address of the page, where there is one. */
  readonly page?: string | undefined;
  /** The command line that sends a sample. */
  readonly sample: string;
}

/** What is shown before anything comes: the secret first. */
export function greeting(listener: Listener, { isMade, page, sample }: Greeted): string {
  const { contract, url, forwarder } = listener;
  // The user who gave some knows them.
  const secrets = isMade ? listener.kit.secrets : secretStandIns(listener.kit.secrets).map(({ shown }) => shown);
  const made = isMade ? '  (made for this session; --secret takes yours)' : '';
  return visible(
    [
      `Listening for deliveries of ${contract.title} ${contract.version}.`,
      '',
      ...secrets.map((secret) => `  secret   ${secret}${made}`),
      ...(secrets.length === 0 ? ['  secret   none: this contract signs nothing'] : []),
      `  address  ${url}  (any path below it)`,
      ...(page === undefined ? [] : [`  page     ${page}`]),
      ...(forwarder === undefined ? [] : [`  forward  ${forwarder.url.href}`]),
      '',
      'Send a sample, in another terminal:',
      '',
      `  ${sample}`,
      '',
      '',
    ].join('\n'),
    '\n',
  );
}
