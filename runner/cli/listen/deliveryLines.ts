import { amount, duration, grouped } from '../../../reports/text/amount.ts';
import type { Printer } from '../../../reports/sink.ts';
import { visible } from '../../../reports/text/visible.ts';
import { describeAnswer } from '../../../suites/answer.ts';
import type { Answer } from '../../../suites/delivery.ts';
import type { CaughtRecord, Totals } from '../../listener/deliveryStore.ts';
import { describeStep } from '../../service/serviceTimeline.ts';

/** Characters of a value from a delivery in a line. */
const longest = 80;

/**
 * A delivery in a line.
 *
 * @example '14:03:12  #2  invoice.paid  evt_1NG8  812 bytes, attempt 2 after 3.1 s  right'
 */
export function deliveryLine(record: CaughtRecord, { paint }: Pick<Printer, 'paint'>): string {
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
export function answerLine({ number, caught, forwarded }: CaughtRecord): string {
  const { step, end, at } = caught;
  const ms = end === undefined ? '' : ` after ${duration(end.at - at)}`;
  const relayed = forwarded === undefined ? '' : `; the receiver: ${receiverWords(forwarded)}`;
  return `${timeOf(Date.now())}  #${number}  answered: ${describeStep(step, end)}${ms}${relayed}`;
}

/** What the receiver said of a delivery that had been answered already, in a line. */
export function forwardedLine({ number, forwarded }: CaughtRecord): string {
  return `${timeOf(Date.now())}  #${number}  the receiver: ${forwarded === undefined ? '' : receiverWords(forwarded)}`;
}

/** What `--exec` did, in lines. */
export function executedLines({ number, executed }: CaughtRecord): string {
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

function timeOf(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
