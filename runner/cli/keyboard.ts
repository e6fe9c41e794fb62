/** The keys of a terminal, one by one. */
export interface Keyboard {
  /**
   * Reads keys as they are pressed.
   *
   * @returns restores the terminal; nothing where the user types at none
   */
  read(onKey: (key: string) => void): (() => void) | undefined;
}

/** What a terminal sends for Ctrl-C and Ctrl-Z, which mean nothing to it while single keys are read. */
const interrupt = '\u0003';
const suspend = '\u001a';

/** Reads keys of standard input, where it is a terminal. Ctrl-C and Ctrl-Z do what they always do. */
export function readKeys(onKey: (key: string) => void): (() => void) | undefined {
  const { stdin } = process;
  if (!stdin.isTTY) return undefined;
  const setRaw = (raw: boolean): void => void stdin.setRawMode(raw);
  const onData = (text: string): void => {
    // An arrow or another key of several bytes is one key, and none of ours.
    const keys = text.startsWith('\u001b') ? [text] : Array.from(text);
    for (const key of keys) {
      if (key === interrupt) process.kill(process.pid, 'SIGINT');
      else if (key === suspend) pause();
      else onKey(key);
    }
  };
  const pause = (): void => {
    setRaw(false);
    process.once('SIGCONT', () => setRaw(true));
    process.kill(process.pid, 'SIGSTOP');
  };
  const restore = (): void => {
    stdin.off('data', onData).pause();
    setRaw(false);
    process.off('exit', restore);
  };
  setRaw(true);
  stdin.setEncoding('utf8').on('data', onData).resume();
  process.on('exit', restore);
  return restore;
}
