import axe from 'axe-core';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compareRuns } from '../../../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../../../reports/model/document.ts';
import type { RunEvent, RunStarted } from '../../../../reports/model/events.ts';
import { buildPage } from '../../../../reports/formats/html/build.ts';
import { renderHtml } from '../../../../reports/formats/html/renderHtml.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { chromiumNeeded, chromiumSkipped, openChromium } from './chromium.ts';
import { arbitraryRun } from '../../arbitraryRun.ts';
import {
  answered,
  attempt,
  checkFinished,
  checkStarted,
  counterexample,
  delivered,
  failingRun,
  finished,
  started,
} from '../../madeUpRun.ts';
import { failingSearch } from '../../madeUpSearch.ts';
import { caughtShort, failingServiceRun, serviceStarted } from '../../madeUpServiceRun.ts';
import { openReport, runDocument } from './openReport.ts';
import { further } from '../../../proof/testReceiver.ts';
import type { RunSummary } from '../../../../reports/model/runSummary.ts';

/** A run against a service whose notifications were retried. */
function retriedRun(): readonly RunEvent[] {
  const [first, ...rest] = failingServiceRun();
  const attempts = [0, 40, 120, 300, 900].map((ms, index) =>
    caughtShort({
      ms: 50 + ms,
      number: index + 1,
      answered: index === 2 ? 'connection reset' : '500',
      check: 'service/delivery/retries',
    }),
  );
  return [first!, ...attempts, ...rest.filter(({ type }) => type !== 'delivery.caught')];
}

/** A run with a case in which the receiver was killed. */
function crashedRun(): readonly RunEvent[] {
  const [first, ...rest] = failingRun();
  const timeline = [
    { ms: 0, what: 'sent', id: 'aaaaaaaa-0000' },
    { ms: 4, what: 'killed' },
    { ms: 9, what: 'broken', id: 'aaaaaaaa-0000', detail: 'the connection was reset' },
    { ms: 900, what: 'started', detail: 'after 880 ms' },
    { ms: 910, what: 'sent', id: 'aaaaaaaa-0000' },
    { ms: 915, what: 'answered', id: 'aaaaaaaa-0000', detail: '200 OK' },
    { ms: 990, what: 'note', id: 'aaaaaaaa-0000', detail: 'took effect twice' },
  ] as const;
  const crash = checkFinished('receiver/signature/missing', 'failed', {
    counterexample: counterexample({ requirements: ['VRF-2'], timeline, file: '.seaworthy/case.json' }),
  });
  return [
    first!,
    ...rest.map((event) => (event.type === 'check.finished' && event.check === crash.check ? crash : event)),
  ];
}

/** All that a hostile target may try. */
const hostile = `<script>document.title='taken'</script><img src="http://127.0.0.1:9/x" onerror="alert(1)">]]>\u001b[31m\u202eevil\0\ud800&amp;"'`;

function hostileRun(): readonly RunEvent[] {
  const exchange = {
    attempts: [attempt(hostile, answered(200, hostile), [['X-Evil', hostile]])],
    twin: attempt('{}', answered(200)),
  };
  return [
    started({ target: { kind: 'receiver', address: `http://127.0.0.1/${hostile}` }, command: hostile }),
    checkStarted('receiver/signature/missing'),
    checkFinished('receiver/signature/missing', 'failed', {
      counterexample: counterexample({
        requirements: ['VRF-2'],
        summary: hostile,
        expected: hostile,
        actual: hostile,
        hint: hostile,
        curl: hostile,
        exchange: { ...exchange, difference: hostile },
      }),
    }),
    checkFinished('receiver/timing/answers-in-time', 'inconclusive', { reason: hostile }),
    { type: 'observed', ms: 5, gap: 'GAP-1', value: hostile, evidence: hostile },
    { type: 'target.said', ms: 6, tail: [hostile], file: hostile },
    finished(),
  ];
}

/** A run of a contract whose ids, sections and names have no place to break, and of which a MAY was declared. */
function longWordedRun(): readonly RunEvent[] {
  const long = (text: string): string => `${text}${'Notification'.repeat(8)}`;
  const [first, ...rest] = failingRun();
  const { checks, requirements, ...parts } = first as ReturnType<typeof started>;
  return [
    {
      ...parts,
      contract: { title: long('Service'), version: long('1') },
      target: { kind: 'receiver', address: `http://127.0.0.1/${long('hooks')}` },
      checks: checks.map((check) => ({ ...check, requirements: check.requirements.map(long), title: long('accepts') })),
      requirements: requirements.map(({ id, ...requirement }) => ({
        ...requirement,
        id: long(id),
        section: long('section '),
        ...(requirement.level === 'may' && { binding: true }),
      })),
      assumptions: [{ gap: long('GAP'), key: long('key'), value: long('value'), source: 'default' }],
    },
    ...rest,
  ];
}

const conforming: readonly RunEvent[] = [
  started(),
  ...started().checks.map(({ id }) => checkFinished(id, 'passed')),
  finished(),
];

const documents: Readonly<Record<string, () => ReportDocument>> = {
  'a failing run': () => runDocument(failingRun()),
  'a run with a crash': () => runDocument(crashedRun()),
  'a run against a service': () => runDocument(retriedRun()),
  'a killed run': () => runDocument(failingRun().slice(0, 12)),
  'a conforming run': () => runDocument(conforming),
  'a search': () => runDocument(failingSearch()),
  'a hostile run': () => runDocument(hostileRun()),
  'a run with long words': () => runDocument(longWordedRun()),
  'two runs compared': () => ({
    kind: 'comparison',
    comparison: compareRuns(runDocument(conforming).summary, runDocument(failingRun()).summary),
  }),
  'targets side by side': () => ({
    kind: 'matrix',
    summaries: [runDocument(failingRun()).summary, runDocument([serviceStarted(), ...retriedRun().slice(1)]).summary],
  }),
};

const views = [
  [1280, 'light', [1280, 768]],
  [360, 'dark', [360, 320]],
] as const;

/** Runs whose pages share all that they have with others. */
const alike = ['a killed run', 'a conforming run', 'a hostile run', 'a run with a crash', 'a search'];

/**
 * What has all the parts is looked at in both ways; of what shares them with it every other is wide. What differs from it by
 * its text alone is left to `npm run proof`.
 */
function viewsOf(name: string, place: number): readonly (typeof views)[number][] {
  if (name === 'a failing run') return views;
  const view = views[place % 2]!;
  return alike.includes(name) ? further(view) : [view];
}

/** A font for everything. The spacing makes any font as wide or narrow, on machines that lack the family too. */
interface Font {
  readonly family: string;
  readonly spacing: string;
}

const fonts: Readonly<Record<string, Font>> = {
  narrow: { family: "'Liberation Sans Narrow', sans-serif", spacing: '-0.05em' },
  ordinary: { family: "'Liberation Sans', Arial, sans-serif", spacing: 'normal' },
  'very wide': { family: "'DejaVu Sans Mono', monospace", spacing: '0.15em' },
};

let browser: Browser;
let folder: string;

describe.skipIf(chromiumSkipped)(`the page${chromiumNeeded}`, () => {
  beforeAll(async () => {
    [browser, folder] = await Promise.all([openChromium(), mkdtemp(join(tmpdir(), 'seaworthy-html-')), buildPage()]);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(
    Object.entries(documents)
      .map(([name, report], place) => [name, report, viewsOf(name, place)] as const)
      .filter(([, , views]) => views.length > 0),
  )('of %s', (_, report, views) => {
    // One page for all of these: to open one takes longer than to look at it.
    test.each(views)(
      'at %i pixels, %s: axe-core finds nothing, nothing is cut off in any font, narrow or wide, nothing leaves the page',
      async (opensAt, colorScheme, widths) => {
        const viewport = { width: opensAt, height: 800 };
        const opened = await openReport(browser, folder, report(), { viewport, colorScheme });
        const { page } = opened;
        await page.evaluate(unfold);
        expect(await complaints(page)).toEqual([]);
        expect(await page.evaluate(outside)).toEqual([]);
        for (const [name, font] of Object.entries(fonts)) {
          await page.evaluate(setIn, font);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 800 });
            expect(await page.evaluate(outside), `${name}, at ${width} pixels`).toEqual([]);
          }
        }
        expect(await opened.problems()).toEqual([]);
        await page.context().close();
      },
    );
  });

  test('of a run without requirements has no table of them, and names none of its checks', async () => {
    const [check] = started().checks;
    const events = [
      started({ checks: [{ ...check!, requirements: [] }], requirements: [] }),
      checkFinished(check!.id, 'not-observable', { reason: 'no delivery came that would show it' }),
      finished(),
    ];
    const { page } = await openReport(browser, folder, runDocument(events));
    expect(await page.textContent('.concerned')).toBe('1 check');
    expect(await page.locator('main h2').allTextContents()).not.toContain('Requirements');
    await page.context().close();
  });

  test('says what the summary says', async () => {
    const report = runDocument(failingRun());
    const { page } = await openReport(browser, folder, report);
    expect(await reported(page)).toEqual(reportedBy(report.summary));
    expect(await page.locator('h1').innerText()).toContain('Does not conform');
    expect(await page.locator('.broken-list .why').innerText()).toMatch(/^A signature that does not cover each byte/);
    await page.context().close();
  });

  test('leaves the checks on a small screen the room to be read', async () => {
    const viewport = { width: 360, height: 800 };
    const { page } = await openReport(browser, folder, runDocument(failingRun()), { viewport });
    await page.evaluate(unfold);
    const names = page.locator('.checks-table tbody th');
    const widths = await names.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(300);
    await page.context().close();
  });

  test('explains what is broken where the failures stand, as far as it was given the words', async () => {
    const parts = [['Why', ['Because.']] as const, ['How it is broken', ['One way.', 'Another <b>way</b>.']] as const];
    const explained = { 'VRF-3': { title: 'VRF-3: a MUST', parts } };
    const opened = await openReport(browser, folder, { ...runDocument(failingRun()), explained });
    const { page } = opened;
    const place = page.locator('[id="explained/VRF-3"]');
    const links = page.getByRole('link', { name: 'How VRF-3 is tested, broken and fixed', includeHidden: true });
    expect(await links.count()).toBe(2);
    expect(await page.locator('.broken-list').innerText()).toContain('More: seaworthy explain IDM-2');
    await links.first().click();
    await place.getByText('Another <b>way</b>.').waitFor();
    expect(await complaints(page)).toEqual([]);
    expect(await opened.problems()).toEqual([]);
    await page.context().close();
  });

  test('says of a contract of others what it leaves out, and leads to the page that it cites', async () => {
    const [first, ...rest] = failingRun() as [RunStarted, ...RunEvent[]];
    const page = 'https://docs.example/webhooks#signature';
    const requirements = first.requirements.map((row) => ({ ...row, section: page }));
    const contract = { ...first.contract, leftOut: ['related resources'] };
    const opened = await openReport(browser, folder, runDocument([{ ...first, contract, requirements }, ...rest]));
    expect(await opened.page.locator('.banner').innerText()).toContain('so not tested: related resources');
    const cited = opened.page.locator('.broken-list a.section').first();
    expect([await cited.getAttribute('href'), await cited.innerText()]).toEqual([page, page.slice('https://'.length)]);
    expect(await opened.problems()).toEqual([]);
    await opened.page.context().close();
  });

  test('says what the summary says of any run, and runs nothing that is in it', async () => {
    for (const run of fc.sample(arbitraryRun, { numRuns: 5, seed: 6 })) {
      const report = runDocument(run);
      const opened = await openReport(browser, folder, report);
      const { page } = opened;
      expect(await reported(page)).toEqual(reportedBy(report.summary));
      expect(await opened.problems()).toEqual([]);
      await page.context().close();
    }
  });

  test('shows made-up events below those of the contract, none so large that it hides the figures', async () => {
    const names = ['zebra.crossed', 'aardvark.made.up', `ant.${'made.up.'.repeat(60)}`, ''];
    const run = [started({ events: ['zebra.crossed'] }), ...names.map((event) => delivered({ event })), finished()];
    const { page } = await openReport(browser, folder, runDocument(run));
    const rows = page.locator('.matrix tbody th');
    const reported = await rows.allInnerTexts();
    expect(reported.map((text) => text.split(/[.,]/)[0])).toEqual([
      'zebra',
      'made up: aardvark',
      'made up: ant',
      'none',
    ]);
    for (const row of await rows.all()) {
      const { width = Infinity, height = Infinity } = (await row.boundingBox()) ?? {};
      expect(width).toBeLessThan(500);
      expect(height).toBeLessThan(90);
    }
    await page.context().close();
  });

  test('filters the requirements, and keeps the filters in the address', async () => {
    const { page, address } = await openReport(browser, folder, runDocument(failingRun()));
    const ids = (): Promise<string[]> => page.locator('.requirements tbody tr:visible th').allInnerTexts();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('broken');
    await expect.poll(ids).toEqual(['RCV-5', 'IDM-2', 'VRF-3']);
    await page.getByRole('combobox', { name: 'Level' }).selectOption('must');
    await expect.poll(ids).toEqual(['IDM-2', 'VRF-3']);
    await page.getByRole('combobox', { name: 'Subject' }).selectOption('VRF');
    await expect.poll(ids).toEqual(['VRF-3']);
    await expect.poll(() => page.url()).toBe(`${address}#requirements?outcome=broken&level=must&subject=VRF`);
    await page.getByRole('searchbox').fill('effect once');
    await expect.poll(ids).toEqual([]);
    await expect.poll(() => page.getByRole('search').getByRole('status').innerText()).toContain('0 of 8');
    await page.reload();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('effect once');
    await expect.poll(ids).toEqual([]);
    await page.getByRole('link', { name: 'show all' }).click();
    await expect.poll(ids).toHaveLength(8);
    await page.context().close();
  });

  test('has an address for each requirement and check, which unfolds it and gives it the focus', async () => {
    const check = 'receiver/signature/changed-after-signing';
    const { page, address } = await openReport(browser, folder, runDocument(failingRun()), { hash: '#VRF-3' });
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);
    await expect.poll(focused).toBe('VRF-3');
    expect(await page.locator('#VRF-3').innerText()).toContain('A body changed after it was signed');
    await page.goto(`${address}#${check}`);
    await expect.poll(focused).toBe(check);
    await expect.poll(() => page.getByText('a space after the opening brace').isVisible()).toBe(true);
    await page.goto(`${address}#receiver/timing/answers-in-time`);
    await expect.poll(focused).toBe('receiver/timing/answers-in-time');
    await expect.poll(() => page.locator('[id="receiver/timing/answers-in-time"]').isVisible()).toBe(true);
    await page.getByRole('link', { name: '3 broken' }).click();
    await expect.poll(() => page.locator('.requirements tbody tr:visible').count()).toBe(3);
    await page.context().close();
  });

  test.each([true, false])('copies what is to be pasted (with a clipboard interface: %s)', async (modern) => {
    const { page, address } = await openReport(browser, folder, runDocument(failingRun()), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    if (!modern) {
      await page.addInitScript(() => {
        const read = navigator.clipboard.readText.bind(navigator.clipboard);
        Object.defineProperty(navigator, 'clipboard', { value: { readText: read } });
      });
    }
    await page.goto(address);
    await page.reload();
    const button = page.locator('#repeat button');
    await button.click();
    await page.getByText('Copied to the clipboard').waitFor({ state: 'attached' });
    await expect.poll(() => button.innerText()).toContain('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(started().command);
    await page.context().close();
  });

  test('is walked through by keyboard: the way past the head first, everything reached, the focus always seen', async () => {
    const { page } = await openReport(browser, folder, runDocument(crashedRun()));
    await page.evaluate(unfold);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    const wanted = await page.evaluate(markAll);
    const reached: number[] = [];
    for (let step = 0; step < wanted; step += 1) {
      const { number, seen } = await page.evaluate(focusNow);
      expect(seen, `the focus on ${number} is seen`).toBe(true);
      reached.push(number);
      await page.keyboard.press('Tab');
    }
    expect(reached).toEqual(Array.from({ length: wanted }, (_, index) => index));
    await page.evaluate(() => document.querySelector<HTMLElement>('.skip')?.focus());
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.context().close();
  });

  test('unfolds by keyboard', async () => {
    const { page } = await openReport(browser, folder, runDocument(failingRun()));
    const card = page.locator('[id="receiver/signature/changed-after-signing"] > details');
    expect(await card.getAttribute('open')).toBeNull();
    await card.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => card.getAttribute('open')).not.toBeNull();
    await page.context().close();
  });

  test('prints everything: unfolded, unfiltered, without what only a screen needs', async () => {
    const { page } = await openReport(browser, folder, runDocument(failingRun()), {
      hash: '#requirements?outcome=broken',
    });
    await page.evaluate(() => {
      addEventListener('beforeprint', () =>
        Object.assign(globalThis, { folded: document.querySelectorAll('details:not([open])').length }),
      );
    });
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await page.evaluate(() => (globalThis as unknown as { folded: number }).folded)).toBe(0);
    expect(await page.locator('details:not([open])').count()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('button:visible, nav:visible, form:visible').count()).toBe(0);
    await expect.poll(() => page.locator('.requirements tbody tr:visible').count()).toBe(8);
    await page.context().close();
  });

  test('is dark where the reader wants it dark', async () => {
    const { page } = await openReport(browser, folder, runDocument(failingRun()), { colorScheme: 'dark' });
    const lightness = (): Promise<number> =>
      page.evaluate(() =>
        Math.max(...getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g)!.map(Number)),
      );
    await expect.poll(lightness).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(lightness).toBeGreaterThan(200);
    await page.context().close();
  });

  test('shows hostile text as text', async () => {
    const opened = await openReport(browser, folder, runDocument(hostileRun()));
    const { page } = opened;
    await page.evaluate(unfold);
    const text = await page.locator('main').innerText();
    expect(text.split(visible(hostile)).length).toBeGreaterThan(8);
    expect(text).toContain('<U+001B>[31m<U+202E>evil<U+0000><U+D800>');
    expect(await page.title()).toContain('Does not conform');
    expect(await opened.problems()).toEqual([]);
    await page.context().close();
  });

  test('is guarded by its policy: what would load something is stopped, and noticed', async () => {
    const opened = await openReport(browser, folder, runDocument(failingRun()));
    await opened.page.evaluate(() => {
      const image = new Image();
      image.src = 'http://127.0.0.1:9/seen';
      document.body.append(image);
    });
    await expect.poll(async () => (await opened.problems()).join()).toContain('img-src http://127.0.0.1:9/seen');
    await opened.page.context().close();
  });

  test('says what to do where scripts are turned off', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.setContent(renderHtml(runDocument(failingRun())));
    expect(await page.locator('body').innerText()).toContain('scripts are turned off here');
    await context.close();
  });

  test('says loudly that a run was killed, and what was pending', async () => {
    const { page } = await openReport(browser, folder, runDocument(failingRun().slice(0, 12)));
    const alarm = page.locator('.alarm');
    expect(await alarm.locator('h2').innerText()).toContain('Incomplete: this run was killed');
    expect(await alarm.getByRole('link').allInnerTexts()).toEqual(started().checks.map(({ id }) => id));
    await page.context().close();
  });

  test('draws a crash, retries and latencies, each beside the same in words', async () => {
    const crash = await openReport(browser, folder, runDocument(crashedRun()));
    await crash.page.evaluate(unfold);
    expect(await crash.page.locator('[id="receiver/signature/missing"] .chart svg').count()).toBe(1);
    expect(await crash.page.locator('.timeline').innerText()).toContain('KILLED');
    expect(await crash.page.locator('#latencies svg rect').count()).toBeGreaterThan(0);
    await crash.page.context().close();
    const { page } = await openReport(browser, folder, runDocument(retriedRun()));
    await page.evaluate(unfold);
    expect(await page.locator('#retries svg circle').count()).toBe(5);
    expect(await page.locator('#retries table tbody tr').allInnerTexts()).toEqual([
      '2\t40 ms\t40 ms\t40 ms\t1',
      '3\t80 ms\t80 ms\t80 ms\t1',
      '4\t180 ms\t180 ms\t180 ms\t1',
      '5\t600 ms\t600 ms\t600 ms\t1',
    ]);
    await page.context().close();
  });
});

/** The outcomes on the page: of requirements by row, of failures by card. */
async function reported(page: Page) {
  return page.evaluate(() => {
    const text = (selector: string, within: ParentNode): string => within.querySelector(selector)?.textContent ?? '';
    return {
      requirements: [...document.querySelectorAll('.requirements tbody tr')].map(
        (row) => `${text('th', row)} ${text('.mark span:last-child', row)}`,
      ),
      cases: [...document.querySelectorAll('.case')].map(({ id }) => id.replace(/\/\d+$/, '')).toSorted(),
      checks: [...document.querySelectorAll('.checks-table tbody tr')].map(
        (row) => row.querySelector('.mark span:last-child')?.textContent,
      ),
    };
  });
}

function reportedBy({ requirements, checks, search }: RunSummary) {
  const words = (outcome: string): string => outcome.replace('not-', 'not ');
  const broken = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').map(({ id }) => id);
  return {
    requirements: requirements
      .filter((row) => search === undefined || row.checks.length > 0)
      .map(({ id, outcome }) => `${id} ${words(outcome)}`),
    cases: (search === undefined ? broken : search.failures.map(({ check }) => check)).toSorted(),
    checks: checks.map(({ outcome }) => words(outcome)),
  };
}

/** What axe-core has against the page. */
async function complaints(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await run.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

/**
 * What makes the page wider than the window, the text that leaves its own place, and the cells with an outcome that are
 * to be scrolled to sideways: how a requirement stands is what the reader came for.
 */
function outside(): readonly string[] {
  const { scrollWidth } = document.documentElement;
  const beyond = (each: Element): boolean => Math.floor(each.getBoundingClientRect().right) > innerWidth;
  const spills = (each: Element): boolean => {
    const { display, overflow } = getComputedStyle(each);
    return display !== 'inline' && overflow === 'visible' && each.scrollWidth > each.clientWidth + 1;
  };
  const cells = [...document.querySelectorAll('.requirements td, .compared td, .side-by-side td')].filter(beyond);
  const places = [...document.querySelectorAll('header *, main *')].filter(
    (each) => each.closest('.matrix, .hidden, svg') === null && spills(each),
  );
  const found = [...cells, ...places].map((each) => `${each.nodeName}.${each.className}: ${each.textContent}`);
  return [...(scrollWidth > innerWidth ? [`the page is ${scrollWidth} pixels wide`] : []), ...found].slice(0, 9);
}

/** Sets the whole page in a font, past its own style. */
function setIn({ family, spacing }: Font): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { font-family: ${family} !important; letter-spacing: ${spacing} !important }`);
  document.adoptedStyleSheets = [sheet];
}

function unfold(): void {
  for (const each of document.querySelectorAll('details')) each.open = true;
}

/** Numbers everything that can have the focus, in the order of the page; how many there are. */
function markAll(): number {
  const all = [...document.querySelectorAll<HTMLElement>('a[href], button, select, input, summary, [tabindex="0"]')];
  all.forEach((each, index) => Object.assign(each.dataset, { number: String(index) }));
  return all.length;
}

/** What has the focus, and whether that is seen. */
function focusNow(): { readonly number: number; readonly seen: boolean } {
  const now = document.activeElement as HTMLElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(now);
  return { number: Number(now.dataset['number']), seen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
}
