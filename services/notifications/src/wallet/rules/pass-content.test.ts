import { describe, expect, test } from '@jest/globals';
import { passContent } from './pass-content.ts';
import type { CompletePass } from './pass-state.ts';

const card: CompletePass = {
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
  details: null,
};

describe('passContent', () => {
  test('a stamp card shows its count, and its rewards only when there are some', () => {
    expect(passContent(card)).toMatchObject({ status: { value: '3 of 4' }, rewardsReady: null, barcode: 'c' });
    expect(passContent({ ...card, activeVouchers: 2 }).rewardsReady).toEqual({ label: 'Rewards ready', value: '2' });
  });

  test('a stamp card without a known goal shows the count alone', () => {
    expect(passContent({ ...card, goal: null }).status.value).toBe('3');
  });

  test('a voucher that can be used shows its code and last day, and what redeeming it takes as barcode', () => {
    const details = { code: 'ABCDE12345', expires_at: '2026-08-29T22:59:59Z', last_day: '2026-08-29' };
    const { voucher, barcode } = passContent({ ...card, kind: 'voucher', voucherId: 'v', details });
    expect(voucher).toMatchObject({ code: { value: 'ABCDE12345' }, lastDay: { label: 'Valid until', value: '29 August 2026' } });
    expect(JSON.parse(barcode)).toEqual({ voucher_id: 'v', customer_id: 'c' });
  });

  test('a voucher that was used shows its state, and no code', () => {
    const voucher = { ...card, kind: 'voucher', voucherId: 'v', state: 'redeemed' } as const;
    expect(passContent(voucher)).toMatchObject({ title: 'Bea’s Bakery voucher', status: { value: 'Used' }, voucher: null });
  });
});
