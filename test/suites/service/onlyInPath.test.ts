import { afterEach, expect, test } from 'vitest';

import { versioningChecks } from '../../../suites/service/versioning/checks.ts';
import { HandService } from '../../runner/service/handService.ts';
import { hold } from '../../runner/service/testOwnService.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

const onlyInPath = versioningChecks.filter(({ id }) => id.endsWith('/only-in-path'));

test('a list that is another at each call says nothing of versions', async () => {
  let calls = 0;
  service = await HandService.start({
    answer: ({ method, path }) => {
      if (method !== 'GET' || !/\/webhooks(?:\?|$)/.test(path)) return undefined;
      calls += 1;
      return { status: 200, body: { [`page${calls}`]: [] } };
    },
  });
  const held = await hold(service, onlyInPath);
  expect(held.check()).toMatchObject({ outcome: 'inconclusive' });
  expect(held.check().reason).toContain('answered otherwise a moment later');
});
