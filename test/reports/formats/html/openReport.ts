import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import type { ReportDocument } from '../../../../reports/model/document.ts';
import type { RunEvent } from '../../../../reports/model/events.ts';
import { renderHtml } from '../../../../reports/formats/html/renderHtml.ts';
import { summarise } from '../../../../reports/model/summary.ts';

/** A report in a browser. */
export interface OpenReport {
  readonly page: Page;
  /** Its address, without what stands behind the `#`. */
  readonly address: string;
  /** Whatever must not happen: requests other than for the file itself, violations of its policy, errors, dialogs. */
  problems(): Promise<readonly string[]>;
}

let number = 0;

/** Opens a report from disk, as people do, in a context of its own. */
export async function openReport(
  browser: Browser,
  folder: string,
  document: ReportDocument,
  { hash = '', ...options }: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<OpenReport> {
  const file = join(folder, `report-${(number += 1)}.html`);
  await writeFile(file, renderHtml(document));
  const address = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address) seen.push(`request: ${request.url()}`);
  });
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('console', (message) => seen.push(`console: ${message.text()}`));
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(globalThis, { violations });
    addEventListener('securitypolicyviolation', (event) =>
      violations.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(address + hash);
  await page.waitForSelector('main');
  const violations = (): Promise<string[]> =>
    page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations);
  return { page, address, problems: async () => [...seen, ...(await violations())] };
}

/** The document of one run. */
export function runDocument(events: Iterable<RunEvent>): Extract<ReportDocument, { kind: 'run' }> {
  return { kind: 'run', summary: summarise(events) };
}
