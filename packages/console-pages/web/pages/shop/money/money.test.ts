import { expect, test } from '@jest/globals';
import { parseAmount, refundFault, typedAmount } from '../../../logic/amounts.ts';
import { byDeadline, csvAddress, hoursOf, todayIn } from './day.ts';
import { comparedOf, paperText } from './report.ts';

test('a typed amount is read with a point or a comma, and refused when the currency cannot be charged so', () => {
  expect(['2.90', '2,9', '3', ' 12 '].map((text) => parseAmount(text, 'GBP'))).toEqual([290, 290, 300, 1200]);
  for (const text of ['', '0', '2.905', '-1', '1e3', 'two']) expect(parseAmount(text, 'GBP')).toBeNull();
  expect(parseAmount('1.500', 'BHD')).toBe(1500);
  expect(parseAmount('1.5', 'JPY')).toBeNull();
  expect(parseAmount('1.501', 'BHD')).toBeNull();
  expect([typedAmount(630, 'GBP'), typedAmount(1500, 'JPY')]).toEqual(['6.30', '1500']);
});

test('more than is left, and what is no amount, is not refunded', () => {
  const faults = ['20.90', '20.91', '0', 'all'].map((typed) => refundFault(typed, 2_090, 'GBP', 'en-GB'));
  expect(faults).toEqual(['', 'Only £20.90 is left to refund.', '“0” is not an amount in GBP.', '“all” is not an amount in GBP.']);
});

const entry = (at: string, amount: number) => ({
  at,
  amount,
  kind: 'charge' as const,
  order_id: 'o',
  order_number: 'S1-1',
  fee: 0,
  provider_id: 'pi_1',
});

test('each hour of the store’s day has what came in and what went out', () => {
  const entries = [entry('2026-05-01T08:59:59Z', 300), entry('2026-05-01T08:10:00Z', 200), entry('2026-05-01T09:00:00Z', -100)];
  const hours = hoursOf(entries, 'Europe/London');
  expect(hours).toHaveLength(24);
  expect(hours[9]).toEqual({ hour: 9, taken: 500, returned: 0 });
  expect(hours[10]).toEqual({ hour: 10, taken: 0, returned: 100 });
});

test('the comparison with the provider covers a range that ended before it, the first part of one that it falls into, and nothing of a later one', () => {
  const agreedAt = '2026-05-01T20:12:00Z';
  const compared = (from: string, to = from) => comparedOf({ from, to }, agreedAt, 'Europe/London');
  expect([compared('2026-04-30'), compared('2026-05-01'), compared('2026-05-02')]).toEqual(['all', 'earlier', 'none']);
  expect(compared('2026-04-01', '2026-05-31')).toBe('earlier');
  expect(comparedOf({ from: '2026-05-01', to: '2026-05-01' }, '2026-05-01T23:30:00Z', 'Europe/London')).toBe('all');
});

test('today is the day of the store', () => {
  expect(todayIn(new Date('2026-05-01T23:30:00Z'), 'Europe/London')).toBe('2026-05-02');
  expect(csvAddress('s', '2026-05-01')).toBe('/api/shop/s/money.csv?date=2026-05-01');
});

test('the dispute to answer first is at the top', () => {
  const dispute = (order_id: string, respond_by: string | null) => ({
    order_id,
    respond_by,
    order_number: 'S1-1',
    state: 'open',
    amount: 1,
  });
  const disputes = [dispute('none', null), dispute('later', '2026-05-09T00:00:00Z'), dispute('first', '2026-05-02T00:00:00Z')];
  expect(byDeadline(disputes).map(({ order_id }) => order_id)).toEqual(['first', 'later', 'none']);
});

test.each([
  ['h', 'complete', 'The paper has the hash of the day’s proof, and its signature fits.'],
  ['h', 'not_complete', 'The paper has the hash of the day’s proof, but what the proof says does not hold: see below.'],
  ['other', 'complete', 'The paper differs: it names the hash h, and the day’s proof now has other.'],
  [null, 'not_complete', 'The paper names the hash h, and the day has no proof now.'],
] as const)('a paper with the hash h, of a day whose proof has %s and is %s: %s', (hash, state, text) => {
  expect(paperText('h', { hash, state })).toBe(text);
});
