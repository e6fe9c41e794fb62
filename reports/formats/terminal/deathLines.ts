import type { RunSummary } from '../../model/runSummary.ts';
import { duration } from '../../text/amount.ts';
import type { Page } from './page.ts';
import { indent, wrap } from './wrap.ts';
import type { ProcessChanged } from '../../model/processEvents.ts';

/** Deaths that are reported one by one. */
const fewDeaths = 3;

/** That the target ended by itself, when, and what it wrote before: it was started again, and the run went on. */
export function deathLines({ deaths, said, target, lost }: RunSummary, page: Page): readonly string[] {
  if (deaths.length === 0) return [];
  const more = deaths.length - fewDeaths;
  const file = said?.file === undefined || lost !== undefined ? [] : [`All that it wrote is in ${said.file}.`];
  return [
    page.paint(
      ['bold', 'yellow'],
      `The ${target.kind} ${deaths.some(({ change }) => change === 'lost') ? 'went away' : 'ended by itself'}${deaths.length === 1 ? '' : `, ${deaths.length} times`}`,
    ),
    '',
    ...deaths.slice(0, fewDeaths).flatMap((death) => deathText(death, page)),
    ...(more > 0 ? [`  (${more} more; the JSON report has them all)`] : []),
    ...indent(
      file.flatMap((line) => wrap(line, page.width - 2)),
      2,
    ),
  ];
}

function deathText({ ms, check, change, detail, said = [] }: ProcessChanged, page: Page): readonly string[] {
  const where = check === 'control' ? '' : `, while ${check} was at work`;
  const isLost = change === 'lost';
  const how = detail === undefined ? '' : isLost ? `: it ${detail}` : ` with ${detail}`;
  const wrote = isLost ? '' : said.length === 0 ? '; it wrote nothing' : '; it wrote last:';
  const what = isLost ? `after ${duration(ms)}${where}${how}` : `after ${duration(ms)}${how}${where}${wrote}`;
  return [
    ...indent(wrap(what, page.width - 2), 2),
    ...indent(
      said.flatMap((line) => wrap(line, page.width - 4)),
      4,
    ),
  ];
}
