import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Documents written by hand, by their path from the root. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/reading-a-report.md',
  'docs/html-report.md',
  'docs/reports.md',
  'docs/ci.md',
  'docs/library.md',
  'docs/testing.md',
  'docs/sandbox.md',
  'docs/receiver.md',
  'docs/probes.md',
  'docs/concepts.md',
  'docs/contracts.md',
  'docs/contracts/tracking.md',
  'docs/contracts/github.md',
  'docs/contracts/stripe.md',
  'docs/contracts/standard-webhooks.md',
  'docs/contracts/shopify.md',
  'docs/contracts/slack.md',
  'docs/service.md',
  'docs/listening.md',
  'docs/crashes.md',
  'docs/fuzzing.md',
  'docs/measurements.md',
  'docs/bench.md',
  'examples/README.md',
  'examples/postgres/README.md',
];

/** The text of a file, by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** The fenced blocks of this language, in order. */
export function blocks(path: string, language: string): readonly string[] {
  return [...textOf(path).matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(([, name, block]) =>
    name === language ? [block!] : [],
  );
}

/** What is written in `code` within the prose. */
export function inlineCode(path: string): readonly string[] {
  const prose = textOf(path).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}
