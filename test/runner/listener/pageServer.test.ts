import { once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import type { PageGreeting, PageNews, ShownDelivery } from '../../../runner/listener/pageData.ts';
import { pageGreeting, PageServer } from '../../../runner/listener/pageServer.ts';
import { replay } from '../../../runner/replay/replay.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import { secret, useListeners } from './listening.ts';

const start = useListeners();
const pages: PageServer[] = [];

afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()));
});

/** A listener with a page, and how it is asked. */
async function served(greeting?: PageGreeting) {
  const listening = await start();
  const page = new PageServer(listening.listener, greeting ?? pageGreeting(listening.listener, 'seaworthy trigger'));
  pages.push(page);
  await page.listen();
  const ask = async (
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const sent = request(new URL(path, page.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body === undefined ? {} : { Origin: new URL(page.url).origin }), ...headers },
      agent: false,
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  };
  return { ...listening, page, ask };
}

/** The first message of the news that is as wanted. */
async function newsOf(url: string, isWanted: (news: PageNews) => boolean): Promise<PageNews> {
  const [answer] = (await once(get(new URL('news', url), { agent: false }), 'response')) as [IncomingMessage];
  onTestFinished(() => void answer.destroy());
  let rest = '';
  for await (const piece of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const messages = (rest + piece).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const news = JSON.parse(message.slice('data: '.length)) as PageNews;
      if (isWanted(news)) return news;
    }
  }
  throw new Error('the news ended');
}

describe('the page', () => {
  it('says why it cannot be served', async () => {
    // As where it was never built: what it is made of is read when it is asked for.
    const { ask } = await served({
      get title(): string {
        throw new Error('page.js cannot be read');
      },
    } as PageGreeting);
    expect(await ask('')).toMatchObject({ status: 500, text: 'page.js cannot be read\n' });
  });

  it('is only for those who know its address, under its own name, and from itself', async () => {
    const { page, ask } = await served();
    const { origin, pathname, port } = new URL(page.url);
    expect(pathname).toMatch(/^\/[0-9a-f]{32}\/$/);
    expect(await ask(page.url)).toMatchObject({ status: 200 });
    expect(await ask(`${origin}/`)).toMatchObject({ status: 404 });
    expect(await ask(`${origin}/${'0'.repeat(32)}/`)).toMatchObject({ status: 404 });
    expect(await ask(page.url, { headers: { Host: `evil.example:${port}` } })).toMatchObject({ status: 403 });
    expect(await ask(page.url, { headers: { Origin: 'https://evil.example' } })).toMatchObject({ status: 403 });
    expect(await ask('news', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).toMatchObject({ status: 403 });
    const choice = { name: 'refuse', lasting: true };
    expect(await ask('answer', { body: choice, headers: { Origin: 'null' } })).toMatchObject({ status: 403 });
    expect(await ask('answer', { body: choice })).toMatchObject({ status: 200 });
  });

  it('runs nothing but its own program, and is framed by nobody', async () => {
    const { page, ask } = await served();
    const { headers } = await ask(page.url);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'sha256-");
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  it('hears of what came before and of what comes', async () => {
    const { page, send } = await served();
    await send();
    const first = await newsOf(page.url, ({ deliveries }) => deliveries.length > 0);
    expect(first.deliveries).toMatchObject([{ number: 1, attempt: 1, findings: 0 }]);
    const later = newsOf(page.url, ({ deliveries }) =>
      deliveries.some(({ number, answered }) => number === 2 && answered),
    );
    await send();
    expect((await later).totals).toMatchObject({ deliveries: 2, notifications: 1, wrong: 1 });
  });

  it('sends a delivery again, as it came and changed, to this machine alone', async () => {
    const { ask, send, sample } = await served();
    const receiver = await startReceiver({ secrets: [secret] });
    onTestFinished(() => receiver.close());
    await send();
    const shown = (answer: { readonly text: string }) => JSON.parse(answer.text) as ShownDelivery;
    const plain = shown(await ask('resend', { body: { number: 1, url: receiver.url } }));
    expect(plain.sentAgain).toMatchObject([{ changed: false, answer: { status: 202 } }]);
    const body = Buffer.from(`${sample().body.toString()} `).toString('base64');
    await ask('resend', { body: { number: 1, url: receiver.url, body } });
    const changed = shown(await ask('resend', { body: { number: 1, url: receiver.url, body, sign: true } }));
    expect(changed.sentAgain.slice(1)).toMatchObject([
      { changed: true, answer: { status: 401 } },
      { changed: true, answer: { status: 200 } },
    ]);
    const away = shown(await ask('resend', { body: { number: 1, url: 'http://192.0.2.1/' } }));
    expect(away.sentAgain.at(-1)).toMatchObject({ answer: { words: expect.stringContaining('ADDRESS_REFUSED') } });
    expect(await ask('resend', { body: { number: 1, url: 'file:///etc/passwd' } })).toMatchObject({ status: 400 });
    expect(await ask('resend', { body: { number: 7, url: receiver.url } })).toMatchObject({ status: 404 });
  });

  it('gives a delivery away as shell lines, as a test, and as a case that can be replayed', async () => {
    const { ask, send, sample } = await served();
    const receiver = await startReceiver({ secrets: [secret] });
    onTestFinished(() => receiver.close());
    await send();
    const curl = await ask('deliveries/1/curl');
    expect(curl.text).toContain(`--data-raw '${sample().body.toString()}'`);
    expect((await ask('deliveries/1/vitest')).text).toContain("import { expect, test } from 'vitest';");
    const saved = JSON.parse((await ask('deliveries/1/case')).text) as SavedCase;
    const { outcome } = await replay(saved, { url: receiver.url, secret: [secret] });
    expect(outcome).toBe('fixed');
    expect(await ask('deliveries/1/nonsense')).toMatchObject({ status: 404 });
    expect(await ask('deliveries/2/curl')).toMatchObject({ status: 404 });
    await ask('clear', { body: {} });
    expect(await ask('deliveries/1')).toMatchObject({ status: 404 });
  });
});
