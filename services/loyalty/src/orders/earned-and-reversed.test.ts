import { describe, expect, test } from '@jest/globals';
import { decideReversal, noAward, type OrderStamp, reversalEffect, whyNoStamp } from './rules.ts';

describe('awards:', () => {
  const programme = { enabled: true, driver: 'orders', min_spend_pence: 500, stamps_per_order: 3 } as const;
  const spent = (net_of_tip_pence: number) => ({ net_of_tip_pence });

  test('an order earns stamps from the programme’s minimum spend on', () => {
    expect(whyNoStamp(programme, spent(500))).toBeNull();
    expect(whyNoStamp(programme, spent(499))).toEqual({ reason: 'below_min_spend', min_spend_pence: 500 });
  });

  test.each([
    ['no_programme', null],
    ['programme_off', { ...programme, enabled: false }],
    ['rewards_visits', { ...programme, driver: 'visits' as const }],
    ['rewards_membership', { ...programme, driver: 'membership' as const }],
    ['no_stamps_for_orders', { ...programme, stamps_per_order: 0 }],
  ])('the reason is %s', (reason, rules) => {
    expect(whyNoStamp(rules, spent(10_000))).toEqual({ reason, min_spend_pence: null });
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
