import { fileURLToPath, pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { assumptionValue, resolveAssumptions } from '../../spec/assumptions.ts';
import { loadContract } from '../../spec/contract.ts';
import { textsBeside } from '../../spec/contractFiles.ts';
import { partsOf } from '../../spec/contractParts.ts';
import type { AssumptionKey } from '../../spec/names.ts';
import { activeBy, authorizationWith, memberPlace, offers, trackingTerms } from '../../spec/serviceTerms.ts';

const file = fileURLToPath(new URL('../../reference/press/contract.yaml', import.meta.url));
const texts = textsBeside(pathToFileURL(file));
const press = loadContract(texts);

/** The contract with one line of it written otherwise. */
function changed(line: string, other: string) {
  if (!texts.contract.includes(line)) throw new RangeError(`the contract has no line ${line}`);
  return loadContract({ ...texts, contract: texts.contract.replace(line, other) });
}

describe('the service of a contract', () => {
  it('has the parts that it names, and no others', () => {
    expect([...partsOf(press)]).toEqual([
      'id',
      'retries',
      'signature',
      'tolerance',
      'several',
      'service',
      ...['create', 'list', 'read', 'update', 'delete', 'sample', 'notifications'].map((role) => `operation:${role}`),
      ...['id', 'url', 'active', 'events', 'secret'].map((name) => `webhook:${name}`),
    ]);
    expect(offers(press, 'list')).toBe(true);
    expect(offers(press, 'senders')).toBe(false);
  });

  it('says what it has not where somebody asks for it', () => {
    expect(() => memberPlace(press.service!, 'headers')).toThrow(/places no headers/);
    expect(() => trackingTerms(press.service!)).toThrow(/says nothing of tracking/);
    expect(() => press.operation('senders')).toThrow(/no operation with the role "senders"/);
  });

  it('knows by its states whether a webhook is active, and shows any other as it is', () => {
    expect(['running', 'paused', 'broken'].map((shown) => activeBy(press.service!, shown))).toEqual([
      true,
      false,
      'broken',
    ]);
  });

  it('may carry its key without a word before it', () => {
    expect(authorizationWith(press.service!, 'k3y')).toBe('k3y');
    expect(authorizationWith(loadContract().service!, 'k3y')).toBe('Token k3y');
  });

  it.each([
    [
      'a list of notifications without its statuses',
      '  notification:\n',
      '  x-notification:\n',
      'notification/statuses',
    ],
    ['a sample that says nothing of its body', '  sample:\n', '  x-sample:\n', 'sample/members/url'],
    ['an operation that the document does not have', 'create: addHook', 'create: addHooks', 'operations/create'],
    ['two members that are called alike', 'active: /status', 'active: /state/target', 'webhook/members/active'],
    ['one state for both', 'inactive: paused', 'inactive: running', 'webhook/states/inactive'],
    ['a state that is no text', 'inactive: paused', 'inactive: 7', 'webhook/states/inactive'],
    ['states that stand nowhere', 'active: /status, ', '', 'webhook/members/active'],
  ])('cannot have %s', (_, line, other, place) => {
    expect(() => changed(line, other)).toThrow(`/service/${place}`);
  });
});

it('goes by method and path where a document gives an operation no name', () => {
  const openapi = texts.openapi?.replace('      operationId: addHook\n', '') ?? '';
  const contract = loadContract({ ...texts, openapi, contract: texts.contract.replace('addHook', 'POST /hooks') });
  expect(contract.operation('create')).toMatchObject({ method: 'POST', path: '/hooks' });
});

describe('the requirements of a service without any of its own', () => {
  const required = (contract: typeof press) =>
    contract.requirements.filter(({ subject }) => subject === 'service').map(({ id }) => id);

  it('are those that its parts allow, in words of its own figures', () => {
    expect(required(press)).toEqual(expect.arrayContaining(['WHK-6', 'STA-2', 'LST-2', 'TRG-1', 'SIG-2', 'DLV-6']));
    for (const id of ['TRQ-1', 'INF-1', 'WHK-10', 'IPS-1', 'TRG-2', 'SVC-6', 'CRW-6'])
      expect(required(press)).not.toContain(id);
    expect(press.requirement('STA-2').statement).toMatch(/^After 5 retries, 6 attempts in all,/);
    expect(press.requirement('DLV-2').statement).toContain('(200, 204)');
  });

  it('give a reason each, and claim no page that does not say so', () => {
    for (const { reason, section } of press.requirements) {
      expect(reason).toMatch(/\.$/);
      expect(section).toBe('general');
    }
  });

  it('are none where a contract has no service', () => {
    const [terms = ''] = texts.contract.split('\nservice:');
    const contract = loadContract({ ...texts, contract: terms });
    expect(required(contract)).toEqual([]);
    expect(contract.assumptions.map(({ key }) => key)).not.toContain('list.items');
    expect(contract.gaps.map(({ id }) => id)).not.toContain('GAP-8');
  });

  it('go with what it leaves out', () => {
    const without = changed('    notifications: deliveries\n', '');
    for (const id of ['STA-1', 'LST-2', 'NTF-9']) expect(required(without)).not.toContain(id);
    expect(required(without)).toContain('STA-2');
  });
});

it('takes what the contract says of lists and answers for its assumptions', () => {
  const assumptions = resolveAssumptions(press.assumptions);
  const values = (['list.next', 'list.paging', 'update.response', 'trigger.response'] as const).map(
    (key: AssumptionKey) => assumptionValue(assumptions, key),
  );
  expect(values).toEqual(['/next', 'after,limit', '200', '202']);
});
