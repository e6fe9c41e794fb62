import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { serviceFuzzPlan } from '../../../runner/fuzz/fuzzPlan.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';

const press = fileURLToPath(new URL('../../../reference/press/contract.yaml', import.meta.url));
const base = 'http://127.0.0.1:9';

it('cannot test a service under a contract that says nothing of one', async () => {
  await expect(servicePlan(base, { contract: 'stripe' })).rejects.toThrow(
    /the contract stripe says nothing of the API of a service/,
  );
});

it('cannot search a service whose deliveries carry no id', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-other-'));
  const contract = join(directory, 'contract.yaml');
  const terms = (await readFile(press, 'utf8')).replace(
    './openapi.yaml',
    press.replace('contract.yaml', 'openapi.yaml'),
  );
  await writeFile(contract, terms.replace(/^id: .*\n/m, '').replace(/^signature:\n( {2}.*\n)+/m, ''));
  await expect(serviceFuzzPlan(base, { contract })).rejects.toThrow(
    /cannot be searched: it says of no id that a delivery carries/,
  );
  await rm(directory, { recursive: true });
});

it('searches for what the contract asks for, and for nothing else', async () => {
  const plan = await serviceFuzzPlan(base, { contract: press, only: ['*'] });
  expect(plan.requirements).toEqual(expect.arrayContaining(['DLV-2', 'ACT-3', 'WHK-6', 'ROB-2']));
  for (const id of ['WHK-10', 'TRG-2', 'CRW-3', 'SVC-1']) expect(plan.requirements).not.toContain(id);
});

it('selects from the checks of the contract, by the requirements that it has', async () => {
  const { checks } = await servicePlan(base, { contract: press, only: ['STA-*'] });
  expect(checks.map(({ id }) => id)).toContain('service/retries/exhaustion');
  await expect(servicePlan(base, { contract: press, only: ['service/tracking/*'] })).rejects.toThrow(/matches nothing/);
});

it.each(['trackable', 'untrackable'] as const)('refuses --%s for a service that tracks nothing', async (option) => {
  const number = [{ issuer: 'MAEU', number: 'MAEU123456789' }];
  await expect(servicePlan(base, { contract: press, [option]: number })).rejects.toThrow(
    new RegExp(`^--${option} does not apply to the contract .*contract.yaml: its service tracks no numbers`),
  );
});
