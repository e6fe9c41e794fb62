import type { Sink } from '../../reports/sink.ts';

/** A sink that keeps what was written to it. */
export function paper(parts: Partial<Pick<Sink, 'columns' | 'colors' | 'tty'>> = {}): Sink & { text(): string } {
  const written: string[] = [];
  return {
    write: (text) => void written.push(text),
    columns: 80,
    colors: false,
    tty: false,
    ...parts,
    text: () => written.join(''),
  };
}
