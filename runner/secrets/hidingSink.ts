import type { Sink } from '../../reports/sink.ts';
import type { Secrets } from './secrets.ts';

/** The same sink, without what is secret by the time of each write. */
export function hidingSink(sink: Sink, secrets: Secrets): Sink {
  return {
    write: (text) => sink.write(secrets.hide(text)),
    get columns() {
      return sink.columns;
    },
    colors: sink.colors,
    tty: sink.tty,
    ...(sink.printer && { printer: sink.printer }),
  };
}
