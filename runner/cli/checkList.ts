import type { ReceiverCheck } from '../../suites/check.ts';
import { indented } from './indented.ts';

type Listed = Pick<ReceiverCheck, 'id' | 'title' | 'requirements' | 'needs'>;

/** What `--list` shows: each check with its title, its requirements, and the options that it needs. */
export function checkList(checks: readonly Listed[], columns: number): string {
  const entries = checks.map((check) => `${check.id}\n${indented(check.title, columns, '  ')}\n${footnote(check)}\n`);
  return `${entries.join('\n')}\n${checks.length} ${checks.length === 1 ? 'check' : 'checks'}; nothing was sent.\n`;
}

function footnote({ requirements, needs }: Listed): string {
  const options = needs.map((need) => `--${need}`).join(', ');
  return `  ${requirements.join(', ')}${options === '' ? '' : `; needs ${options}`}`;
}
