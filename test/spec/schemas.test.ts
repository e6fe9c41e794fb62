import { describe, expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';

const contract = loadContract();

describe('the schemas of the API', () => {
  const creation = (attributes: object) => ({ data: { type: 'webhook', attributes } });
  const url = 'https://receiver.example/hooks';

  it.each([
    ['WebhookCreation', true, creation({ url, active: true })],
    [
      'WebhookCreation',
      true,
      creation({ url, active: false, events: ['container.created'], headers: [{ name: 'a', value: 'b' }] }),
    ],
    ['WebhookCreation', false, creation({ url })],
    ['WebhookCreation', false, creation({ active: true })],
    ['WebhookCreation', false, creation({ url: 'nowhere', active: true })],
    ['WebhookCreation', false, creation({ url, active: true, events: [] })],
    ['WebhookCreation', false, creation({ url, active: true, events: ['container.created', 'container.created'] })],
    ['WebhookCreation', false, creation({ url, active: true, events: ['container.lost'] })],
    ['WebhookCreation', false, creation({ url, active: true, headers: [{ name: 'a' }] })],
    ['Trigger', true, { url, event: 'container.created' }],
    ['Trigger', true, { url, event: 'container.created', secret: 's' }],
    ['Trigger', false, { data: { url, event: 'container.created' } }],
    ['Trigger', false, { url, event: 'container.lost' }],
    [
      'TrackingRequestCreation',
      true,
      {
        data: {
          type: 'tracking_request',
          attributes: { request_type: 'bill_of_lading', request_number: 'A1', scac: 'MAEU' },
        },
      },
    ],
    [
      'TrackingRequestCreation',
      false,
      { data: { type: 'tracking_request', attributes: { request_type: 'bill_of_lading', request_number: 'A1' } } },
    ],
    [
      'WebhookList',
      true,
      { data: [{ id: '3f1c2a4e-7b9d-4c6e-8f10-2a3b4c5d6e7f', type: 'webhook', attributes: { active: true } }] },
    ],
    ['WebhookList', false, { data: [{ id: '3f1c2a4e-7b9d-4c6e-8f10-2a3b4c5d6e7f', type: 'webhook', attributes: {} }] }],
    ['Errors', true, 'anything'],
  ])('%s takes: %s (%j)', (name, taken, value) => {
    expect(contract.validator(name)(value)).toBe(taken);
  });

  it('asks for created_at where a webhook is created, and not elsewhere', () => {
    const attributes = { url, active: true, events: ['container.created'], secret: 's', headers: null };
    const webhook = { data: { id: '3f1c2a4e-7b9d-4c6e-8f10-2a3b4c5d6e7f', type: 'webhook', attributes } };
    expect(contract.validator('WebhookDocument')(webhook)).toBe(true);
    expect(contract.validator('WebhookCreated')(webhook)).toBe(false);
  });
});
