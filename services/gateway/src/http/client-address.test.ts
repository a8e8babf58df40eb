import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { createFindClient } from './client-address.ts';

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
