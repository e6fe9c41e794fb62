import { requirePackage } from '../options/packages.ts';
import type { PlayApi } from '../receiver/plan.ts';

/** Plays the API, and loads the reference service only then. */
export const playLazily: PlayApi = async (options) => {
  requirePackage('fastify', '--api-listen');
  return (await import('./playApi.ts')).playApi(options);
};
