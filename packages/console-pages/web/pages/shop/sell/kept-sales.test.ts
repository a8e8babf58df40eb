import { keptIn } from '@corner/page-kit/browser/storage';
import { expect, test } from '@jest/globals';
import { keptSales } from './kept-sales.ts';
import type { KeptSale } from './waiting.ts';

const saleOf = (id: string): KeptSale => ({
  id,
  key: id,
  by: 'bo',
  at: '2026-05-01T09:00:00Z',
  text: 'Croissant',
  total: 290,
  currency: 'GBP',
  prices: [290],
  body: { items: [] },
  isOffline: true,
  refused: null,
});

function browser() {
  const values = new Map<string, string>();
  let isFull = false;
  const storage = {
    getItem: (name: string) => values.get(name) ?? null,
    setItem(name: string, value: string) {
      if (isFull) throw new Error('full');
      values.set(name, value);
    },
    removeItem: (name: string) => values.delete(name),
  } as unknown as Storage;
  return {
    tab: () =>
      keptSales(
        keptIn(() => storage),
        'store',
      ),
    clear: () => values.clear(),
    fill: (is: boolean) => {
      isFull = is;
    },
  };
}

test('a sale that another tab has ended is not sent, nor kept again', () => {
  const { tab } = browser();
  const [one, other] = [tab(), tab()];
  one.store(saleOf('1'));
  other.end('1');
  expect(one.latest(saleOf('1'))).toBeNull();
  one.store(saleOf('1'));
  expect(one.read()).toEqual([]);
});

test('a sale that the browser has lost is sent all the same, and stored again', () => {
  const { tab, clear } = browser();
  const one = tab();
  one.store(saleOf('1'));
  clear();
  expect(one.latest(saleOf('1'))).toEqual(saleOf('1'));
  expect(tab().read()).toEqual([saleOf('1')]);
});

test('a sale that another tab has changed is sent as it is by now', () => {
  const { tab } = browser();
  tab().store(saleOf('1'));
  tab().store({ ...saleOf('1'), key: 'other' });
  expect(tab().latest(saleOf('1'))).toMatchObject({ key: 'other' });
});

test('none is dropped for another, and it is known when the browser does not take them', () => {
  const { tab, fill } = browser();
  const one = tab();
  const all = Array.from({ length: 2_100 }, (_, n) => saleOf(`${n}`));
  for (const sale of all.slice(0, -1)) one.store(sale);
  expect(one.isStored()).toBe(true);
  fill(true);
  one.store(all[2_099] as KeptSale);
  expect([one.isStored(), one.read().length, one.read()[0]?.id]).toEqual([false, 2_100, '0']);
  fill(false);
  one.end('5');
  expect([one.isStored(), tab().read().length]).toEqual([true, 2_099]);
});
