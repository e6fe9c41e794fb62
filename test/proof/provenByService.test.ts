import { expect, test } from 'vitest';

import { serviceFaults } from '../../reference/faults/service/index.ts';
import { loadContract } from '../../spec/contract.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { provenByService } from './provenByService.ts';

test('every check of a service is proven by a fault, and every proof names a check', () => {
  expect(Object.keys(provenByService).toSorted()).toEqual(serviceChecks.map(({ id }) => id).toSorted());
});

test('each proof is made with a fault that breaks a requirement of the check', () => {
  const strange = serviceChecks.filter(({ id, requirements }) => {
    const breaks = serviceFaults[provenByService[id]!]?.breaks ?? [];
    return !breaks.some((broken) => requirements.includes(broken));
  });
  expect(strange.map(({ id }) => `${id} by ${provenByService[id]}`)).toEqual([]);
});

test('every requirement that a URL can show is proven by the main point of a fault', () => {
  const contract = loadContract();
  const mainPoints = new Set(Object.values(serviceFaults).map(({ breaks }) => breaks[0]));
  const shown = [...new Set(serviceChecks.flatMap(({ requirements }) => requirements))];
  // What a service may do is broken by no service that does not do it.
  const binding = shown.filter((id) => contract.requirement(id).level !== 'may');
  expect(binding.filter((id) => !mainPoints.has(id))).toEqual([]);
  expect(shown.filter((id) => contract.requirement(id).subject !== 'service')).toEqual([]);
});

test('a fault breaks requirements of a service, each named once', () => {
  const services = loadContract().requirements.filter(({ subject }) => subject === 'service');
  const ids = new Set(services.map(({ id }) => id));
  const strange = Object.entries(serviceFaults).filter(
    ([, { breaks }]) => breaks.some((id) => !ids.has(id)) || new Set(breaks).size < breaks.length,
  );
  expect(strange.map(([name]) => name)).toEqual([]);
});
