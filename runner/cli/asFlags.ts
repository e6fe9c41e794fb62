/**
 * The words of a command line, with the flag in place of a word that asks for the same: `help receiver` is `receiver --help`,
 * and `version` is `--version`.
 */
export function asFlags(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === 'version') return ['--version', ...rest];
  if (first !== 'help') return words;
  // Nothing more is said about these two than what the program's own help says.
  return rest[0] === 'help' || rest[0] === 'version' ? ['--help'] : [...rest, '--help'];
}
