import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { ReportDocument } from '../../model/document.ts';
import { jsonLine } from '../../text/jsonText.ts';
import { visible } from '../../text/visible.ts';
import { isCaught, type ReportedBody, type ReportedExchange, type Counterexample } from '../../model/exchange.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** Characters of JSON that the page has room for beside its program and style. */
const room = 600_000;

/** Characters of a body that are kept, ever fewer. */
const limits = [65_536, 16_384, 4096, 1024, 256] as const;

/**
 * The same document as far as the page shows it. Of the exchanges of a case only the last one is shown in full, so that the
 * others keep neither headers nor bodies; where it is still too much, bodies are cut off.
 */
function fittingDocument(document: ReportDocument): ReportDocument {
  const [first, ...smaller] = limits;
  return smaller.reduce(
    (found, limit) => (jsonLine(found).length <= room ? found : cutDocument(document, limit)),
    cutDocument(document, first),
  );
}

function cutDocument(document: ReportDocument, limit: number): ReportDocument {
  const cut = (summary: RunSummary): RunSummary => cutSummary(summary, limit);
  switch (document.kind) {
    case 'run':
      return { ...document, summary: cut(document.summary) };
    case 'comparison': {
      const { before, after, ...rest } = document.comparison;
      return { kind: 'comparison', comparison: { ...rest, before: cut(before), after: cut(after) } };
    }
    case 'matrix':
      return { kind: 'matrix', summaries: document.summaries.map(cut) };
  }
}

function cutSummary(summary: RunSummary, limit: number): RunSummary {
  const { search, control } = summary;
  return {
    ...summary,
    checks: summary.checks.map(({ counterexample, ...check }) => ({
      ...check,
      ...(counterexample && { counterexample: cutCase(counterexample, limit) }),
    })),
    ...(control && { control: { ...control, attempt: cutExchange(control.attempt, limit) } }),
    ...(search && {
      search: {
        ...search,
        failures: search.failures.map((failure) => ({
          ...failure,
          counterexample: cutCase(failure.counterexample, limit),
        })),
      },
    }),
  };
}

function cutCase(reported: Counterexample, limit: number): Counterexample {
  const { attempts, twin, ...rest } = reported.exchange;
  const last = attempts.length - 1;
  return {
    ...reported,
    curl: reported.curl.length > limit * 2 ? '' : reported.curl,
    exchange: {
      ...rest,
      attempts: attempts.map((each, index) => (index === last ? cutExchange(each, limit) : brief(each))),
      ...(twin && { twin: cutExchange(twin, limit) }),
    },
  };
}

/** What a line of a list says of it. */
function brief(exchange: ReportedExchange): ReportedExchange {
  const { method, url, body } = exchange.request;
  const request = { method, url, headers: [], body: { bytes: body.bytes, sha256: body.sha256 } };
  if (isCaught(exchange) || exchange.answer.kind !== 'answered') return { ...exchange, request };
  return { ...exchange, request, answer: { ...exchange.answer, headers: [], body: '' } };
}

function cutExchange(exchange: ReportedExchange, most: number): ReportedExchange {
  const request = { ...exchange.request, body: cutBody(exchange.request.body, most) };
  if (isCaught(exchange) || exchange.answer.kind !== 'answered') return { ...exchange, request };
  const { answer } = exchange;
  const body = answer.body.length > most ? `${answer.body.slice(0, most)}…` : answer.body;
  return { ...exchange, request, answer: { ...answer, body } };
}

function cutBody(body: ReportedBody, most: number): ReportedBody {
  const { text, base64, ...rest } = body;
  return {
    ...rest,
    ...(text !== undefined && { text: text.slice(0, most) }),
    ...(base64 !== undefined && { base64: base64.slice(0, most - (most % 4)) }),
  };
}

/**
 * A report as one HTML file that holds all that it needs: it opens from disk, makes no request, and runs no program but its
 * own, which its Content Security Policy ensures. What it shows is in it as JSON.
 *
 * @returns the file; under 1 MB, whatever the number of deliveries: long bodies are cut off where it would be larger
 * @throws Error where the page was never built
 */
export function renderHtml(document: ReportDocument): string {
  const { script, style } = pageBundle();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(visible(titleOf(document)))}</title>
<style>${style}</style>
</head>
<body>
<noscript>
<p>This report is drawn by the script that it contains, and scripts are turned off here. Turn them on for this file (it makes no request), or make the same report as text from the journal of the run: <code>seaworthy report &lt;journal&gt; --report markdown=report.md</code></p>
</noscript>
<div id="report"></div>
<script type="application/json" id="data">${dataText(fittingDocument(document))}</script>
<script>${script}</script>
</body>
</html>
`;
}

function policy(script: string, style: string): string {
  return [
    `default-src 'none'`,
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

/** A script or a style, as a content security policy names it. */
export function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** JSON that no HTML parser takes for anything else. */
function dataText(document: ReportDocument): string {
  return jsonLine(document).trimEnd().replaceAll('<', '\\u003c');
}

function titleOf(document: ReportDocument): string {
  switch (document.kind) {
    case 'run':
      return `${verdicts[document.summary.verdict]}: ${document.summary.target.address}`;
    case 'comparison':
      return `${document.comparison.regressed ? 'Regressed' : 'No regression'}: ${document.comparison.after.target.address}`;
    case 'matrix':
      return `${document.summaries.length} targets side by side`;
  }
}

const verdicts = {
  conforms: 'Conforms',
  'does-not-conform': 'Does not conform',
  inconclusive: 'Inconclusive',
} as const;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The program and the style of the page, as they were built. */
interface PageBundle {
  readonly script: string;
  readonly style: string;
}

let loaded: PageBundle | undefined;

/**
 * Loads what `npm run build:assets` has built; once, and only where a page is written.
 *
 * @throws Error where it was never built, saying how to do it
 */
function pageBundle(): PageBundle {
  loaded ??= { script: part('page.js'), style: part('page.css') };
  return loaded;
}

function part(name: string): string {
  const file = new URL(name, import.meta.url);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(
      `The page of the HTML report is not there: ${name} cannot be read. \`npm ci\` or \`npm run build:assets\` builds it.`,
      { cause },
    );
  }
}
