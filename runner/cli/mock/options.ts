import { listenOptions } from '../listenOptions.ts';

/** What `seaworthy mock` takes. */
export const mockOptions = listenOptions(4010);
