/** The exit codes of every command that tests something. */
export const runExitCodes = [
  [0, 'at least one check ran, and no MUST is broken that was not expected to be'],
  [
    1,
    'a MUST is broken (or a SHOULD, under --strict), the target died of a case, an entry of --expect-failures does not hold, or a requirement of --require was not observed',
  ],
  [2, 'the command was used wrongly'],
  [3, 'it could not be tested: unreachable, lost, or nothing was observable'],
  [70, 'a bug of seaworthy itself'],
  [130, 'interrupted; the reports of what ran are complete'],
] as const;
