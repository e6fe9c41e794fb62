import type { PrintingSink } from '../../../reports/streamSink.ts';
import type { Listener, ListenerMoment } from '../../listener/listener.ts';
import type { CaughtRecord } from '../../listener/deliveryStore.ts';
import type { Keyboard } from '../keyboard.ts';
import { untilAborted } from '../programEnvironment.ts';
import { answerLine, deliveryLine, executedLines, forwardedLine } from './deliveryLines.ts';

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
