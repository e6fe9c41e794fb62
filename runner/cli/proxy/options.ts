import { sharedOptions } from '../../options/options.ts';
import { listenOptions } from '../listenOptions.ts';

const { ca, insecure, allowRemote, contract, openapi } = sharedOptions;

/** What `seaworthy proxy` takes. */
export const proxyOptions = { ...listenOptions(4011), ca, insecure, allowRemote, contract, openapi } as const;
