// covers: readDirectoryMenu, changeMenu, readSlots, changeSlots, readProgramme, changeProgramme, readFloor, changeFloor
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const item = (id: string, price_pence = 300) => ({ id, name: id, price_pence });
const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
const at = (time: string) => `2026-05-02T${time}:00Z`;

describe.each(['menu', 'slots', 'programme', 'floor'] as const)('the %s of a store', (kind) => {
  const change = { menu: { items: [item('a')] }, slots: { template: [] }, programme: { goal: 7 }, floor: { services: [] } }[kind];

  test('that no one has made has version 0, and the first change makes it', async () => {
    const blank = await shop.get(`/${kind}`);
    expect([blank.status, blank.etag, blank.body[kind].store_id]).toEqual([200, '"0"', shop.storeId]);
    expect(await shop.snapshots(kind)).toEqual([]);
    const made = await shop.patch(`/${kind}`, change, { match: 0 });
    expect([made.status, made.body.version, made.etag]).toEqual([200, 1, '"1"']);
    expect(Object.keys(made.body)).toEqual(['version', kind]);
    expect(await shop.snapshots(kind)).toMatchObject([{ sequence: 1, data: { store_id: shop.storeId, version: 1 } }]);
  });

  test('is refused to customers and other stores, changes to staff, and is not found without a store', async () => {
    const other = await openShop(running);
    const customer = await running.issuer.token({ typ: 'customer' });
    expect(refusal(await shop.get(`/${kind}`, { token: customer }))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    expect(refusal(await shop.patch(`/${kind}`, change, { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(refusal(await shop.patch(`/${kind}`, change, { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const asStaff = await shop.get(`/${kind}`, { role: 'staff' });
    expect(refusal(asStaff)).toEqual(kind === 'programme' ? [403, 'INSUFFICIENT_ROLE'] : [200, undefined]);
    const id = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id, role: 'owner' }] });
    expect(refusal(await shop.get(`//stores/${id}/${kind}`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.patch(`//stores/${id}/${kind}`, change, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});

describe('ids and codes that are not the store’s own', () => {
  test('a promo code or a slot with an id that another store has, or ever had, is refused with its field', async () => {
    const other = await openShop(running);
    const promo = { id: randomUUID(), code: 'OWN', kind: 'amount', value: 100 };
    const slot = { id: randomUUID(), starts_at: at('09:00'), ends_at: at('09:15') };
    expect((await shop.patch('/menu', { promos: [promo] })).status).toBe(200);
    expect((await shop.patch('/slots', { slots: [slot] })).status).toBe(200);
    const refused = await other.patch('/menu', { promos: [{ ...promo, id: promo.id.toUpperCase() }] });
    expect(refusal(refused)).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.error.message).toBe(`promos.${promo.id}.id: another store has this id; choose another`);
    expect(refusal(await other.patch('/slots', { slots: [slot] }))).toEqual([400, 'VALIDATION_FAILED']);
    await shop.patch('/menu', { remove_promos: [promo.id] });
    expect(refusal(await other.patch('/menu', { promos: [promo] }))).toEqual([400, 'VALIDATION_FAILED']);
    expect((await shop.patch('/menu', { promos: [{ ...promo, value: 50 }] })).status).toBe(200);
  });

  test('two promo codes that are typed alike are refused, and both are named', async () => {
    const promos = [
      { id: randomUUID(), code: 'café-1', kind: 'amount', value: 100 },
      { id: randomUUID(), code: 'CAFE\u0301–１', kind: 'amount', value: 200 },
    ];
    const refused = await shop.patch('/menu', { promos });
    expect(refusal(refused)).toEqual([400, 'VALIDATION_FAILED']);
    for (const { id } of promos) expect(refused.body.error.message).toContain(id);
  });

  test('a name that shows nothing is refused, of an item, a service or a chair', async () => {
    for (const name of ['   ', '\u00a0', '\u200b\u2060']) {
      const refused = await shop.patch('/menu', { items: [{ ...item('x'), name }] });
      expect([refusal(refused), refused.body.error.message]).toEqual([[400, 'VALIDATION_FAILED'], 'items.x.name: must not be blank']);
    }
    const floor = { services: [{ id: randomUUID(), name: '\u3164', minutes: 10 }] };
    expect(refusal(await shop.patch('/floor', floor))).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('a menu', () => {
  test('gets new items at the end, keeps what a change does not name, loses what is removed, and takes an order', async () => {
    await shop.patch('/menu', { items: [item('a'), item('b'), { ...item('c'), vat_rate_bps: 2000 }] }, { role: 'manager' });
    const changed = await shop.patch('/menu', { items: [{ id: 'c', price_pence: 350 }, item('d')], remove: ['b', 'gone'], order: ['d'] });
    expect(idsOf(changed.body.menu.items)).toEqual(['d', 'a', 'c']);
    expect(changed.body.menu.items.at(-1)).toMatchObject({ price_pence: 350, vat_rate_bps: 2000, prep_minutes: 5, available: true });
    expect((await shop.snapshots('menu')).at(-1)?.data.items).toEqual(changed.body.menu.items);
  });

  test('that was stored before an item had options has none, and its next change is logged as that change alone', async () => {
    await shop.patch('/menu', { items: [item('a')] });
    await running.service.database.query(sql.type(z.object({}))`
      update object set data = jsonb_set(data, '{items,0}', (data #> '{items,0}') - 'options' - 'diet' - 'allergens')
      where kind = 'menu' and store_id = ${shop.storeId}`);
    expect((await shop.get('/menu')).body.menu.items).toMatchObject([{ id: 'a', options: [], diet: [], allergens: null }]);
    await shop.patch('/menu', { items: [{ id: 'a', price_pence: 310 }] });
    const [entry] = (await shop.get('/log')).body.entries;
    expect(entry.fields).toEqual([{ field: 'items.a.price_pence', from: '300', to: '310' }]);
  });

  test('has choices that are one thing in all items, and cost what the currency can charge', async () => {
    const choice = { id: 'oat', name: 'Oat milk', price_pence: 40 };
    const withMilk = (id: string, change: object = {}) => ({
      ...item(id),
      options: [{ id: 'milk', name: 'Milk', choices: [{ ...choice, ...change }] }],
    });
    expect((await shop.patch('/menu', { items: [withMilk('a'), withMilk('b', { price_pence: 50 })] })).status).toBe(200);
    const refused = await shop.patch('/menu', { items: [withMilk('c', { name: 'Oat' })] });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'items.c.options.milk.choices.oat.name: is Oat milk in another option; one id is one thing',
    ]);
  });

  test('has promo codes that are changed as its items are', async () => {
    const id = randomUUID();
    await shop.patch('/menu', { promos: [{ id, code: 'SPRING', kind: 'percent', value: 10, max_uses: 50 }] });
    const ended = await shop.patch('/menu', { promos: [{ id, active: false }] });
    expect(ended.body.menu.promos).toMatchObject([{ code: 'SPRING', max_uses: 50, active: false }]);
    expect((await shop.patch('/menu', { remove_promos: [id] })).body.menu.promos).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a new item without a price', { items: [{ id: 'x', name: 'X' }] }, 'items.x.price_pence: is required'],
    ['an item without a name', { items: [{ ...item('x'), name: '' }] }, 'body.items[0].name'],
    [
      'more than a hundred percent',
      { promos: [{ id: '0190a000-0000-7000-8000-000000000501', code: 'A', kind: 'percent', value: 101 }] },
      '.value: must be at most 100',
    ],
    ['an unknown item in the order', { order: ['nothing'] }, 'order: there is no nothing'],
    ['501 items', { items: Array.from({ length: 501 }, (_, n) => item(`i${n}`)) }, 'body.items'],
    [
      'two promo codes that are one',
      { promos: ['a', 'A'].map((code) => ({ id: randomUUID(), code, kind: 'amount', value: 1 })) },
      'two have the code A',
    ],
  ])('is refused with %s, and the message names the field', async (_, changes, named) => {
    const { status, body } = await shop.patch('/menu', changes);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain(named);
    expect(await shop.changes('menu')).toEqual([]);
  });

  test('has at most 500 items, however many changes add them', async () => {
    const items = (from: number, count: number) => Array.from({ length: count }, (_, n) => item(`i${from + n}`));
    await shop.patch('/menu', { items: items(0, 400) });
    expect((await shop.patch('/menu', { items: items(400, 101) })).body.error.message).toBe('items: has 501 entries, and may have 500');
  });
});

describe('slots', () => {
  const template = [{ days: [6], from: '10:00', to: '12:00', every_minutes: 60, capacity: 4 }];

  test('of a template are published for the days ahead, and one with a date stands in their place', async () => {
    const id = randomUUID();
    const dated = [{ id, starts_at: at('09:30'), ends_at: at('10:30'), capacity: 1 }];
    const { body } = await shop.patch('/slots', { template, slots: dated });
    expect(body.slots).toMatchObject({ template, slots: [{ id, capacity: 1, open: true }] });
    const slots = (await shop.snapshots('slots')).at(-1)?.data.slots;
    expect(slots.map(({ starts_at, capacity }: { starts_at: string; capacity: number }) => [Date.parse(starts_at), capacity])).toEqual([
      [Date.parse(at('09:30')), 1],
      ...['2026-05-09T09:00:00Z', '2026-05-09T10:00:00Z'].map((start) => [Date.parse(start), 4]),
    ]);
    expect((await shop.patch('/slots', { remove: [id] })).body.slots.slots).toEqual([]);
  });

  test('are published again when a closure or the zone of the store changes, and their version stays', async () => {
    await shop.patch('/slots', { template });
    const before = (await shop.snapshots('slots')).at(-1)?.data.slots.length;
    await shop.patch('', { closures: [{ starts_at: at('00:00'), ends_at: at('23:00') }] });
    const cut = (await shop.snapshots('slots')).at(-1);
    expect([before, cut?.data.slots.length, cut?.sequence]).toEqual([4, 2, 2]);
    expect((await shop.get('/slots')).body.version).toBe(1);
    await shop.patch('', { name: 'Renamed' });
    expect(await shop.snapshots('slots')).toHaveLength(2);
    expect(await shop.snapshots('floor')).toEqual([]);
  });

  test('that end before they start are refused', async () => {
    const slot = { id: randomUUID(), starts_at: at('10:00'), ends_at: at('09:00') };
    expect((await shop.patch('/slots', { slots: [slot] })).body.error.message).toBe(`slots.${slot.id}.ends_at: must be after starts_at`);
  });
});

describe('a programme', () => {
  const uid = () => randomUUID().replaceAll('-', '').slice(0, 14).toUpperCase();

  test('is switched off until its owner sets it, and is set field by field', async () => {
    expect((await shop.get('/programme')).body.programme).toMatchObject({ enabled: false, goal: 10 });
    const { body } = await shop.patch('/programme', {
      enabled: true,
      multi_stamp: { max_request: 3 },
      reward: { kind: 'percent', value: 50 },
    });
    expect(body.programme).toMatchObject({
      enabled: true,
      goal: 10,
      multi_stamp: { enabled: true, max_request: 3 },
      reward: { value: 50 },
    });
    expect(refusal(await shop.patch('/programme', { goal: 5 }, { role: 'manager' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
  });

  test('never gets its plan from a request', async () => {
    const plan = { plan_key: 'pro', store_ids: [randomUUID()], monthly_stamp_quota: null, multi_stamp: { entitled: false } };
    const { body } = await shop.patch('/programme', { goal: 5, ...plan });
    expect(body.programme).toMatchObject({ plan_key: 'growth', store_ids: [], multi_stamp: { entitled: true } });
    expect(body.programme).not.toHaveProperty('monthly_stamp_quota');
  });

  test('has tags, each of which belongs to one store', async () => {
    const tag = uid();
    await shop.patch('/programme', { tags: [{ uid: tag }] });
    const other = await openShop(running);
    expect(refusal(await other.patch('/programme', { tags: [{ uid: tag.toLowerCase() }] }))).toEqual([409, 'TAG_TAKEN']);
    expect((await shop.patch('/programme', { tags: [{ uid: tag.toLowerCase(), revoked: true }] })).body.programme.tags).toMatchObject([
      { revoked: true },
    ]);
    await shop.patch('/programme', { remove_tags: [tag] });
    expect((await other.patch('/programme', { tags: [{ uid: tag }] })).status).toBe(200);
  });

  test('of two stores that register one tag at once, one has it', async () => {
    const [tag, other] = [uid(), await openShop(running)];
    const both = await Promise.all([shop, other].map((one) => one.patch('/programme', { tags: [{ uid: tag }] })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('a floor', () => {
  const [cut, beard, chair] = [randomUUID(), randomUUID(), randomUUID()];
  const services = [
    { id: cut, name: 'Cut', minutes: 25 },
    { id: beard, name: 'Beard', minutes: 15 },
  ];
  const unit = { id: chair, name: 'Chair 1', service_ids: [cut, beard], weekly_shifts: [{ days: [6], from: '09:00', to: '17:00' }] };

  test('has services and chairs; its weekly shifts are published for the days ahead', async () => {
    const { body } = await shop.patch('/floor', { services, units: [unit], order: [beard] }, { role: 'manager' });
    expect(idsOf(body.floor.services)).toEqual([beard, cut]);
    const published = (await shop.snapshots('floor')).at(-1)?.data.units[0];
    expect(published.shifts).toHaveLength(2);
    expect(published).not.toHaveProperty('weekly_shifts');
  });

  test('loses a service from its chairs too when it is removed', async () => {
    await shop.patch('/floor', { services, units: [unit] });
    const { body } = await shop.patch('/floor', { remove_services: [beard] });
    expect([idsOf(body.floor.services), body.floor.units[0].service_ids]).toEqual([[cut], [cut]]);
    expect((await shop.patch('/floor', { remove_units: [chair] })).body.floor.units).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a chair with an unknown service', { units: [{ ...unit, service_ids: [randomUUID()] }] }, 'the store has no service'],
    ['a new chair without a name', { units: [{ id: chair, service_ids: [] }] }, `units.${chair}.name: is required`],
    ['an unknown id in the order', { order: [chair] }, 'order: there is no'],
    [
      'a shift that ends first',
      { units: [{ ...unit, service_ids: [], shifts: [{ starts_at: at('10:00'), ends_at: at('09:00') }] }] },
      'shifts.ends_at',
    ],
  ])('is refused with %s, and the message names the field', async (_, changes, named) => {
    const { status, body } = await shop.patch('/floor', changes);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain(named);
  });
});

test('an object that would be too large for one message is refused, and stays as it was', async () => {
  const service = () => ({ services: [{ id: randomUUID(), name: 'x'.repeat(60_000), minutes: 5 }] });
  for (let version = 1; version <= 8; version += 1) expect((await shop.patch('/floor', service())).body.version).toBe(version);
  const { status, body } = await shop.patch('/floor', service());
  expect([status, body.error.code, body.error.message]).toEqual([400, 'VALIDATION_FAILED', expect.stringContaining('too large')]);
  expect((await shop.get('/floor')).body.version).toBe(8);
});

test('amounts that cannot be charged in the store’s currency are refused, and so is a currency in which they cannot be', async () => {
  const item = { id: 'tea', name: 'Tea', price_pence: 333 };
  const reward = { kind: 'amount', value: 305 };
  expect((await shop.patch('/menu', { items: [item] })).status).toBe(200);
  const currency = await shop.patch('', { currency: 'KWD' });
  expect(currency.body.error.message).toBe(
    "currency: menu.items.tea.price_pence: must be a multiple of 10, because the store's currency is KWD",
  );
  await shop.patch('/menu', { remove: ['tea'] });
  expect((await shop.patch('', { currency: 'KWD' })).status).toBe(200);
  for (const [path, body] of [
    ['/menu', { items: [item] }],
    ['/programme', { reward }],
  ] as const)
    expect(refusal(await shop.patch(path, body))).toEqual([400, 'VALIDATION_FAILED']);
});
