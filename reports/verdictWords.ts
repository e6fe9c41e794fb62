import { exitCode } from './exitCode.ts';
import type { RunSummary } from './summary.ts';
import { verdictSentence } from './verdict.ts';

/** The verdict as a sentence of its own, with the exit code: `Does not conform: ... (exit code 1)`. */
export function verdictLine(summary: RunSummary): string {
  const sentence = verdictSentence(summary);
  const code = `exit code ${exitCode(summary)}${summary.run.strict ? ', --strict' : ''}`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} (${code})`;
}
