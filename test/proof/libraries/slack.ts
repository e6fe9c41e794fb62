import { App, HTTPReceiver, LogLevel } from '@slack/bolt';

import { handle, serve } from './served.ts';

const receiver = new HTTPReceiver({
  signingSecret: process.env['SECRET'] ?? '',
  endpoints: '/hook',
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
serve((request, response) => {
  receiver.requestListener(request, response);
});
