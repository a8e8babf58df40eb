import { describe, expect, test } from '@jest/globals';
import { passContent } from './pass-content.ts';
import type { PassState } from './pass-state.ts';

const card: PassState = {
  serial: 'p',
  kind: 'stamp_card',
  customerId: 'c',
  storeId: 's',
  voucherId: null,
  authToken: 'x',
  modifiedAt: '2026-06-01T12:00:00Z',
  storeName: 'Bea’s Bakery',
  logoUrl: null,
  background: null,
  stamps: 3,
  goal: 4,
  rewardTitle: 'A free coffee',
  activeVouchers: 0,
  state: 'active',
};

describe('passContent', () => {
  test('a stamp card shows its count, and its rewards only when there are some', () => {
    expect(passContent(card)).toMatchObject({ status: { value: '3 of 4' }, rewardsReady: null, barcode: 'c' });
    expect(passContent({ ...card, activeVouchers: 2 }).rewardsReady).toEqual({ label: 'Rewards ready', value: '2' });
  });

  test('a stamp card without a known goal shows the count alone', () => {
    expect(passContent({ ...card, goal: null }).status.value).toBe('3');
  });

  test('a voucher shows its state, and its own id as barcode', () => {
    const voucher = { ...card, kind: 'voucher', voucherId: 'v', state: 'redeemed' } as const;
    expect(passContent(voucher)).toMatchObject({ title: 'Bea’s Bakery voucher', status: { value: 'Used' }, barcode: 'v' });
  });
});
