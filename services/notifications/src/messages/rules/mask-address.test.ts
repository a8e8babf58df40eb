import { expect, test } from '@jest/globals';
import { maskAddress } from './channels.ts';

test.each([
  ['email', 'ana@example.com', 'a…@example.com'],
  ['email', 'a@example.com', '…@example.com'],
  ['sms', '+447700900123', '…23'],
  ['push', 'device-token-7f', '…7f'],
  ['push', null, null],
  ['email', '', null],
] as const)('by %s, %s is shown as %s', (channel, address, masked) => {
  expect(maskAddress(channel, address)).toBe(masked);
});
