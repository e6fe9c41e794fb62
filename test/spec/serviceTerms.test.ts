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
  const { service: terms } = parseContractForm(shippedTexts().contract);
  expect(() => parseServiceTerms(terms, ['another.event'], contract.operations)).toThrow(
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
  expect(() => parseServiceTerms(terms, names, [{ operationId: 'createWebhooks', path: '/', parameters: [] }])).toThrow(
    /\/service\/operations\/create .*createWebhook.*operationId of an operation \(did you mean "createWebhooks"\?\)/,
  );
});

it('names no operation of one webhook whose path has no place for its id, and none of all that has one', () => {
  const { service } = parseContractForm(shippedTexts().contract);
  const names = contract.events.map(({ name }) => name);
  const operations = service?.['operations'] as Readonly<Record<string, string>>;
  const swapped = (role: string, other: string) => ({
    ...service,
    operations: { ...operations, [role]: operations[other] },
  });
  expect(() => parseServiceTerms(swapped('update', 'list'), names, contract.operations)).toThrow(
    /operations\/update is "listWebhooks"; valid is an operation whose path has one parameter, the id of a webhook; that of this one is \/webhooks/,
  );
  expect(() => parseServiceTerms(swapped('list', 'update'), names, contract.operations)).toThrow(
    /operations\/list is .* whose path has no parameter/,
  );
});

it('plays no role where the contract describes deliveries only', () => {
  expect(() => loadContract(libraryContract).operation('create')).toThrow(/no operation with the role "create"/);
});
