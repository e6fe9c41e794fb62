/** What came at a terminal, and the second at which it came. */
export type Piece = readonly [second: number, text: string];

/** Characters of a line, and pixels of one. */
const columns = 120;
const width = 7.2;
const height = 17;
const margin = 14;

/** How a text is drawn after each code of a terminal; nothing where it is drawn as usual. */
const styles: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y' };

/** A line of a terminal, and the second at which its first text came. */
interface Line {
  readonly second: number;
  text: string;
}

/**
 * What a terminal showed, as SVG: each line appears when it came. What comes on a line that stands there belongs to it.
 * Codes for anything but weight and colour are not drawn.
 */
export function drawing(pieces: readonly Piece[]): string {
  const lines = linesOf(pieces);
  const size = { x: columns * width + 2 * margin, y: lines.length * height + 2 * margin };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}" role="img">
<title>The terminal of seaworthy listen</title>
<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace; fill: #d8dee9; white-space: pre; }
.b { font-weight: bold; } .d { fill: #8a94a6; } .r { fill: #ff7b72; } .g { fill: #7ee787; } .y { fill: #f2cc60; }
@media (prefers-reduced-motion: no-preference) { text { animation: come 1ms backwards; } }
@keyframes come { from { opacity: 0; } }
</style>
<rect width="100%" height="100%" rx="8" fill="#14181f"/>
${lines.map(drawn).join('')}</svg>
`;
}

function linesOf(pieces: readonly Piece[]): readonly Line[] {
  const lines: Line[] = [{ second: 0, text: '' }];
  for (const [second, text] of pieces)
    for (const part of text.replaceAll('\r', '').split(/(\n)/)) {
      const last = lines.at(-1)!;
      if (part === '\n') lines.push({ second, text: '' });
      else if (last.text === '') lines.splice(-1, 1, { second, text: part });
      else last.text += part;
    }
  return lines.flatMap(wrapped).filter(({ text }, index, all) => text !== '' || index < all.length - 1);
}

/** As many lines as it takes up, with the codes that are in force at the start of each. */
function wrapped({ second, text }: Line): readonly Line[] {
  const rows = [''];
  let room = columns;
  let codes = '';
  for (const part of text.match(/\p{Cc}\[[\d;?]*[A-Za-z]|[^]/gu) ?? []) {
    const isCode = part.startsWith('\u001b');
    if (isCode) codes = part;
    else if (room-- === 0) {
      rows.push(codes);
      room = columns - 1;
    }
    rows[rows.length - 1] += part;
  }
  return rows.map((row) => ({ second, text: row }));
}

function drawn({ second, text }: Line, index: number): string {
  let style: string | undefined;
  let column = 0;
  const spans = text.split(/(\p{Cc}\[[\d;?]*[A-Za-z])/u).map((part) => {
    if (part.startsWith('\u001b')) {
      style = styles[part.slice(2, -1)];
      return '';
    }
    const x = margin + column * width;
    column += part.length;
    if (part.trim() === '') return '';
    const kind = style === undefined ? '' : ` class="${style}"`;
    return `<tspan x="${x.toFixed(1)}" textLength="${(part.length * width).toFixed(1)}"${kind}>${escaped(part)}</tspan>`;
  });
  const y = margin + (index + 0.75) * height;
  return `<text y="${y}" style="animation-delay:${second}s">${spans.join('')}</text>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
