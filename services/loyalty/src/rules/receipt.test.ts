import { expect, test } from '@jest/globals';
import { receiptApproved, receiptSource, tapTime } from './receipt.ts';

const at = new Date('2026-05-08T12:00:00.000Z');

test.each([
  ['2026-05-08T11:59:00Z', '2026-05-08T11:59:00.000Z'],
  ['2026-05-08T13:30:00.250+02:00', '2026-05-08T11:30:00.250Z'],
  ['2026-05-01T12:00:00.000Z', '2026-05-01T12:00:00.000Z'],
  ['2026-05-08T12:02:00.000Z', '2026-05-08T12:02:00.000Z'],
  [null, '2026-05-08T12:00:00.000Z'],
])('a receipt with the time %s is accepted as made at %s', (given, time) => {
  expect(tapTime(given, at)).toEqual(new Date(time));
});

test.each([
  ['2026-05-01T11:59:59.999Z', 'receipt_too_old'],
  ['2026-05-08T12:02:00.001Z', 'receipt_in_future'],
  ['yesterday', 'invalid_timestamp'],
  ['', 'invalid_timestamp'],
  ['2026-05-08', 'invalid_timestamp'],
  ['2026-05-08T12:00:00', 'invalid_timestamp'],
  ['2026-02-30T12:00:00Z', 'invalid_timestamp'],
  ['1778241600000', 'invalid_timestamp'],
])('a receipt with the time %j is refused with %s', (given, fault) => {
  expect(tapTime(given, at)).toBe(fault);
});

test('a receipt cannot claim the source of another kind of stamp', () => {
  expect(['offline_nfc', 'offline_qr', 'order', 'hub', 'multi_stamp', 'nfc', null].map(receiptSource)).toEqual([
    'offline_nfc',
    'offline_qr',
    ...Array.from({ length: 5 }, () => 'offline_nfc'),
  ]);
});

test('only a verified tap that was not used approves a receipt', () => {
  const reasons = ['nfc_proof', 'no_proof', 'proof_invalid', 'tap_replayed'] as const;
  expect(reasons.filter(receiptApproved)).toEqual(['nfc_proof']);
});
