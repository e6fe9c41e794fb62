import { expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import { parseContractForm } from '../../spec/contractForm.ts';
import { operationRoles } from '../../spec/names.ts';
import { parseServiceTerms } from '../../spec/parseServiceTerms.ts';
import { libraryContract } from './libraryContract.ts';

const contract = loadContract();

it('says how the API is called, and where things stand in its resources', () => {
  const { service, events } = loadContract();
  expect(service?.authorization).toEqual({ header: 'Authorization', scheme: 'Token' });
  expect(service?.webhook.members.secret).toBe('/attributes/secret');
  expect(service?.notification?.statuses.exhausted).toBe('failed');
  const names = events.map(({ name }) => name);
  expect(names).toContain(service?.tracking?.found);
  expect(names).toContain(service?.tracking?.unknown);
});

it('may be left out by a contract that describes deliveries only', () => {
  expect(loadContract(libraryContract).service).toBeUndefined();
});

it('names no event that the catalogue does not have', () => {
  const operationIds = contract.operations.map(({ operationId }) => operationId);
  const { service: terms } = parseContractForm(shippedTexts().contract);
  expect(() => parseServiceTerms(terms, ['another.event'], operationIds)).toThrow(
    /\/service\/tracking\/found .*catalogue/,
  );
});

it('maps each role to an operation, and each operation has one', () => {
  const ids = operationRoles.map((role) => contract.operation(role).operationId);
  expect(ids.toSorted()).toEqual(contract.operations.map(({ operationId }) => operationId).toSorted());
});

it('names no operation that the document does not have', () => {
  const { service: terms } = parseContractForm(shippedTexts().contract);
  const names = contract.events.map(({ name }) => name);
  expect(() => parseServiceTerms(terms, names, ['another'])).toThrow(
    /\/service\/operations\/create .*createWebhook.*operationId/,
  );
});

it('plays no role where the contract describes deliveries only', () => {
  expect(() => loadContract(libraryContract).operation('create')).toThrow(/no operation with the role "create"/);
});
