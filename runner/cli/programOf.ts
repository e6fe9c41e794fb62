import type { ProgramEnvironment } from './programEnvironment.ts';

/** The words that start the kit. In a clone of the repository it is an npm script, which is not on the path. */
export function programOf({ environment }: Pick<ProgramEnvironment, 'environment'>): string {
  return ['seaworthy', 'demo'].includes(environment['npm_lifecycle_event'] ?? '')
    ? 'npm run -s seaworthy --'
    : 'seaworthy';
}
