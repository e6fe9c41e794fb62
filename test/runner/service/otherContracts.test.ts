import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { serviceFuzzPlan } from '../../../runner/fuzz/serviceFuzzPlan.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';

const press = fileURLToPath(new URL('../../../reference/press/contract.yaml', import.meta.url));
const base = 'http://127.0.0.1:9';

it('cannot test a service under a contract that says nothing of one', async () => {
  await expect(servicePlan(base, { contract: 'stripe' })).rejects.toThrow(
    /the contract stripe says nothing of the API of a service/,
  );
});

it('cannot search a service that lacks what the steps are made of', async () => {
  await expect(serviceFuzzPlan(base, { contract: press })).rejects.toThrow(
    /cannot be searched: it lacks webhook:headers, tracking/,
  );
});

it('selects from the checks of the contract, by the requirements that it has', async () => {
  const { checks } = await servicePlan(base, { contract: press, only: ['STA-*'] });
  expect(checks.map(({ id }) => id)).toContain('service/retries/exhaustion');
  await expect(servicePlan(base, { contract: press, only: ['service/tracking/*'] })).rejects.toThrow(/matches nothing/);
});
