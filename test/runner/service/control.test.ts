import { expect, onTestFinished, test } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { type Asked, type Reply, type HandService as Service, HandService, resourceOf } from './handService.ts';
import { hold } from './testOwnService.ts';
import { brokenIn } from '../../brokenIn.ts';

const some = ['service/registration/created', 'service/media-types/resources', 'service/notification/shape'];
const checks = serviceChecks.filter(({ id }) => some.includes(id));

/** Runs a few checks against a service that answers creations in its own way. */
async function run(answer: (asked: Asked, service: Service) => Reply | undefined) {
  const service = await HandService.start({
    answer: (asked, own) => (asked.method === 'POST' && asked.path === '/webhooks' ? answer(asked, own) : undefined),
  });
  onTestFinished(() => service.close());
  const held = await hold(service, checks);
  const { summary } = held;
  const broken = brokenIn(summary);
  return { summary, check: (name: string) => held.check(name), broken, service };
}

/** Makes a webhook of a creation, as the service itself does. */
function made({ body }: Asked, service: Service) {
  const { url, events, active } = JSON.parse(body).data.attributes;
  const webhook = { id: crypto.randomUUID(), url, events, active, secret: 'a secret of the service' };
  service.webhooks.set(webhook.id, webhook);
  return webhook;
}

test.each([
  [
    'the webhook at the top',
    (asked: Asked, service: Service) => ({ status: 201, body: resourceOf(made(asked, service)) }),
  ],
  ['no body', (asked: Asked, service: Service) => (made(asked, service), { status: 201 })],
])('a creation that is answered with %s breaks CRW-1, and the webhook is looked up in the list', async (_, answer) => {
  const { summary, check, broken, service } = await run(answer);
  expect(broken).toEqual(['CRW-1']);
  expect(exitCode(summary)).toBe(1);
  expect(check('created').counterexample?.exchange.attempts).toMatchObject([{ answer: { status: 201 } }]);
  expect(check('shape').outcome).toBe('passed');
  expect(summary.control?.instead).toContain('looked up in the list');
  expect(service.activeIds).toEqual([]);
});

test('where no list shows the webhook either, the rest needs one', async () => {
  const { summary, check, broken } = await run(() => ({ status: 201, body: { meta: {} } }));
  expect(broken).toEqual(['CRW-1']);
  expect(exitCode(summary)).toBe(1);
  expect(check('shape')).toMatchObject({
    outcome: 'not-observable',
    reason: expect.stringContaining('answered with 201 Created'),
  });
});

test.each([415, 400])('a service that refuses the media type of resources with %i breaks SVC-3', async (status) => {
  const { summary, check, broken } = await run(({ headers }) =>
    headers['content-type'] === 'application/vnd.api+json' ? { status } : undefined,
  );
  expect(broken).toEqual(['SVC-3']);
  expect(exitCode(summary)).toBe(1);
  const { exchange } = check('resources').counterexample!;
  expect([exchange.attempts, exchange.twin]).toMatchObject([[{ answer: { status } }], { answer: { status: 201 } }]);
  expect(check('shape').outcome).toBe('passed');
});

test.each([
  [{ status: 404 }, 'The address may be wrong'],
  [{ status: 500 }, 'The service fails, or the address', 'its log'],
  [{ status: 302 }, 'The address may be wrong'],
  [
    { status: 200, body: '<html></html>', headers: { 'Content-Type': 'text/html; charset=utf-8' } },
    'The address',
    'HTML',
  ],
  [{ status: 401 }, 'The API key may be wrong', '"Authorization: Token <key>"'],
  [{ status: 422 }, 'The contract may be another, or the service does not take an endpoint'],
])(
  'where every creation is answered with %j, the first words say what may be wrong',
  async (reply, words, advice = '--token') => {
    const { summary, broken } = await run(() => reply);
    expect(broken).toEqual([]);
    expect(exitCode(summary)).toBe(3);
    expect(summary.lost?.reason.startsWith(words)).toBe(true);
    expect(summary.lost?.advice).toContain(advice);
  },
);
