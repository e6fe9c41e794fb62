import { expect, test } from 'vitest';

import { listenFailed } from '../../../runner/http/listen.ts';

const where = { host: '127.0.0.1', port: 4010 };
const failing = (code: string) => listenFailed(where, Object.assign(new Error(code), { code })).message;

test('an address that is taken is to be left to who has it', () => {
  expect(failing('EADDRINUSE')).toContain('choose another with --port or --host, or end what listens there');
});

test('what this machine lacks is said as what it is', () => {
  expect(failing('EMFILE')).toContain('raise the limit with ulimit -n');
});
