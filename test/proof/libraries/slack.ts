import { App, HTTPReceiver, LogLevel } from '@slack/bolt';

import { countOf, handle } from './served.ts';

const receiver = new HTTPReceiver({
  signingSecret: process.env['SECRET'] ?? '',
  endpoints: '/hook',
  customRoutes: [
    {
      path: '/count/:id',
      method: 'GET',
      handler: ({ params }, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ count: countOf(String(params?.['id'])) }));
      },
    },
  ],
  logLevel: LogLevel.ERROR,
  logger: { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} },
});
const app = new App({
  receiver,
  authorize: () => Promise.resolve({ botToken: 'xoxb-test', botId: 'B1', botUserId: 'U1' }),
});
app.use(async ({ body, next }) => {
  handle(String((body as { readonly event_id?: unknown }).event_id));
  await next();
});
await app.start({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.stdout.write('listening\n');
