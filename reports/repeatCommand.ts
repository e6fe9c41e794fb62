/** The command that repeats one check of a run. */
export function repeatCommand(check: string, command: string): string {
  const all = command.replace(/ --(?:only|skip)[ =](?:'(?:[^']|'\\'')*'|"[^"]*"|\S+)/g, '');
  return `${all} --only ${check}`;
}
