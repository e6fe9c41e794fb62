import { describe, expect, it } from 'vitest';

import { openContract } from '../../runner/options/openContract.ts';
import { unlikeBefore } from '../../suites/receiver/unlikeBefore.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import type { Json } from '../../generators/json/json.ts';

/** What this function asks of a kit, with ids of a contract whose ids are no hexadecimal numbers. */
function kitOf(name: string): ReceiverKit {
  let ids = 0;
  const contract = openContract({ contract: name });
  return { contract, freshId: () => `msg_${(ids += 1)}` } as unknown as ReceiverKit;
}

const time = 1_700_000_000;

function stripeEvent(object: { readonly [name: string]: Json }) {
  return {
    event: 'invoice.paid',
    value: {
      id: 'evt_000000000000000000000000',
      object: 'event',
      api_version: '2024-06-20',
      created: time,
      data: { object },
      livemode: false,
      pending_webhooks: 0,
      request: null,
      type: 'invoice.paid',
    },
  };
}

const invoice = {
  id: 'in_000000000000000000000000',
  object: 'invoice',
  customer: 'cus_00000000000000',
  total: 0,
  status: 'paid',
};

interface Made {
  readonly id: string;
  readonly created: number;
  readonly data: { readonly object: Readonly<Record<string, Json>> };
}

describe('a notification unlike any before', () => {
  const kit = kitOf('stripe');
  const drawn = stripeEvent({
    ...invoice,
    list: [{ id: 7 }, { id: 7 }],
    note: 'one of eight characters',
    customer_id: 'x',
    idempotency_key: 'order of today',
    orderNumber: 7,
  });
  const made = Array.from({ length: 20 }, () => unlikeBefore(kit, drawn).value as unknown as Made);

  it('names other things each time, in the form of the schema, and keeps its own id', () => {
    const { validate } = kit.contract.events.find(({ name }) => name === 'invoice.paid')!;
    expect(made.filter((each) => !validate(each))).toEqual([]);
    expect(new Set(made.map(({ data }) => data.object['id'])).size).toBe(20);
    expect(new Set(made.map(({ data }) => JSON.stringify(data.object['list']))).size).toBe(20);
    expect(new Set(made.map(({ data }) => data.object['idempotency_key'])).size).toBe(20);
    expect(new Set(made.map(({ data }) => data.object['orderNumber'])).size).toBe(20);
    expect(new Set(made.map(({ id }) => id))).toEqual(new Set([drawn.value.id]));
  });

  it('leaves words and amounts as they are, and names the same thing by the same id', () => {
    for (const { data } of made) {
      const { object, total, status, note, list } = data.object;
      expect({ object, total, status, note }).toEqual({
        object: 'invoice',
        total: 0,
        status: 'paid',
        note: 'one of eight characters',
      });
      const [one, other] = list as readonly Json[];
      expect(one).toEqual(other);
    }
  });

  it('has a time of its own', () => {
    const times = made.map(({ created }) => created);
    expect(new Set(times).size).toBeGreaterThan(15);
    expect(times.every((each) => each <= time && each > time - 900)).toBe(true);
  });

  it('keeps an id of which the schema allows no other', () => {
    const { event, value } = stripeEvent({ ...invoice, account_id: 'acct_1' });
    const only = { ...kit.contract.events.find(({ name }) => name === event)! };
    const isOfAccount = (each: unknown) => (each as Made).data.object['account_id'] === 'acct_1';
    const contract = { ...kit.contract, events: [{ ...only, validate: isOfAccount }] };
    const { data } = unlikeBefore({ ...kit, contract } as unknown as ReceiverKit, { event, value })
      .value as unknown as Made;
    expect(data.object['account_id']).toBe('acct_1');
    expect(data.object['id']).not.toBe(invoice.id);
  });

  it.each([
    ['a letter that the schema spells out', { parcel: 'P123456789' }, /^P\d{9}$/],
    ['a digit that the schema spells out', { at: '1700000000.123456' }, /^1\d{9}\.\d{6}$/],
    ['letters that the schema spells out', { iban: 'NO0000000000000' }, /^NO\d{13}$/],
    ['an amount, where there is no id', { currency: 'EUR', amount: '1000.00' }, /^\d+\.\d\d$/],
    ['a number, where there is no id', { currency: 'EUR', amount: 5 }, /^\d+$/],
  ])('names other things in spite of %s', (_, object, form) => {
    const [member = ''] = Object.keys(object).slice(-1);
    const isOfForm = (each: unknown) => {
      const { [member]: text, currency = 'EUR' } = (each as Made).data.object;
      return form.test(`${text as string}`) && currency === 'EUR';
    };
    const only = { ...kit.contract.events.find(({ name }) => name === 'invoice.paid')!, validate: isOfForm };
    const contract = { ...kit.contract, events: [only] };
    const others = Array.from(
      { length: 20 },
      () => unlikeBefore({ ...kit, contract } as unknown as ReceiverKit, stripeEvent(object)).value as unknown as Made,
    );
    expect(others.filter((each) => !isOfForm(each))).toEqual([]);
    expect(new Set(others.map(({ data }) => data.object[member])).size).toBeGreaterThan(15);
  });
});
