import { shellWord } from '../options/shellWord.ts';
import { secretVariable } from '../secrets/standIns.ts';

interface Sampled {
  /** The words that start the kit. */
  readonly program: string;
  readonly url: string;
  readonly secret: string | undefined;
  /** Whether it was made for this session; one that was given is not shown. */
  readonly isMade: boolean;
  readonly contract: string;
  /** What `--openapi` was given. */
  readonly openapi: readonly string[];
}

/** The command line that sends a sample to a listener. */
export function sampleCommand({ program, url, secret, isMade, contract, openapi }: Sampled): string {
  return [
    `${program} trigger ${url}`,
    ...(contract === 'tracking' ? [] : [`--contract ${shellWord(contract)}`]),
    ...openapi.map((document) => `--openapi ${shellWord(document)}`),
    ...(secret === undefined ? [] : [`--secret ${isMade ? shellWord(secret) : `"$${secretVariable}"`}`]),
  ].join(' ');
}
