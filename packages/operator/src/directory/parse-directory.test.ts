import { demoDirectory } from '@corner/sandbox/demo';
import { describe, expect, test } from '@jest/globals';
import { accountsIn, DirectoryFaults, parseDirectory } from './parse-directory.ts';

const store = { id: '0190a000-0000-7000-8000-000000000001', code: 'S1', name: 'Corner Coffee', connected_account_id: 'acct_a' };

function faultsOf(content: unknown): readonly string[] {
  try {
    parseDirectory(content);
  } catch (error) {
    if (error instanceof DirectoryFaults) return error.faults;
    throw error;
  }
  return [];
}

describe('parsing a directory', () => {
  test('optional fields get their defaults', () => {
    expect(parseDirectory({ stores: [store] }).stores[0]).toMatchObject({ currency: 'GBP', status: 'live', called_hold_minutes: 5 });
  });

  test('every fault is listed at once, with its place in the file', () => {
    const faults = faultsOf({
      stores: [store, { ...store, id: 'no id', code: 'S2', fee_bps: 9_000 }],
      menus: [{ store_id: store.id, items: [{ id: 'tea', name: 'Tea', price_pence: 2.5 }] }],
      customers: [{ name: 'Ana' }],
      shops: [],
    });
    expect(faults).toContain('customers[0].id: is required');
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'stores[1].id',
      'stores[1].fee_bps',
      'menus[0].items[0].price_pence',
      'customers[0].id',
      'shops',
    ]);
  });

  test('a field that no snapshot has is rejected at any depth', () => {
    const faults = faultsOf({
      stores: [{ ...store, branding: { logo: 'https://shop.example/logo.png' } }],
      programmes: [{ store_id: store.id, approval_mode: 'auto', multi_stamp: { enable: false } }],
    });
    expect(faults).toEqual([
      'stores[0].branding.logo: is not known here',
      'programmes[0].approval_mode: is not known here',
      'programmes[0].multi_stamp.enable: is not known here',
    ]);
  });

  test('a store is in one programme of others, with the currency of its home', () => {
    const [home, other, branch] = [1, 2, 3].map((n) => `0190a000-0000-7000-8000-00000000000${n}`) as [string, string, string];
    const programmes = [
      { store_id: home, store_ids: [branch] },
      { store_id: other, store_ids: [branch] },
    ];
    const stores = [home, other, branch].map((id, n) => ({ id, code: `S${n}`, name: 'S', currency: n === 1 ? 'EUR' : 'GBP' }));
    expect(faultsOf({ stores, programmes: programmes.slice(0, 1) })).toEqual([]);
    expect(faultsOf({ stores, programmes })).toEqual([
      `programmes[1].store_ids[0]: ${branch} is in the programme of ${home} already`,
      `programmes[1].store_ids[0]: the currency of ${branch} is GBP, that of the programme’s home EUR`,
    ]);
  });

  test('entries that are valid by themselves but contradict each other are rejected', () => {
    const service = '0190a000-0000-7000-8000-000000000701';
    const faults = faultsOf({
      stores: [store, { ...store, code: 's1' }],
      slots: [{ store_id: store.id, slots: [{ id: store.id, starts_at: '2026-01-05T10:00:00Z', ends_at: '2026-01-05T10:00:00Z' }] }],
      floors: [{ store_id: store.id, services: [], units: [{ id: store.id, name: 'Chair', service_ids: [service] }] }],
    });
    expect(faults).toEqual([
      `stores[1].id: ${store.id} is in stores[0] already`,
      'stores[1].code: S1 is in stores[0] already',
      'slots[0].slots[0].ends_at: must be after starts_at',
      `floors[0].units[0].service_ids[0]: ${service} is no service of this floor`,
    ]);
  });

  test('a currency that the payment provider cannot charge is rejected, and its letters may be of any case', () => {
    expect(parseDirectory({ stores: [{ ...store, currency: 'kwd' }] }).stores[0]).toMatchObject({ currency: 'KWD' });
    const other = { ...store, id: '0190a000-0000-7000-8000-000000000002', code: 'S2', currency: 'BTC' };
    expect(faultsOf({ stores: [store, other] })).toEqual(['stores[1].currency: must be a currency that the payment provider can charge']);
  });

  test('prices and discounts that cannot be charged in the store’s currency are rejected', () => {
    const promo = (id: string, value: number, kind = 'amount') => ({ id: `0190a000-0000-7000-8000-000000000${id}`, code: id, kind, value });
    const items = [
      { id: 'tea', name: 'Tea', price_pence: 1_250 },
      { id: 'dates', name: 'Dates', price_pence: 1_255 },
      {
        id: 'bowl',
        name: 'Bowl',
        price_pence: 1_250,
        options: [{ id: 'o', name: 'With', choices: [{ id: 'nuts', name: 'Nuts', price_pence: 15 }] }],
      },
    ];
    const faults = faultsOf({
      stores: [{ ...store, currency: 'KWD' }],
      menus: [{ store_id: store.id, items, promos: [promo('c01', 15), promo('c02', 15, 'percent'), promo('c03', 20)] }],
      programmes: [{ store_id: store.id, reward: { kind: 'amount', value: 301 } }],
    });
    const why = "must be a multiple of 10, because the store's currency is KWD";
    expect(faults).toEqual([
      `menus[0].items[1].price_pence: ${why}`,
      `menus[0].items[2].options[0].choices[0].price_pence: ${why}`,
      `menus[0].promos[0].value: ${why}`,
      `programmes[0].reward.value: ${why}`,
    ]);
  });

  test('a closure that does not end after it starts is rejected', () => {
    const closures = [
      { starts_at: '2026-12-24T00:00:00Z', ends_at: '2026-12-27T00:00:00Z' },
      { starts_at: '2026-12-31T00:00:00Z', ends_at: '2026-12-31T00:00:00Z' },
    ];
    expect(faultsOf({ stores: [{ ...store, closures }] })).toEqual(['stores[0].closures[1].ends_at: must be after starts_at']);
  });

  test('a value that is not an object is rejected with a sentence', () => {
    expect(faultsOf([])[0]).toMatch(/^the file: /);
  });
});

describe('the demo directory', () => {
  const noon = new Date('2026-07-14T12:00:00Z');

  test('has no fault, and names the connected accounts of both stores', () => {
    expect(accountsIn(parseDirectory(demoDirectory(noon)))).toEqual(['acct_cornercoffee', 'acct_cornercuts']);
  });

  test('is about today: at every moment of it there is one slot and one shift', () => {
    const { slots, floors } = parseDirectory(demoDirectory(noon));
    const covers = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }) =>
      Date.parse(starts_at) <= noon.getTime() && noon.getTime() < Date.parse(ends_at);
    expect(slots[0]?.slots.filter(covers)).toHaveLength(1);
    for (const unit of floors[0]?.units ?? []) expect(unit.shifts.filter(covers)).toHaveLength(1);
    expect(slots[0]?.slots.some(({ starts_at }) => Date.parse(starts_at) > noon.getTime() + 12 * 3_600_000)).toBe(true);
  });
});
