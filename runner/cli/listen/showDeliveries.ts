import type { Printer, PrintingSink } from '../../../reports/sink.ts';
import { amount, duration, grouped } from '../../../reports/text/amount.ts';
import { visible } from '../../../reports/text/visible.ts';
import { describeAnswer } from '../../../suites/answer.ts';
import type { Answer } from '../../../suites/delivery.ts';
import type { CaughtRecord, Totals } from '../../listener/deliveryStore.ts';
import type { Listener, ListenerMoment } from '../../listener/listener.ts';
import { describeStep } from '../../service/serviceTimeline.ts';
import { type Keyboard, untilAborted } from '../programEnvironment.ts';

interface Shown {
  readonly keyboard: Keyboard | undefined;
  /** Aborted when it is to end. */
  readonly ended: AbortSignal;
  /** Ends it. */
  readonly end: () => void;
}

/** Shows what comes, and does what keys ask for, until it is to end. The terminal is as before then. */
export async function showDeliveries(listener: Listener, sink: PrintingSink, shown: Shown): Promise<void> {
  const { keyboard, ended, end } = shown;
  const silence = listener.on((moment, record) => {
    const line = lineOf(moment, record, sink);
    if (line !== '') sink.write(`${line}\n`);
  });
  const restore = keyboard?.read((key) => {
    if (key === 'q') end();
    else chooseAnswer(listener, key, sink);
  });
  sink.write(restore === undefined ? 'Ctrl-C ends it.\n\n' : keysLine(listener));
  try {
    await untilAborted(ended);
  } finally {
    restore?.();
    silence();
  }
}

function lineOf(moment: ListenerMoment, record: CaughtRecord, { printer }: PrintingSink): string {
  switch (moment) {
    case 'arrived':
      return deliveryLine(record, printer);
    case 'answered':
      return printer.paint('dim', answerLine(record));
    case 'forwarded':
      // What the receiver says before the answer stands in the line of the answer.
      return record.caught.end === undefined ? '' : printer.paint('dim', forwardedLine(record));
    case 'executed':
      return printer.paint('dim', executedLines(record));
  }
}

/** A letter chooses for the next delivery, its capital (or the key once more) for all that follow. */
function chooseAnswer({ next }: Listener, key: string, sink: PrintingSink): void {
  const choice = next.choices.find((each) => each.key === key.toLowerCase());
  if (choice === undefined) return;
  const lasting = key !== choice.key || next.names.next === choice.name;
  next.choose(choice.name, lasting);
  const which = lasting ? 'From now on' : `Next (${key} again: from now on)`;
  sink.write(sink.printer.paint('dim', `${which}: ${choice.words}.\n`));
}

function keysLine({ next }: Listener): string {
  const keys = next.choices.map(({ key, label }) => (key === label ? key : `${key} ${label}`)).join(', ');
  return `q ends it. The next answer: ${keys}.\n\n`;
}

/** Characters of a value from a delivery in a line. */
const longest = 80;

/**
 * A delivery in a line.
 *
 * @example '14:03:12  #2  invoice.paid  evt_1NG8  812 bytes, attempt 2 after 3.1 s  right'
 */
function deliveryLine(record: CaughtRecord, { paint }: Pick<Printer, 'paint'>): string {
  const { at, number, event, caught, pause, judgement } = record;
  const facts = [
    caught.bytes < 0 ? 'broke off' : `${grouped(caught.bytes)} bytes`,
    ...(caught.number > 1 ? [`attempt ${caught.number}${pause === undefined ? '' : ` after ${duration(pause)}`}`] : []),
  ];
  const [first, ...others] = judgement.findings.toSorted((one, other) => rank(one) - rank(other));
  const more = others.length === 0 ? '' : ` (and ${amount(others.length, 'more finding')})`;
  const said =
    first === undefined
      ? paint('green', 'right')
      : paint(first.level === 'broken' ? 'red' : 'yellow', `${wordsOf(first)}${more}`);
  const what = event === '' ? `${caught.method} ${caught.path}` : event;
  return [timeOf(at), `#${number}`, paint('bold', cut(what)), cut(caught.key), facts.join(', '), said]
    .filter((part) => part !== '')
    .join('  ');
}

/** What became of it, in a line. @example '14:03:12  #2  answered 503 after 2 ms' */
function answerLine({ number, caught, forwarded }: CaughtRecord): string {
  const { step, end, at } = caught;
  const ms = end === undefined ? '' : ` after ${duration(end.at - at)}`;
  const relayed = forwarded === undefined ? '' : `; the receiver: ${receiverWords(forwarded)}`;
  return `${timeOf(Date.now())}  #${number}  answered: ${describeStep(step, end)}${ms}${relayed}`;
}

/** What the receiver said of a delivery that had been answered already, in a line. */
function forwardedLine({ number, forwarded }: CaughtRecord): string {
  return `${timeOf(Date.now())}  #${number}  the receiver: ${forwarded === undefined ? '' : receiverWords(forwarded)}`;
}

/** What `--exec` did, in lines. */
function executedLines({ number, executed }: CaughtRecord): string {
  if (executed === undefined) return '';
  const { code, output } = executed;
  const ended = code === 0 ? 'ran' : code === null ? 'did not end by itself' : `exit code ${code}`;
  const lines = output.trimEnd() === '' ? [] : output.trimEnd().split('\n');
  return [
    `${timeOf(Date.now())}  #${number}  --exec: ${ended}`,
    ...lines.map((line) => `    ${visible(line, '\t')}`),
  ].join('\n');
}

/** The closing line. */
export function totalsLine({ deliveries, notifications, wrong }: Totals): string {
  if (deliveries === 0) return 'No delivery came.';
  const what = `${amount(deliveries, 'delivery', 'deliveries')} of ${amount(notifications, 'notification')}`;
  return `${what}, ${wrong === 0 ? 'none breaks the contract' : `${grouped(wrong)} ${wrong === 1 ? 'breaks' : 'break'} the contract`}.`;
}

function receiverWords(answer: Answer): string {
  return `${visible(describeAnswer(answer))} after ${duration(answer.ms)}`;
}

function rank({ level }: { readonly level: 'broken' | 'noted' }): number {
  return level === 'broken' ? 0 : 1;
}

/** What is wrong, after the part of the delivery that it is about. */
function wordsOf({ check, actual }: { readonly check: string; readonly actual: string }): string {
  const [, topic = '', name = ''] = check.split('/');
  const part = topic === 'notification' ? name : topic;
  return `${part}: ${cut(actual, 2 * longest)}`;
}

function cut(text: string, most = longest): string {
  const safe = visible(text);
  return safe.length > most ? `${safe.slice(0, most - 1)}…` : safe;
}

/** The time of day, as a clock shows it. */
export function timeOf(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
