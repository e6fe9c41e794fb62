import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  containerCheckDigit,
  trackingRequest,
  trigger,
  valueAt,
  webhook,
  webhookCreation,
  type Json,
} from '../../generators/index.ts';
import { loadContract } from '../../spec/contract.ts';
import { obeysTheLaws } from './laws.ts';
import { libraryContract } from '../spec/libraryContract.ts';

const contract = loadContract();

function takes(operationId: string): (value: Json) => boolean {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  const contents = Object.values(operation?.request ?? {});
  expect(contents.length).toBeGreaterThan(0);
  return (value) => contents.every(({ validate }) => validate(value) as boolean);
}

const isWebhook = contract.validator('Webhook');

obeysTheLaws('webhook', { arbitrary: () => webhook(contract), isValid: (value) => isWebhook(value) });
obeysTheLaws('webhookCreation', { arbitrary: () => webhookCreation(contract), isValid: takes('createWebhook') });
obeysTheLaws('trigger', { arbitrary: () => trigger(contract), isValid: takes('triggerWebhook') });
obeysTheLaws('trackingRequest', {
  arbitrary: () => trackingRequest(contract),
  isValid: takes('createTrackingRequest'),
});

describe('webhookCreation', () => {
  const drawn = fc.sample(webhookCreation(contract), { seed: 4, numRuns: 200 });

  test('has an https url', () => {
    for (const value of drawn) expect(valueAt(value, '/data/attributes/url')).toMatch(/^https:\/\//);
  });

  test('comes with and without events and headers', () => {
    for (const member of ['events', 'headers']) {
      const present = drawn.filter((value) => valueAt(value, `/data/attributes/${member}`) !== undefined);
      expect(present.length).toBeGreaterThan(0);
      expect(present.length).toBeLessThan(drawn.length);
    }
  });

  test('has headers that HTTP can carry', () => {
    const headers = drawn.flatMap(
      (value) => (valueAt(value, '/data/attributes/headers') ?? []) as { name: string; value: string }[],
    );
    expect(headers.length).toBeGreaterThan(20);
    for (const { name, value } of headers) expect(new Headers([[name, value]]).get(name)).toBe(value);
  });

  test('takes members from the caller', () => {
    const url = '/data/attributes/url';
    const values = fc.sample(webhookCreation(contract, { members: { [url]: fc.constant('https://a.example/') } }), {
      seed: 1,
      numRuns: 20,
    });
    expect(new Set(values.map((value) => valueAt(value, url)))).toEqual(new Set(['https://a.example/']));
  });
});

describe('trackingRequest', () => {
  const drawn = fc.sample(trackingRequest(contract), { seed: 4, numRuns: 200 });
  const numbers = drawn.map((value) => valueAt(value, '/data/attributes/request_number') as string);

  test('has bill of lading, booking and container numbers, the last with a right check digit', () => {
    const containers = numbers.filter((number) => /^[A-Z]{3}U\d{7}$/.test(number));
    expect(containers.length).toBeGreaterThan(10);
    for (const number of containers) expect(containerCheckDigit(number.slice(0, 10))).toBe(Number(number[10]));
    expect(numbers.filter((number) => /^\d{9}$/.test(number)).length).toBeGreaterThan(5);
    expect(numbers.filter((number) => /^[A-Z]{4}.{8}$/.test(number)).length).toBeGreaterThan(10);
  });
});

describe('a contract without the operation', () => {
  test('is refused', () => {
    expect(() => webhookCreation(loadContract(libraryContract))).toThrow(/no operation with the role "create"/);
  });
});
