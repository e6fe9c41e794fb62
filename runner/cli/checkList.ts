import type { Need, ServiceNeed } from '../../suites/check.ts';
import { indented } from '../../reports/formats/terminal/page.ts';

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
  published: '--published',
  api: '--api-listen',
  probe: '--probe',
  event: '--emit',
  'any-event': '--emit',
  trackable: '--trackable',
  untrackable: '--untrackable',
};

/**
 * What `--list` shows: each check with its title, its requirements, and the options that it needs.
 *
 * @param tracks - the service tracks numbers, so that one that it finds raises an event, too. Default: false
 */
export function checkList(checks: readonly Listed[], columns: number, tracks = false): string {
  const words = tracks ? { ...options, event: `${options.event} or ${options.trackable}` } : options;
  const entries = checks.map(
    (check) => `${check.id}\n${indented(check.title, columns, '  ')}\n${footnote(check, words)}\n`,
  );
  return `${entries.join('\n')}\n${checks.length} ${checks.length === 1 ? 'check' : 'checks'}; nothing was sent.\n`;
}

function footnote({ requirements, needs }: Listed, words: typeof options): string {
  const needed = needs.map((need) => words[need]).join(', ');
  return `  ${requirements.join(', ')}${needed === '' ? '' : `; needs ${needed}`}`;
}
