import type { CheckFinished, RunEvent, TargetKind } from '../../model/events.ts';
import { printingSink, type PrintingSink, type Sink } from '../../sink.ts';
import { targetWords } from '../../text/targetWords.ts';
import { visible } from '../../text/visible.ts';
import { amount, duration, grouped } from '../../text/amount.ts';
import { exchangeAnswer } from './answerText.ts';
import { outcomeSign } from './outcomeSign.ts';
import { openingLines } from './opening.ts';
import { createSearchProgress } from './searchProgress.ts';
import { type Page, pageOf } from './page.ts';
import { fitting } from './textWidth.ts';
import { indent, wrap } from './wrap.ts';

/** Shows that a run goes on, while it does. */
export interface Progress {
  onEvent(event: RunEvent): void;
  /** Takes away what must not stay. */
  end(): void;
}

/** On a terminal one line that is written over and over; elsewhere a line for each check. A search shows its figures. */
export function createProgress(given: Sink): Progress {
  const sink = printingSink(given);
  const page = pageOf(sink);
  const checks = sink.tty ? statusLine(sink, page) : plainLines(sink, page);
  let search: Progress | undefined;
  return {
    onEvent(event) {
      if (event.type === 'run.started' && event.search !== undefined)
        search = createSearchProgress(sink, page, event.search);
      if (search === undefined || event.type === 'run.started') return checks.onEvent(event);
      if (event.type === 'control.finished' && !sink.tty) checks.onEvent(event);
      search.onEvent(event);
    },
    end: () => (search ?? checks).end(),
  };
}

function plainLines(sink: Sink, page: Page): Progress {
  const print = (lines: readonly string[]): void => sink.write(lines.map((line) => `${line}\n`).join(''));
  let kind: TargetKind = 'receiver';
  return {
    onEvent(event) {
      if (event.type === 'run.started') {
        kind = event.target.kind;
        print(openingLines(event, page));
      }
      if (event.type === 'check.finished') print([checkLine(event, page)]);
      if (event.type === 'control.finished') {
        const [first = '', ...rest] = wrap(
          `${targetWords[kind].control}: ${exchangeAnswer(event.attempt)}`,
          page.width - 2,
        );
        print([`${outcomeSign(event.accepted ? 'passed' : 'failed', page)} ${first}`, ...indent(rest, 2)]);
      }
    },
    end: () => print(['']),
  };
}

function checkLine({ check, outcome, cases, durationMs }: CheckFinished, page: Page): string {
  const judged = outcome === 'passed' || outcome === 'failed' || outcome === 'warned';
  const note = judged ? `${amount(cases, 'case')}, ${duration(durationMs)}` : outcome.replace('-', ' ');
  return `${outcomeSign(outcome, page)} ${visible(check)}  ${page.paint('dim', note)}`;
}

/** Milliseconds between two redraws: the events' own clock decides, so that nothing here needs a timer. */
const redrawEvery = 100;

function statusLine(sink: PrintingSink, page: Page): Progress {
  const seen: Status = { total: 0, done: 0, failures: 0, deliveries: 0, drawn: -redrawEvery };
  return {
    onEvent(event) {
      if (event.type === 'run.started') {
        seen.total = event.checks.length;
        if (event.target.kind === 'service') seen.calls = 0;
        sink.write(
          openingLines(event, page)
            .map((line) => `${line}\n`)
            .join(''),
        );
        return;
      }
      if (event.type === 'delivery.finished' || event.type === 'delivery.caught') seen.deliveries += 1;
      if (event.type === 'call.finished') seen.calls = (seen.calls ?? 0) + 1;
      if (event.type === 'check.finished') {
        seen.done += 1;
        if (event.outcome === 'failed') seen.failures += 1;
      }
      if (event.ms - seen.drawn < redrawEvery) return;
      seen.drawn = event.ms;
      sink.write(`${sink.printer.eraseLine}${statusText(seen, event.ms, sink.columns, page)}`);
    },
    end: () => sink.write(sink.printer.eraseLine),
  };
}

interface Status {
  total: number;
  done: number;
  failures: number;
  deliveries: number;
  /** Only where the target has an API to call. */
  calls?: number;
  drawn: number;
}

function statusText(seen: Status, ms: number, columns: number, page: Page): string {
  const rate = seen.calls === undefined && ms > 0 ? ` (${grouped((seen.deliveries * 1000) / ms)}/s)` : '';
  const calls = seen.calls === undefined ? '' : `${amount(seen.calls, 'call')}, `;
  const traffic = `${calls}${amount(seen.deliveries, 'delivery', 'deliveries')}${rate}`;
  const failures = seen.failures > 0 ? `, ${amount(seen.failures, 'failure')}` : '';
  const shown = fitting(`${seen.done}/${seen.total} checks, ${traffic}${failures}`, Math.max(1, columns - 1));
  return seen.failures > 0 ? page.paint('red', shown) : shown;
}
