import { createHash } from 'node:crypto';

import type { ReportDocument } from '../../model/document.ts';
import { jsonLine } from '../../text/jsonText.ts';
import { visible } from '../../text/visible.ts';
import { fittingDocument } from './fittingDocument.ts';
import { pageBundle } from './pageBundle.ts';

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

function hash(text: string): string {
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
