import { expect, test } from '@jest/globals';
import { accountState, requirementTexts } from './payment-texts.ts';

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
