import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';

import { type App, servedApp } from '../../../runner/testing/app.ts';

/** Sends two bytes that are no UTF-8, and says what came back. */
async function answerOf(app: App): Promise<{ readonly status: number; readonly body: string }> {
  const served = await servedApp(app);
  onTestFinished(() => served.close());
  const headers = { 'content-type': 'application/octet-stream', 'x-twice': 'a' };
  const answer = await fetch(`${served.origin}/hooks?q=1`, { method: 'POST', body: Buffer.of(0xff, 0xfe), headers });
  return { status: answer.status, body: await answer.text() };
}

async function fetched(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const bytes = Buffer.from(await request.arrayBuffer()).toString('hex');
  return new Response(`${request.method} ${pathname}${search} ${bytes}`, { status: 202 });
}

function server(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks).toString('hex');
      response.writeHead(202).end(`${request.method} ${request.url} ${bytes}`);
    });
  });
}

function ofExpress() {
  return express().post('/hooks', express.raw({ type: () => true }), (request, response) => {
    const body: unknown = request.body;
    const bytes = Buffer.isBuffer(body) ? body.toString('hex') : '';
    response.status(202).send(`${request.method} ${request.url} ${bytes}`);
  });
}

function ofFastify() {
  const app = fastify();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/hooks', (request, reply) =>
    reply.code(202).send(`${request.method} ${request.url} ${(request.body as Buffer).toString('hex')}`),
  );
  return app;
}

const apps: readonly (readonly [string, () => App])[] = [
  ['a node handler', () => (request, response) => void server().emit('request', request, response)],
  ['an http.Server', server],
  ['an Express app', ofExpress],
  ['a Fastify app', ofFastify],
  ['a Hono app', () => new Hono().post('/hooks', ({ req }) => fetched(req.raw))],
  ['an object with a fetch handler', () => ({ fetch: fetched })],
  ['a fetch handler', () => fetched],
  ['a function that makes one', () => () => ofExpress()],
  ['a function that makes one later', () => async () => Promise.resolve({ fetch: fetched })],
];

describe('an app that the kit serves', () => {
  it.each(apps)('may be %s', async (_, app) => {
    expect(await answerOf(app())).toEqual({ status: 202, body: 'POST /hooks?q=1 fffe' });
  });

  it('is served as it is where it listens already, and goes on', async () => {
    const listening = server().listen(0, '127.0.0.1');
    onTestFinished(() => void listening.close());
    await once(listening, 'listening');
    const { origin, close } = await servedApp(listening).then((served) => ({
      origin: served.origin,
      close: () => served.close(),
    }));
    await close();
    expect((await fetch(`${origin}/`)).status).toBe(202);
  });

  it('takes no connections any more once it was closed, and can be served again', async () => {
    const app = server();
    for (const _ of [1, 2]) {
      const served = await servedApp(app);
      expect((await fetch(served.origin)).status).toBe(202);
      await served.close();
      await expect(fetch(served.origin)).rejects.toThrow('fetch failed');
    }
  });

  it('answers with 500 where its fetch handler throws, and sends every cookie', async () => {
    expect(await answerOf({ fetch: () => Promise.reject(new Error('broken')) })).toEqual({ status: 500, body: '' });
    const headers = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ] as [string, string][];
    const served = await servedApp({ fetch: () => new Response(null, { status: 204, headers }) });
    onTestFinished(() => served.close());
    expect((await fetch(served.origin)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it.each([
    ['nothing', null],
    ['a text', 'http://localhost:3000'],
    ['another object', { listen() {} }],
  ])('cannot be %s', async (_, app) => {
    await expect(servedApp(app as unknown as App)).rejects.toMatchObject({ code: 'SW_OPTION_VALUE' });
  });
});
