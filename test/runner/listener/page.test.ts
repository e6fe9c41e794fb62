import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { buildListenerPage } from '../../../runner/listener/build.ts';
import { pageGreeting, PageServer } from '../../../runner/listener/pageServer.ts';
import { chromiumNeeded, chromiumSkipped, openChromium } from '../../reports/formats/html/chromium.ts';
import { secret, useListeners } from './listening.ts';

const start = useListeners();
const sample = 'seaworthy trigger http://127.0.0.1:4012/ --secret s3cret';

/** All that a hostile sender may try. */
const hostile = `<script>document.title='taken'</script><img src="http://127.0.0.1:9/x" onerror="alert(1)">]]>\u202eevil`;

describe.skipIf(chromiumSkipped)(`the page of a listener${chromiumNeeded}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    [browser] = await Promise.all([openChromium(), buildListenerPage()]);
  });
  afterAll(() => browser?.close());

  /** A listener whose page is open, and what must not happen there. */
  async function opened(width = 1280) {
    const listening = await start();
    const server = new PageServer(listening.listener, pageGreeting(listening.listener, sample));
    await server.listen();
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    onTestFinished(async () => {
      await context.close();
      await server.close();
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('dialog', (dialog) => {
      problems.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(server.url);
    return { ...listening, page, problems };
  }

  const rows = (page: Page) => page.locator('.row');

  test('shows what to do while nothing came, then what comes, with what is wrong', async () => {
    const { page, problems, send, listener } = await opened();
    await page.waitForSelector('.empty');
    expect(await page.locator('.empty pre').textContent()).toBe(sample);
    expect(await page.locator('.places').textContent()).toContain(secret);
    await page.getByRole('button', { name: '503' }).click();
    await page.getByText('Next: it is refused').waitFor();
    await send();
    await send();
    await page.locator('.row .axis').waitFor();
    expect(await page.locator('.row .dot').allTextContents()).toEqual(['503', '200']);
    expect(await page.locator('.row .gap').textContent()).toMatch(/^\d/);
    await send({ headers: [['Content-Type', 'application/json']] });
    await page.getByText('signature: none came').waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(listener.next.names.next).toBe('accept');
    expect(problems).toEqual([]);
  });

  test('shows a delivery in every form, and its differences from the attempt before', async () => {
    const { page, problems, send, sample: sent } = await opened();
    await send();
    const { body } = sent();
    await send({ body: Buffer.from(body.toString().replace('webhook_notification', 'webhook_notifications')) });
    await page.locator('.row .axis').waitFor();
    await page.keyboard.press('j');
    const view = page.locator('.delivery');
    await view.getByText('it was trimmed').or(view.getByText('made with another secret')).first().waitFor();
    const shown = view.locator('.body pre').first();
    expect(await shown.textContent()).toBe(
      JSON.stringify(JSON.parse(body.toString().replace('_notification', '_notifications')), null, 2),
    );
    await view.getByRole('tab', { name: 'Hex' }).click();
    expect(await shown.textContent()).toMatch(/^00000000 {2}7b 22 64 61 74 61 22 3a /);
    await view.getByRole('tab', { name: 'Changes' }).click();
    await view.getByText('the body differs').waitFor();
    expect(await view.locator('.twins mark').allTextContents()).toEqual(['', 's']);
    await view.getByRole('button', { name: 'curl' }).click();
    await view.getByText('curl -sS').waitFor();
    expect(await view.locator('.headers').last().textContent()).toContain('X-SVC-Webhook-Signature');
    await page.keyboard.press('Escape');
    expect(await view.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('sends a delivery again, also changed, and shows the answers', async () => {
    const { page, problems, send } = await opened();
    const receiver = await startReceiver({ secrets: [secret] });
    onTestFinished(() => receiver.close());
    await send();
    await rows(page).locator('.open').click();
    const form = page.locator('.resend');
    await form.getByLabel('Receiver on this machine').fill(receiver.url);
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('202 Accepted').waitFor();
    await form.getByRole('button', { name: 'Change the body' }).click();
    await form.getByLabel('Body', { exact: true }).fill('{}');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('401 Unauthorized').waitFor();
    expect(problems).toEqual([]);
  });

  test('searches, pauses and goes on', async () => {
    const { page, problems, send, sample: sent } = await opened();
    for (const seed of [1, 2, 3]) await send(sent(seed));
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.keyboard.press('p');
    await page.getByText('Paused').waitFor();
    await send(sent(4));
    await page.getByText('4 deliveries of 4').waitFor();
    expect(await rows(page).count()).toBe(3);
    await page.keyboard.press('p');
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.keyboard.press('/');
    await page.keyboard.type('no-such-thing');
    await page.getByText('Nothing that came matches').waitFor();
    await page.getByLabel('Search').fill('#2');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('All was cleared').waitFor();
    expect(problems).toEqual([]);
  });

  test('shows hostile text as text, fits small screens, and can be read by everyone', async () => {
    const { page, problems, send } = await opened(360);
    const body = Buffer.from(JSON.stringify({ data: { id: hostile, attributes: { event: hostile } } }));
    await send({
      body,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Evil', hostile.slice(0, 60)],
      ],
    });
    await rows(page).locator('.open').click();
    await page.locator('.delivery .body pre').waitFor();
    expect(await page.locator('.delivery h2').textContent()).toContain("<script>document.title='taken'</script>");
    expect(await page.locator('.delivery h2').textContent()).toContain('<U+202E>');
    expect(await page.title()).toBe('seaworthy listen');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(async () => {
        const { axe: run } = globalThis as unknown as { readonly axe: typeof axe };
        const { violations } = await run.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(found).toEqual([]);
    }
    expect(problems).toEqual([]);
  });
});
