import { expect, test } from '@jest/globals';
import { accountState, matchedText, nextPayoutText, payoutState, requirementTexts } from './payment-texts.ts';

const works = {
  mode: 'test' as const,
  last4: '1234',
  connected: true,
  accepts_orders: true,
  details_submitted: true,
  payouts_enabled: true,
  requirements: { currently_due: [] as string[], past_due: [] as string[], deadline: null },
  reasons: [],
};
const stateOf = (change: Partial<typeof works>) => accountState({ ...works, ...change }).title;

test('a payment account says whether customers can order, and what to do', () => {
  expect(accountState(null)).toMatchObject({ title: 'No payment account', action: 'Set up payments' });
  expect(stateOf({})).toBe('Payments work');
  expect(stateOf({ accepts_orders: false, details_submitted: false })).toBe('Not finished');
  expect(stateOf({ accepts_orders: false })).toBe('No payments');
  expect(stateOf({ connected: false })).toBe('Ready');
  expect(stateOf({ payouts_enabled: false })).toBe('No payouts');
  expect(stateOf({ requirements: { currently_due: ['external_account'], past_due: [], deadline: null } })).toBe('Something is missing');
});

test('requirements of the provider are said in words, each once, and as the provider says them where they are not known', () => {
  const names = [
    'external_account',
    'person_1QxY.address.city',
    'representative.dob.day',
    'individual.verification.document',
    'settings.odd_one',
  ];
  expect(requirementTexts(names)).toEqual([
    'a bank account for payouts',
    'details of the person in charge',
    'a proof of identity',
    'settings odd one',
  ]);
});

const payout = (change: object) => ({
  id: 'po_1',
  amount_pence: 1240,
  currency: 'GBP',
  status: 'in_transit',
  arrival_date: '2026-12-01',
  created_at: '2026-11-27T00:00:00Z',
  failure: null,
  matched: { orders: 3, amount_pence: 1240, other_pence: 0 },
  ...change,
});

test('the next payout says what comes, and on which day; one that has arrived or failed does not come', () => {
  const later = payout({ arrival_date: '2026-12-03', status: 'pending', amount_pence: 9900 });
  expect(nextPayoutText([later, payout({})])).toBe('£12.40 comes on Tuesday 1 December.');
  expect(nextPayoutText([payout({ status: 'paid' }), payout({ status: 'failed' })])).toBeNull();
});

test('a payout says which orders it pays, and what else', () => {
  expect(matchedText(payout({}))).toBe('3 orders: £12.40');
  expect(matchedText(payout({ matched: { orders: 1, amount_pence: 1300, other_pence: -60 } }))).toBe('1 order: £13.00; other: -£0.60');
  expect(matchedText(payout({ matched: null }))).toBeNull();
  expect(payoutState('paid')).toEqual(['good', 'paid']);
  expect(payoutState('new_state')).toEqual(['quiet', 'new_state']);
});
