import type { getHttpOperationsFromSpec } from '@stoplight/prism-http';

/** An operation as Prism has read it. */
export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];
