import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path';

import { shellWord } from '../../reports/curl/shell.ts';
import type { ProgramEnvironment } from './programEnvironment.ts';

type Started = Pick<ProgramEnvironment, 'environment' | 'script' | 'workingDirectory'>;

/** The words that start the kit again, as it was started: by its name where a shell finds that. */
export function programOf({ environment, script, workingDirectory }: Started): string {
  const npmScript = environment['npm_lifecycle_event'] ?? '';
  if (['seaworthy', 'demo'].includes(npmScript)) return 'npm run -s seaworthy --';
  if (script === undefined) return 'seaworthy';
  const byNpm = npmScript !== '' || environment['npm_command'] !== undefined;
  if (basename(script) === 'seaworthy' && !byNpm && isOnPath(script, environment['PATH'])) return 'seaworthy';
  if (basename(script) === 'seaworthy' || /[\\/]node_modules[\\/]/.test(script)) return 'npx seaworthy';
  const inside = relative(workingDirectory, script);
  const path = inside.startsWith('..') || isAbsolute(inside) ? script : inside;
  return `${environment['npm_command'] === 'exec' ? 'npx ' : ''}node ${shellWord(path)}`;
}

function isOnPath(script: string, path = ''): boolean {
  return path.split(delimiter).includes(dirname(script));
}
