import { expect, test } from '@jest/globals';
import type { CompletePass } from '../rules/pass-state.ts';
import { cacheSignedPasses } from './cache-signed-passes.ts';

const aPass = (serial: string, stamps = 1): CompletePass => ({
  serial,
  kind: 'stamp_card',
  customerId: 'c',
  storeId: 's',
  voucherId: null,
  authToken: 'x',
  modifiedAt: '2026-06-01T12:00:00Z',
  storeName: 'Bea’s Bakery',
  logoUrl: null,
  background: null,
  stamps,
  goal: 4,
  rewardTitle: null,
  activeVouchers: 0,
  state: 'active',
  details: null,
});

function counting() {
  let signed = 0;
  const sign = cacheSignedPasses(({ serial, stamps }) => {
    signed += 1;
    return Buffer.from(`${serial} ${stamps}`);
  });
  return { sign, signed: () => signed };
}

test('a pass is signed once; a changed pass is signed again although its date is the same', () => {
  const { sign, signed } = counting();
  for (let i = 0; i < 100; i += 1) expect(String(sign(aPass('a')))).toBe('a 1');
  expect(String(sign(aPass('b')))).toBe('b 1');
  expect(signed()).toBe(2);
  expect(String(sign(aPass('a', 2)))).toBe('a 2');
  expect(String(sign(aPass('a', 2)))).toBe('a 2');
  expect(signed()).toBe(3);
});

test('the least recently used bundle is dropped when the cache is full', () => {
  const { sign, signed } = counting();
  for (let i = 0; i < 500; i += 1) sign(aPass(String(i)));
  sign(aPass('0'));
  sign(aPass('one more'));
  expect(signed()).toBe(501);
  sign(aPass('0'));
  expect(signed()).toBe(501);
  sign(aPass('1'));
  expect(signed()).toBe(502);
});
