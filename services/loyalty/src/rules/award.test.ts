import { expect, test } from '@jest/globals';
import { noAward, stampsEarned } from './award.ts';

const programme = { enabled: true, min_spend_pence: 500, stamps_per_order: 3 };

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
