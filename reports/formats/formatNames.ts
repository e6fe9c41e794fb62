/** The name of every format, in the order in which they are listed. */
export const formatNames = [
  'terminal',
  'json',
  'html',
  'junit',
  'markdown',
  'prompt',
  'sarif',
  'github',
  'badge',
  'journal',
] as const;

/** What `--report` takes before its `=`. */
export type FormatName = (typeof formatNames)[number];

/** Those that only a run itself is written in. */
export const runOnlyFormats = ['journal'] as const satisfies readonly FormatName[];
