import fc from 'fast-check';
import { expect, it } from 'vitest';

import { openContract } from '../../runner/options/openContract.ts';
import type { Draw } from '../../suites/draw.ts';
import { everySetting } from '../../suites/receiver/signature/everySetting.ts';
import { describeSettings, type Setting } from '../../suites/receiver/signature/setting.ts';

type SettingsCase = { readonly settings: readonly (readonly Setting[])[] };

it('forges every event that is subscribed, also where a contract has too many to draw cases from all', () => {
  const contract = openContract({ contract: 'stripe' });
  const draw = {
    contract,
    mediaTypes: ['application/json'],
    subscribed: contract.events,
    events: contract.events.slice(0, 1),
    published: [],
    notification: () => fc.constant({ event: contract.events[0].name, value: null }),
  } as unknown as Draw;
  const cases = everySetting.cases(draw).map((kind) => [kind].flat() as readonly fc.Arbitrary<SettingsCase>[]);
  const tried = cases.flatMap((variants) => variants.flatMap((variant) => fc.sample(variant, { numRuns: 1, seed: 1 })));
  const words = tried.flatMap(({ settings }) => settings.map(describeSettings));
  for (const { name } of contract.events) expect(words).toContain(`for ${name}`);
});
