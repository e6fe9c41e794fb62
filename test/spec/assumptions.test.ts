import { describe, expect, it } from 'vitest';

import { AssumptionError, assumptionValue, resolveAssumptions } from '../../spec/assumptions.ts';
import { loadContract } from '../../spec/contract.ts';
import type { AssumptionKey } from '../../spec/names.ts';

const { assumptions: definitions } = loadContract();

describe('the assumptions', () => {
  it('have these keys, gaps and defaults', () => {
    expect(definitions.map((each) => `${each.gap} ${each.key} = ${each.default}`).join('\n')).toMatchInlineSnapshot(`
      "GAP-14 signature.header = X-SVC-Webhook-Signature
      GAP-14 signature.scheme = hmac-sha256-hex
      GAP-17 delivery.timeout = 10s
      GAP-18 retries.schedule = any
      GAP-20 retries.whenInactive = any
      GAP-23 body.mediaType = application/json
      GAP-1 included.presence = any
      GAP-23 body.judged = 64KiB
      GAP-21 notification.idAcrossWebhooks = any
      GAP-22 sample.retries = any
      GAP-2 requestTypes = bill_of_lading,booking_number,container
      GAP-4 delivery.succeededAfter = accepting-answer
      GAP-5 webhook.deactivatesAfter = 0
      GAP-24 webhook.defaultEvents = all
      GAP-7 trigger.response = 2xx
      GAP-8 list.items = /data
      GAP-8 list.next = /links/next
      GAP-8 list.paging = page[number],page[size]
      GAP-8 list.firstPage = 1
      GAP-9 update = PATCH /webhooks/{id}
      GAP-9 update.response = 2xx
      GAP-10 senderAddresses = GET /webhooks/ips
      GAP-10 senderAddresses.refresh = 30s
      GAP-11 trackingRequest.response = 2xx
      GAP-12 inferNumber = POST /tracking_requests/infer_number
      GAP-12 inferNumber.member = number
      GAP-13 readWebhook = GET /webhooks/{id}
      GAP-13 deleteWebhook = DELETE /webhooks/{id}
      GAP-15 refusal.status = 4xx
      GAP-15 refusal.unauthorized = 4xx
      GAP-16 list.pageSize = 100
      GAP-16 rateLimit.patience = 60s"
    `);
  });

  it('say how they are set, by an example that they take', () => {
    for (const { key, how } of definitions) {
      const [, value = ''] = new RegExp(`^--assume ${key}='?(.*?)'?$`).exec(how) ?? [];
      const resolved = resolveAssumptions(definitions, { [key]: value });
      expect(assumptionValue(resolved, key as AssumptionKey)).toBe(value);
    }
  });
});

describe('resolving', () => {
  it('takes the default where the user says nothing', () => {
    const resolved = resolveAssumptions(definitions);
    expect(resolved.length).toBe(definitions.length);
    expect(resolved.every(({ source }) => source === 'default')).toBe(true);
    expect(assumptionValue(resolved, 'delivery.timeout')).toBe('10s');
  });

  it('takes the word of the user, and says so', () => {
    const resolved = resolveAssumptions(definitions, { 'signature.header': ' X-Signature ' });
    expect(resolved.find(({ key }) => key === 'signature.header')).toEqual({
      gap: 'GAP-14',
      key: 'signature.header',
      value: 'X-Signature',
      source: 'option',
    });
    expect(resolveAssumptions(definitions, { 'body.judged': '2MiB' }, 'learned').map(({ source }) => source)).toContain(
      'learned',
    );
  });

  it.each([
    ['signature.header', 'X Signature'],
    ['signature.header', ''],
    ['signature.scheme', 'md5'],
    ['delivery.timeout', 'soon'],
    ['delivery.timeout', '-1s'],
    ['retries.schedule', '1s,,5s'],
    ['body.judged', '1 mile'],
    ['body.mediaType', 'json'],
    ['update', 'PATCH webhooks'],
    ['update', '/webhooks/{id}'],
    ['senderAddresses', 'FETCH /ips'],
    ['refusal.status', 'any'],
    ['refusal.status', '4x'],
    ['list.firstPage', '-1'],
    ['list.next', 'links.next'],
    ['list.paging', 'page'],
    ['requestTypes', 'a b'],
    ['inferNumber.member', ''],
    ['webhook.defaultEvents', 'some'],
  ])('refuses %s=%s', (key, value) => {
    const resolve = () => resolveAssumptions(definitions, { [key]: value });
    expect(resolve).toThrow(AssumptionError);
    expect(resolve).toThrow(expect.objectContaining({ code: 'assumption/invalid-value' }));
    expect(resolve).toThrow(`--assume ${key}=`);
    expect(resolve).toThrow('seaworthy requirements --assumptions');
  });

  it.each(['signature.headers', '__proto__', 'toString'])('refuses the unknown key %s', (key) => {
    const overrides = Object.fromEntries([[key, 'x']]);
    expect(() => resolveAssumptions(definitions, overrides)).toThrow(
      expect.objectContaining({ code: 'assumption/unknown-key' }),
    );
  });

  it('knows no value of a key that is not there', () => {
    // @ts-expect-error a key that the contract does not have does not compile
    expect(() => assumptionValue(resolveAssumptions(definitions), 'colour')).toThrow(/"colour".*signature\.header/);
  });
});
