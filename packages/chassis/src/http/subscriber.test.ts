import { expect, test } from '@jest/globals';
import { subscriberOf } from './subscriber.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('limits count %s as %s', (address, subscriber) => {
  expect(subscriberOf(address)).toBe(subscriber);
});
