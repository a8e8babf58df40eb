import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { createFindClient, subscriberOf } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as IncomingMessage;

test('X-Forwarded-For counts only from a trusted peer, and the caller is its last hop that is not trusted', () => {
  const find = createFindClient(['10.0.0.0/8', '2001:db8:ff::/48']);
  expect(find(from('203.0.113.7', '1.1.1.1')).address).toBe('203.0.113.7');
  expect(find(from('10.1.2.3', '6.6.6.6, 203.0.113.7')).address).toBe('203.0.113.7');
  expect(find(from('::ffff:10.1.2.3', '6.6.6.6, 203.0.113.7, 10.9.9.9')).address).toBe('203.0.113.7');
  expect(find(from('2001:db8:ff::1', '2001:db8::5')).address).toBe('2001:db8::5');
  expect(find(from('10.1.2.3')).address).toBe('10.1.2.3');
  expect(find(from('10.1.2.3', 'nonsense')).address).toBe('10.1.2.3');
  expect(find(from('10.1.2.3', '10.4.4.4')).address).toBe('10.1.2.3');
});

test('no peer is trusted by default', () => {
  expect(createFindClient([])(from('127.0.0.1', '1.1.1.1'))).toEqual({ address: '127.0.0.1', viaTrustedProxy: false });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.7', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('the rate limits count %s as %s', (address, subscriber) => {
  expect(subscriberOf(address)).toBe(subscriber);
});
