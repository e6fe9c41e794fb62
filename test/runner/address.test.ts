import { expect, test } from 'vitest';

import { isLocalAddress, type Lookup } from '../../runner/address.ts';

const never: Lookup = () => Promise.reject(new Error('not to be looked up'));

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.4.4',
  '169.254.10.10',
  '[::1]',
  '::1',
  '[::]',
  'fe80::1%eth0',
  '[fd12:3456::1]',
  '::ffff:192.168.1.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'hooks.localhost',
])('%s is local', async (host) => {
  expect(await isLocalAddress(host, never)).toBe(true);
});

test.each([
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.169.0.1',
  '100.64.0.1',
  '11.0.0.1',
  '[2001:db8::1]',
  'fec0::1',
  '::ffff:8.8.8.8',
])('%s is remote', async (host) => {
  expect(await isLocalAddress(host, never)).toBe(false);
});

function resolvesTo(...addresses: readonly string[]): Lookup {
  return () => Promise.resolve(addresses.map((address) => ({ address })));
}

test('a name is local where all its addresses are', async () => {
  expect(await isLocalAddress('receiver.test', resolvesTo('10.0.0.1', 'fd00::1'))).toBe(true);
  expect(await isLocalAddress('receiver.test', resolvesTo('10.0.0.1', '8.8.8.8'))).toBe(false);
  expect(await isLocalAddress('receiver.test', resolvesTo())).toBe(false);
});

test('a name that is not known is not local', async () => {
  expect(await isLocalAddress('receiver.test', never)).toBe(false);
  expect(await isLocalAddress('localhost.receiver.invalid')).toBe(false);
});
