import type { FuzzFailed, FuzzFigures, ReportedSearch, RunEvent } from '../../model/events.ts';
import type { PrintingSink } from '../../sink.ts';
import { visible } from '../../text/visible.ts';
import { amount } from '../../text/amount.ts';
import { rateText } from '../../text/rateText.ts';
import { stepLines } from './foundFailure.ts';
import { outcomeSign } from './outcomeSign.ts';
import type { Page } from './page.ts';
import { searchFigures } from './searchFigures.ts';
import { fitting } from './textWidth.ts';
import { indent, wrap } from './wrap.ts';

/** Milliseconds between two lines of figures where nothing can be written over. */
const every = 10_000;

/** Shows where a search stands, and each failure when it is found. */
export interface SearchProgress {
  onEvent(event: RunEvent): void;
  end(): void;
}

/** On a terminal the figures are one line that is written over and over; elsewhere a line every ten seconds. */
export function createSearchProgress(sink: PrintingSink, page: Page, search: ReportedSearch): SearchProgress {
  const clear = sink.tty ? sink.printer.eraseLine : '';
  let figures: FuzzFigures | undefined;
  let told = 0;
  const show = (ms: number): void => {
    if (figures === undefined) return;
    const text = searchFigures(figures, ms, search);
    const shown = sink.tty
      ? `${clear}${fitting(text, Math.max(1, sink.columns - 1))}`
      : `${wrap(text, page.width).join('\n')}\n`;
    sink.write(figures.failures > 0 ? page.paint('red', shown) : shown);
  };
  return {
    onEvent(event) {
      if (event.type === 'fuzz.progressed') {
        const isNews = (event.shrinking ?? 0) > (figures?.shrinking ?? 0);
        figures = event;
        if (!sink.tty && !isNews && event.ms - told < every) return;
        told = event.ms;
        show(event.ms);
      }
      if (event.type === 'fuzz.failed') {
        const lines = failedLines(event, page).map((line) => `${line}\n`);
        sink.write(`${clear}${lines.join('')}`);
        if (sink.tty) show(event.ms);
      }
    },
    end: () => sink.write(sink.tty ? clear : '\n'),
  };
}

/** Steps of a failure that are told at once; the report has them all. */
const fewSteps = 12;

function failedLines(failure: FuzzFailed, page: Page): readonly string[] {
  const { check, outcome, steps, counterexample, rate } = failure;
  const more = steps.length - fewSteps;
  const doubt = outcome === 'flaky' ? ` (flaky: ${rateText(rate)})` : '';
  return [
    `${outcomeSign(outcome === 'flaky' ? 'inconclusive' : 'failed', page)} ${page.paint('bold', visible(check))}${doubt}`,
    ...indent(wrap(counterexample.summary, page.width - 2), 2),
    ...indent(stepLines(steps.slice(0, fewSteps), page.width - 4), 4),
    ...(more > 0 ? [`    (${amount(more, 'more step')})`] : []),
    '',
  ];
}
