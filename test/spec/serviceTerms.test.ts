import { expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { parseServiceTerms } from '../../spec/serviceTerms.ts';
import { libraryContract } from './libraryContract.ts';

it('says how the API is called, and where things stand in its resources', () => {
  const { service, events } = loadContract();
  expect(service?.authorization).toEqual({ header: 'Authorization', scheme: 'Token' });
  expect(service?.webhook.members.secret).toBe('/attributes/secret');
  expect(service?.notification.statuses.exhausted).toBe('failed');
  const names = events.map(({ name }) => name);
  expect(names).toContain(service?.tracking.found);
  expect(names).toContain(service?.tracking.unknown);
});

it('may be left out by a contract that describes deliveries only', () => {
  expect(loadContract(libraryContract).service).toBeUndefined();
});

it('names no event that the catalogue does not have', () => {
  const document = loadContract().document as unknown as Readonly<Record<string, unknown>>;
  expect(() => parseServiceTerms(document, ['another.event'])).toThrow(/x-service\.tracking\.found .*catalogue/);
});
