/** Where a reporter writes. Reporters know nothing of files, streams or the environment. */
export interface Sink {
  write(text: string): void;
  /** Characters a line. 80 where nobody knows. */
  readonly columns: number;
  readonly colors: boolean;
  /** True where what was written can be overwritten: a terminal that somebody looks at. */
  readonly tty: boolean;
}

/** What a sink needs of a stream such as `process.stdout`. */
export interface SinkStream {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly isTTY?: boolean | undefined;
}

/**
 * A sink over a stream: colours on a terminal, else none. `NO_COLOR` turns them off and `FORCE_COLOR` on (or off,
 * where it is `0` or `false`); `FORCE_COLOR` wins over `NO_COLOR`, as it does in Node. Nothing is redrawn on a
 * terminal that calls itself `dumb`.
 *
 * @param environment - for example `process.env`
 * @see https://no-color.org, https://force-color.org
 */
export function streamSink(stream: SinkStream, environment: Readonly<Record<string, string | undefined>>): Sink {
  const terminal = stream.isTTY === true && environment['TERM'] !== 'dumb';
  return {
    write: (text) => void stream.write(text),
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || 80;
    },
    colors: wantsColors(environment) ?? terminal,
    tty: terminal,
  };
}

function wantsColors(environment: Readonly<Record<string, string | undefined>>): boolean | undefined {
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return undefined;
}
