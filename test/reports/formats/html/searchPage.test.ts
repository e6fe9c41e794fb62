import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import { buildPage } from '../../../../reports/formats/html/build.ts';
import { failingSearch, found, progressed, quietSearch, searchStarted } from '../../madeUpSearch.ts';
import { chromiumNeeded, chromiumSkipped, openChromium } from './chromium.ts';
import { openReport, runDocument } from './openReport.ts';

let browser: Browser;
let folder: string;

/** The page as text, each run of spaces as one. */
async function textOf(run: readonly RunEvent[]): Promise<string> {
  const { page } = await openReport(browser, folder, runDocument(run));
  const text = await page.locator('body').innerText();
  await page.context().close();
  return text.replaceAll(/\s+/g, ' ');
}

describe.skipIf(chromiumSkipped)(`the page of a search${chromiumNeeded}`, () => {
  beforeAll(async () => {
    [browser, folder] = await Promise.all([openChromium(), mkdtemp(join(tmpdir(), 'seaworthy-search-')), buildPage()]);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('that found nothing says that this is no proof', async () => {
    const text = await textOf(quietSearch());
    expect(text).toContain('by chance: that it found none does not show that there is none.');
    expect(text).toContain('Failures none');
    expect(text).not.toMatch(/did not come again|different causes/);
  });

  test('that found something does not speak of having found none', async () => {
    const text = await textOf(failingSearch());
    expect(text).toContain('and looks for failures by chance. ');
    expect(text).toContain('Failures 1, and 1 that did not come again');
    const [first, ...rest] = quietSearch();
    const two = await textOf([first!, found(), found({ cause: 'lost' }), ...rest]);
    expect(two).toContain('Failures 2 of different causes');
    expect(two).not.toContain('did not come again');
  });

  test('that was killed says once what it found, and counts what it was shrinking', async () => {
    const text = await textOf([searchStarted(), progressed({ shrinking: 4 })]);
    expect(text.match(/No failure/g)).toHaveLength(1);
    expect(text).toContain('Failures 4 that were being shrunk when the run was killed');
    expect(text).not.toContain('that it found none');
  });

  test('says what its seed repeats, and nothing of an intensity', async () => {
    const text = await textOf(failingSearch());
    expect(text).toContain('Settings seed 42, exit code 1');
    expect(text).toContain(
      'The seed 42 makes it draw the same sequences first; what becomes of them later depends on the answers as well.',
    );
    expect(text).not.toMatch(/intensity|try the same cases/);
  });
});
