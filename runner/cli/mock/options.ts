import { sharedOptions } from '../../options/options.ts';
import { listenOptions } from '../listenOptions.ts';

const { contract, openapi } = sharedOptions;

/** What `seaworthy mock` takes. */
export const mockOptions = { ...listenOptions(4010), contract, openapi } as const;
