import type {
  CheckFinished,
  CheckOutcome,
  RunEvent,
  TargetKind,
  FuzzFailed,
  FuzzFigures,
  ReportedSearch,
  RunStarted,
} from '../../model/events.ts';
import { type Sink, printingSink, type PrintingSink } from '../../sink.ts';
import { contractText } from '../../text/citation.ts';
import { subjectText, targetWords } from '../../text/verdictWords.ts';
import { visible } from '../../text/visible.ts';
import { amount, duration, grouped, casesText, rateText, timeLimitText } from '../../text/amount.ts';
import { exchangeAnswer } from './answerText.ts';
import { fitting, indent, outcomeSign, type Page, pageOf, wrap } from './page.ts';
import { stepLines } from './finding.ts';
import { searchFigures, budgetText } from '../../model/search.ts';
import { leftOutTexts } from '../../model/selectionEvents.ts';

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
  let isLost = false;
  return {
    onEvent(event) {
      if (event.type === 'run.started') {
        kind = event.target.kind;
        print(openingLines(event, page));
      }
      // What cannot be observed is no result: the report says what would change that.
      // Nor is what had not ended when the target was lost, which is said once.
      if (event.type === 'target.lost') isLost = true;
      const isResult = (outcome: CheckOutcome): boolean =>
        outcome !== 'not-observable' && !(isLost && outcome === 'inconclusive');
      if (event.type === 'check.finished' && isResult(event.outcome)) print([checkLine(event, page)]);
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

function checkLine({ check, outcome, durationMs, ...tried }: CheckFinished, page: Page): string {
  const judged = outcome === 'passed' || outcome === 'failed' || outcome === 'warned';
  const note = judged ? `${casesText(tried)}, ${duration(durationMs)}` : outcome.replace('-', ' ');
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
        if (event.target.kind === 'service' && event.run.caughtOnly !== true) seen.calls = 0;
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

/** Milliseconds between two lines of figures where nothing can be written over. */
const every = 10_000;

/** Shows where a search stands, and each failure when it is found. */
interface SearchProgress {
  onEvent(event: RunEvent): void;
  end(): void;
}

/** On a terminal the figures are one line that is written over and over; elsewhere a line every ten seconds. */
function createSearchProgress(sink: PrintingSink, page: Page, search: ReportedSearch): SearchProgress {
  const clear = sink.tty ? sink.printer.eraseLine : '';
  let figures: FuzzFigures | undefined;
  let reported = 0;
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
        if (!sink.tty && !isNews && event.ms - reported < every) return;
        reported = event.ms;
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

/** Steps of a failure that are reported at once; the report has them all. */
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

/** What is known of a run before it has begun. */
interface Opening extends Pick<RunStarted, 'kit' | 'contract' | 'target'> {
  readonly run: Pick<RunStarted['run'], 'seed' | 'intensity' | 'timeLimit' | 'caughtOnly'>;
  readonly checks: readonly unknown[];
  readonly search?: ReportedSearch;
}

/** What the cases of a run are drawn from; nothing where only what came by itself is judged. */
function drawnText(run: Opening['run']): readonly string[] {
  return run.caughtOnly === true ? [] : [`intensity ${run.intensity}`, ...timeText(run), `seed ${run.seed}`];
}

/** What a run is about, before anything of it is known. */
export function openingLines({ kit, contract, target, run, checks, search }: Opening, page: Page): readonly string[] {
  const plan = search
    ? `a search ${budgetText(search)}, seed ${run.seed}: ${amount(checks.length, 'requirement')} can be found broken`
    : [amount(checks.length, 'check'), ...drawnText(run)].join(', ');
  return [
    ...wrap(`${kit.name} ${kit.version}: ${subjectText(target, run)} ${target.address}`, page.width).map((line) =>
      page.paint('bold', line),
    ),
    ...wrap(`tested against ${contractText(contract)}`, page.width),
    ...leftOutTexts(contract).flatMap((text) => wrap(text, page.width)),
    ...wrap(plan, page.width),
    '',
  ];
}

function timeText({ timeLimit }: Opening['run']): readonly string[] {
  return timeLimit === undefined ? [] : [`at most ${timeLimitText(timeLimit)} (--time)`];
}
