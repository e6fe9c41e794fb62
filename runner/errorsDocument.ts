import { errorCatalogue, exitCodeOf } from './errors.ts';
import type { ErrorKind } from './errors.ts';

const headings: Readonly<Record<ErrorKind, string>> = {
  usage: 'It was used wrongly',
  target: 'The target could not be tested',
  kit: 'A fault of the kit itself',
};

/** docs/errors.md: every code with when it comes, made from the catalogue. */
export function errorsDocument(): string {
  const kinds = (['usage', 'target', 'kit'] as const).map((kind) => {
    const own = Object.entries(errorCatalogue).filter(([, entry]) => entry.kind === kind);
    const lines = own.map(([code, { when }]) => `- \`${code}\`: ${when}`);
    return `## ${headings[kind]} (exit code ${exitCodeOf[kind]})\n\n${lines.join('\n')}`;
  });
  return `${[preamble, ...kinds].join('\n\n')}\n`;
}

const preamble = `# Errors

Every error says what was received, what is valid, what to do, and its code. A code keeps its meaning for ever and is
never used again for another one, so that scripts may rely on it. This page is made from the catalogue in
\`runner/errors.ts\` (\`npm run docs\`).

What a run finds out about its target is no error: it is in the report.`;
