const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The columns that a text takes on a terminal, which is more or fewer than its characters for CJK, emoji and marks. */
export function textWidth(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

/** The longest start of a text that fits into so many columns. */
export function fitting(text: string, columns: number): string {
  let taken = 0;
  const end = Array.from(text).findIndex((character) => (taken += characterWidth(character)) > columns);
  return end === -1 ? text : Array.from(text).slice(0, end).join('');
}

function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
