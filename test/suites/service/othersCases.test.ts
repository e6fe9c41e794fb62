import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { HandService, type HandWebhook, resourceOf } from '../../runner/service/handService.ts';
import { hold } from '../../runner/service/testOwnService.ts';
import { loadContract } from '../../../spec/contract.ts';
import { others } from '../../../suites/service/updates/leftAlone.ts';

const press = join(import.meta.dirname, '../../../reference/press');

it.each([
  ['required: [target, topics]', false],
  ['required: [target]', true],
])('creates webhooks without events only where the document lets it: %s', (required, isBare) => {
  const text = (name: string) => readFileSync(join(press, name), 'utf8');
  const openapi = text('openapi.yaml').replaceAll('required: [target, topics]', required);
  const contract = loadContract({ contract: text('contract.yaml'), openapi });
  const drawn = [others.cases({ contract } as never)]
    .flat()
    .flatMap((each) => fc.sample(each as fc.Arbitrary<object>, 1));
  expect(drawn.some((pair) => 'bare' in pair)).toBe(isBare);
});

it('says nothing of a service that answers a second creation for a url with the webhook that is there', async () => {
  const shown = (webhook: HandWebhook) => {
    const { attributes, ...rest } = resourceOf(webhook);
    return { ...rest, attributes: { ...attributes, created_at: '2026-01-31T09:30:00Z' } };
  };
  const service = await HandService.start({
    answer: ({ method, path, body }, { webhooks }) => {
      const all = [...webhooks.values()];
      if (path !== '/webhooks') return undefined;
      if (method === 'GET') return { status: 200, body: { data: all.map(shown) } };
      const { url } = JSON.parse(body).data.attributes as HandWebhook;
      const there = all.find((webhook) => webhook.url === url);
      return there && { status: 201, body: { data: shown(there) } };
    },
  });
  try {
    const held = await hold(service, [others]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  } finally {
    await service.close();
  }
});
