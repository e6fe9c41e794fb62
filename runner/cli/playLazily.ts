import type { PlayApi } from '../receiver/playApi.ts';

/** Plays the API, and loads the reference service only then. */
export const playLazily: PlayApi = async (options) => (await import('./playApi.ts')).playApi(options);
