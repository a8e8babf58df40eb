import { describe, expect, test } from '@jest/globals';
import { decideReversal, noAward, type OrderStamp, reversalEffect, stampsEarned } from './rules.ts';

describe('awards:', () => {
  const programme = { enabled: true, driver: 'orders', min_spend_pence: 500, stamps_per_order: 3 } as const;

  test('an order earns the programme’s stamps from its minimum spend on', () => {
    expect(stampsEarned(programme, { net_of_tip_pence: 500 })).toBe(3);
    expect(stampsEarned(programme, { net_of_tip_pence: 499 })).toBe(0);
  });

  test('a disabled programme awards nothing', () => {
    expect(stampsEarned({ ...programme, enabled: false }, { net_of_tip_pence: 10_000 })).toBe(0);
  });

  test('an order that earned nothing still reports the card’s count and goal', () => {
    expect(noAward(3, 2)).toMatchObject({ awarded: false, stamps_added: 0, stamp_count: 2, goal: 3, voucher_minted: false });
  });
});

describe('reversals:', () => {
  const stamp = (id: string, more: Partial<OrderStamp> = {}): OrderStamp => ({ id, voucher: null, paidDebt: false, ...more });

  describe('decideReversal', () => {
    test('takes an unused stamp back and does nothing else', () => {
      expect(decideReversal([stamp('a')])).toEqual({ reverse: ['a'], voidVouchers: [], indebting: [] });
    });

    test('voids an active voucher once, however many of its stamps the order earned', () => {
      const voucher = { id: 'v', status: 'active' } as const;
      expect(decideReversal([stamp('a', { voucher }), stamp('b', { voucher })])).toEqual({
        reverse: ['a', 'b'],
        voidVouchers: ['v'],
        indebting: [],
      });
    });

    test.each(['reserved', 'redeemed'] as const)('leaves a debt for a stamp whose voucher is %s', (status) => {
      expect(decideReversal([stamp('a', { voucher: { id: 'v', status } })])).toEqual({
        reverse: ['a'],
        voidVouchers: [],
        indebting: ['a'],
      });
    });

    test('leaves a debt for a stamp that paid a debt', () => {
      expect(decideReversal([stamp('a', { paidDebt: true })]).indebting).toEqual(['a']);
    });

    test.each(['expired', 'voided'] as const)('leaves no debt for a stamp whose voucher is %s', (status) => {
      expect(decideReversal([stamp('a', { voucher: { id: 'v', status } })])).toEqual({ reverse: ['a'], voidVouchers: [], indebting: [] });
    });

    test('of no stamps is nothing', () => {
      expect(decideReversal([])).toEqual({ reverse: [], voidVouchers: [], indebting: [] });
    });
  });

  test.each([
    [false, false, 'none'],
    [true, true, 'none'],
    [false, true, 'reverse'],
    [true, false, 'reinstate'],
  ] as const)('an order that was reversed (%s) and now is (%s): %s', (before, now, effect) => {
    expect(reversalEffect({ before, now })).toBe(effect);
  });
});
