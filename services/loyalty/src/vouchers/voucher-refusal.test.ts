import { expect, test } from '@jest/globals';
import { voucherCode } from '../card/rules.ts';
import { type VoucherState, voucherRefusal } from './rules.ts';

test('a voucher code has ten characters, none of which is 0, 1, I or O', () => {
  let next = 0;
  const codes = Array.from({ length: 4 }, () => voucherCode((below) => next++ % below));
  expect(new Set(codes.join('')).size).toBe(32);
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
});

const nowMs = 1_000;

const voucher = (more: Partial<VoucherState>): VoucherState => ({ status: 'active', expiresAtMs: 2_000, disputed: false, ...more });

test.each([
  [null, 'VOUCHER_NOT_FOUND'],
  [voucher({ status: 'reserved' }), 'VOUCHER_RESERVED'],
  [voucher({ status: 'redeemed' }), 'VOUCHER_ALREADY_REDEEMED'],
  [voucher({ status: 'expired' }), 'VOUCHER_EXPIRED'],
  [voucher({ status: 'voided' }), 'VOUCHER_VOIDED'],
  [voucher({ expiresAtMs: nowMs }), 'VOUCHER_EXPIRED'],
])('a voucher %j is refused with %s', (state, code) => {
  expect(voucherRefusal(state, nowMs)).toEqual({ code });
});

test('a disputed voucher is refused as reserved, with the reason', () => {
  expect(voucherRefusal(voucher({ disputed: true }), nowMs)).toMatchObject({
    code: 'VOUCHER_RESERVED',
    message: expect.stringMatching(/disputed/),
  });
});

test('a disputed voucher past its last day is refused as expired', () => {
  expect(voucherRefusal(voucher({ disputed: true, expiresAtMs: nowMs }), nowMs)).toEqual({ code: 'VOUCHER_EXPIRED' });
});
