import { expect, test } from 'vitest';

import { isLocalAddress, isWithin, type Lookup } from '../../../runner/http/access.ts';

const never: Lookup = () => Promise.reject(new Error('not to be looked up'));

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.4.4',
  '[::1]',
  '::1',
  '[::]',
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
  '169.254.10.10',
  'fe80::1%eth0',
  '[fd00:ec2::254]',
  '0.1.2.3',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::1',
  '::127.0.0.1',
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

test('a name of localhost is where it leads, and local where it leads nowhere', async () => {
  expect(await isLocalAddress('hooks.localhost', resolvesTo('127.0.0.1', '::1'))).toBe(true);
  expect(await isLocalAddress('hooks.localhost', resolvesTo('192.0.2.1'))).toBe(false);
  expect(await isLocalAddress('LOCALHOST.', resolvesTo('127.0.0.1', '192.0.2.1'))).toBe(false);
});

test.each([
  ['127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::', 'loopback'],
  ['192.168.1.1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['fd12::1', 'private'],
  ['8.8.8.8', 'routable'],
  ['64:ff9b::8.8.8.8', 'routable'],
  ['169.254.169.254', 'anywhere'],
  ['::ffff:169.254.169.254', 'anywhere'],
  ['::ffff:a9fe:a9fe', 'anywhere'],
  ['::a9fe:a9fe', 'anywhere'],
  ['64:ff9b::a9fe:a9fe', 'anywhere'],
  ['64:ff9b:1::a9fe:a9fe', 'anywhere'],
  ['2002:a9fe:a9fe::1', 'anywhere'],
  ['fe80::1%eth0', 'anywhere'],
  ['febf::1', 'anywhere'],
  ['fd00:ec2::254', 'anywhere'],
  ['fd20:ce::254', 'anywhere'],
  ['100.100.100.200', 'anywhere'],
] as const)('%s is %s', (address, nearest) => {
  const all = ['loopback', 'private', 'routable', 'anywhere'] as const;
  expect(all.filter((reach) => isWithin(address, reach))).toEqual(all.slice(all.indexOf(nearest)));
});
