import { describe, expect, test } from '@jest/globals';
import { cacheSignedPasses } from './adapters/apple-wallet.ts';
import { type CompletePass, passColours, passContent, toRgb } from './rules.ts';

const card: CompletePass = {
  serial: 'p',
  kind: 'stamp_card',
  customerId: 'c',
  storeId: 's',
  voucherId: null,
  authToken: 'x',
  modifiedAt: '2026-06-01T12:00:00Z',
  storeName: 'Bea’s Bakery',
  language: 'en',
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

  test('a pass is in the language of its store', () => {
    expect(passContent({ ...card, language: 'fr', activeVouchers: 2 })).toMatchObject({
      title: 'Carte de fidélité Bea’s Bakery',
      status: { label: 'Tampons', value: '3 sur 4' },
      reward: { label: 'Récompense' },
      rewardsReady: { label: 'Récompenses disponibles' },
    });
    const details = { code: 'ABCDE12345', expires_at: '2026-08-29T22:59:59Z', last_day: '2026-08-29' };
    const { voucher } = passContent({ ...card, language: 'fr', kind: 'voucher', voucherId: 'v', details });
    expect(voucher?.lastDay).toEqual({ label: 'Valable jusqu’au', value: '29 août 2026' });
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

describe('passColours', () => {
  test('text is black on a light background and white on a dark one', () => {
    const foregrounds = ['#ffffff', '#f4e3c1', '#777777', '#112233', '#000000'].map((colour) => passColours(colour).foreground);
    expect(foregrounds).toEqual(['#000000', '#000000', '#000000', '#ffffff', '#ffffff']);
  });

  test('a store without a colour gets the default background', () => {
    expect(passColours(null)).toEqual({ background: '#1f2a44', foreground: '#ffffff' });
  });

  test('a colour converts to Apple’s notation', () => {
    expect(toRgb('#f4e3c1')).toBe('rgb(244, 227, 193)');
  });
});

describe('cacheSignedPasses', () => {
  const aPass = (serial: string, stamps = 1): CompletePass => ({ ...card, serial, stamps });

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
});
