import { shellWord } from '../options/shellWord.ts';

interface Sampled {
  /** The words that start the kit. */
  readonly program: string;
  readonly url: string;
  readonly secret: string | undefined;
  readonly contract: string;
  readonly openapi?: string | undefined;
}

/** The command line that sends a sample to a listener. */
export function sampleCommand({ program, url, secret, contract, openapi }: Sampled): string {
  return [
    `${program} trigger ${url}`,
    ...(contract === 'tracking' ? [] : [`--contract ${shellWord(contract)}`]),
    ...(openapi === undefined ? [] : [`--openapi ${shellWord(openapi)}`]),
    ...(secret === undefined ? [] : [`--secret ${shellWord(secret)}`]),
  ].join(' ');
}
