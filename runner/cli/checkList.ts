import type { Need, ServiceNeed } from '../../suites/check.ts';
import { indented } from './indented.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly needs: readonly (Need | ServiceNeed)[];
}

/** The options that give what a check needs. */
const options: Readonly<Record<Need | ServiceNeed, string>> = {
  secret: '--secret',
  'process-control': '--start or --image',
  'secret-variable': '--secret-env',
  tolerance: 'a contract that promises a tolerance',
  several: 'a contract with several signatures in one header',
  published: '--published',
  api: '--api-listen',
  probe: '--probe',
  event: '--emit or --trackable',
  'any-event': '--emit',
  trackable: '--trackable',
  untrackable: '--untrackable',
};

/** What `--list` shows: each check with its title, its requirements, and the options that it needs. */
export function checkList(checks: readonly Listed[], columns: number): string {
  const entries = checks.map((check) => `${check.id}\n${indented(check.title, columns, '  ')}\n${footnote(check)}\n`);
  return `${entries.join('\n')}\n${checks.length} ${checks.length === 1 ? 'check' : 'checks'}; nothing was sent.\n`;
}

function footnote({ requirements, needs }: Listed): string {
  const needed = needs.map((need) => options[need]).join(', ');
  return `  ${requirements.join(', ')}${needed === '' ? '' : `; needs ${needed}`}`;
}
