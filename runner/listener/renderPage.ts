import { readFileSync } from 'node:fs';

import { jsonLine } from '../../reports/text/jsonText.ts';
import type { PageGreeting } from './pageData.ts';
import { hash } from '../../reports/formats/html/renderHtml.ts';

/** The page, and the headers that it is served with. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The page of a listener. It runs no program but its own, and asks nobody but the listener.
 *
 * @throws Error where the page was never built
 */
export function renderPage(greeting: PageGreeting): RenderedPage {
  const [script, style] = [part('page.js'), part('page.css')];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>seaworthy listen</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This page is drawn by a script, and scripts are turned off here. The terminal shows the same deliveries.</p></noscript>
<div id="page"></div>
<script type="application/json" id="greeting">${jsonLine(greeting).trimEnd().replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</body>
</html>
`;
  return { html, policy: policy(script, style) };
}

function policy(script: string, style: string): string {
  return [
    `default-src 'none'`,
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `connect-src 'self'`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

function part(name: string): string {
  const file = new URL(name, import.meta.url);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(
      `The page of the listener is not there: ${name} cannot be read. \`npm ci\` or \`npm run build:assets\` builds it.`,
      { cause },
    );
  }
}
