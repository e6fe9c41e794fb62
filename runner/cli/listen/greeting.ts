import { visible } from '../../../reports/text/visible.ts';
import type { Listener } from '../../listener/listener.ts';
import { sampleCommand } from '../../listener/sampleCommand.ts';

interface Greeted {
  /** Whether the secret was made for this session. */
  readonly isMade: boolean;
  /** The words that start the kit. */
  readonly program: string;
  /** The address of the page, where there is one. */
  readonly page?: string | undefined;
  readonly settings: { readonly contract: string; readonly openapi?: string | undefined };
}

/** What is shown before anything comes: the secret first. */
export function greeting(listener: Listener, { isMade, program, page, settings }: Greeted): string {
  const { contract, url, forwarder } = listener;
  const { secrets } = listener.kit;
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
      `  ${sampleCommand({ program, url, secret: secrets[0], ...settings })}`,
      '',
      '',
    ].join('\n'),
    '\n',
  );
}
