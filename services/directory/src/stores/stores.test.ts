// covers: createStore, listDirectoryStores, readDirectoryStore, changeStore
import { randomUUID } from 'node:crypto';
import { NoColumns } from '@corner/chassis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
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

const newCode = () => randomUUID().slice(0, 8);

describe('a store', () => {
  test('is created dark, with the caller as its owner, and published with the fields that the platform sets', async () => {
    const sub = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', sub, name: 'Ida' });
    const created = await shop.post('//stores', { code: newCode(), name: 'Bakery', language: 'fr-CA' }, { token });
    expect([created.status, created.etag, created.body.version]).toEqual([200, '"1"', 1]);
    expect(created.body.store).toMatchObject({
      name: 'Bakery',
      status: 'dark',
      language: 'fr',
      fee_bps: 0,
      connected_account_id: null,
      listing: 'with_account',
    });
    const id = created.body.store.id;
    expect(await shop.snapshots('store', id)).toMatchObject([{ sequence: 1, data: { id, version: 1, name: 'Bakery' } }]);
    expect(await shop.snapshots('staff', sub)).toMatchObject([
      { sequence: 1, data: { id: sub, name: 'Ida', stores: [{ id, role: 'owner' }] } },
    ]);
  });

  test('that is a second one of a person leaves the first to them', async () => {
    const second = await shop.post('//stores', { code: newCode(), name: 'Second' });
    const last = (await shop.snapshots('staff', shop.ownerId)).at(-1);
    expect(last?.data.stores.map(({ id }: { id: string }) => id)).toEqual([shop.storeId, second.body.store.id]);
  });

  test('cannot have the code of another one, in any case', async () => {
    const code = newCode();
    await shop.patch('', { code });
    expect(refusal(await shop.post('//stores', { code: code.toUpperCase(), name: 'Twin' }))).toEqual([409, 'STORE_CODE_TAKEN']);
    const other = await openShop(running);
    expect(refusal(await other.patch('', { code: code.toUpperCase() }))).toEqual([409, 'STORE_CODE_TAKEN']);
    expect(await other.changes('store')).toHaveLength(1);
  });

  test('is not created by staff tokens and customers, and not without a name', async () => {
    const staff = await running.issuer.token({ typ: 'staff' });
    expect(refusal(await shop.post('//stores', { code: newCode(), name: 'No' }, { token: staff }))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    const unnamed = await shop.post('//stores', { code: newCode() });
    expect([unnamed.status, unnamed.body.error.message]).toEqual([400, 'body.name: is required']);
  });

  test('never gets what the platform sets from a request', async () => {
    const { body } = await shop.patch('', {
      fee_bps: 0,
      connected_account_id: 'acct_mine',
      listing: 'open',
      platform_covers_refunds: true,
      name: 'Renamed',
    });
    expect(body.store).toMatchObject({
      name: 'Renamed',
      connected_account_id: null,
      platform_covers_refunds: false,
      listing: 'with_account',
    });
  });
});

describe('the name of a store', () => {
  const listedStore = async (name: string, listing = 'open') => {
    const listed = await openShop(running);
    await running.service.database.query(sql.prepared('list-it', NoColumns)`
      update object set data = data || ${sql.jsonb({ name, listing, connected_account_id: listing === 'open' ? null : 'acct_1' })}
      where kind = 'store' and id = ${listed.storeId} and store_id = id`);
    return listed;
  };
  const create = (name: string) => shop.post('//stores', { code: newCode(), name });
  const fault = ({ status, body }: Awaited<ReturnType<typeof create>>) => [status, body?.error?.message?.split(':')[0]];
  const word = () => [...randomUUID().replaceAll(/[^a-f]/g, '')].join('').slice(0, 8);

  test.each([
    ['in other case and spacing', (name: string) => `  ${name.toUpperCase().replace(' ', '  ')}  `],
    ['with a sign behind it', (name: string) => `${name} ☕!`],
    ['with a space of no width in it', (name: string) => name.replace('P', 'P\u200b')],
    ['with marks on letters', (name: string) => name.replace('o', 'ó')],
    ['with Cyrillic letters', (name: string) => name.replaceAll('a', 'а').replace('P', 'Р')],
    ['with Greek letters', (name: string) => name.replace('o', 'ο').replace('P', 'Ρ')],
    ['with wide letters', (name: string) => name.replace('P', 'Ｐ')],
    ['with a capital I for an l', (name: string) => name.replace('l', 'I')],
  ])('is refused when it is that of a listed store of another owner %s, when created and when renamed', async (_, twisted) => {
    const name = `Pal Coro ${word()}`;
    await listedStore(name);
    expect(fault(await create(twisted(name)))).toEqual([400, 'name']);
    expect(fault(await shop.patch('', { name: twisted(name) }))).toEqual([400, 'name']);
    expect((await shop.get('')).body.store.name).not.toBe(twisted(name));
    expect((await create(`${name} Hackney`)).status).toBe(200);
  });

  test('is refused beside a store whose account is connected, and not beside one that no one finds', async () => {
    const [connected, dark] = [`Con ${word()}`, `Dark ${word()}`];
    await listedStore(connected, 'with_account');
    expect(fault(await create(connected))).toEqual([400, 'name']);
    const hidden = await openShop(running);
    await hidden.patch('', { name: dark });
    expect((await create(dark)).status).toBe(200);
  });

  test('may be that of another store of the same owner, and stays when other settings change', async () => {
    const name = `Branch ${word()}`;
    const first = await listedStore(name);
    expect((await first.post('//stores', { code: newCode(), name })).status).toBe(200);
    expect((await first.patch('', { name, welcome_message: 'Hello.' })).status).toBe(200);
  });

  test.each([
    'PayPal Security: paypal.com',
    'https://evil',
    'write to help@corner.example',
    'corner。example',
    'ｃｏｒｎｅｒ．ｅｘａｍｐｌｅ',
    'Call evil.xn--p1ai',
  ])('is refused with an address in it: %s', async (name) => {
    const refused = await create(name);
    expect(fault(refused)).toEqual([400, 'name']);
    expect(refused.body.error.message).toContain('leave it out');
    expect(fault(await shop.patch('', { name }))).toEqual([400, 'name']);
  });

  test.each(['St. Mary’s Café', 'U.S. Diner', 'No.1 Bakery', 'Coffee @ Home', '咖啡。茶', 'A.B.C'])('may be %s', async (name) => {
    expect((await create(name)).status).toBe(200);
  });
});

describe('the settings of a store', () => {
  test('are set field by field: what a request does not name stays', async () => {
    const hours = [{ day: 1, opens: '08:00', closes: '17:00' }];
    await shop.patch('', { hours, branding: { primary_color: '#112233' } });
    const { body } = await shop.patch('', { branding: { stamp_visual: 'bean' }, welcome_message: 'Hello.' });
    expect(body.store).toMatchObject({ hours, welcome_message: 'Hello.', branding: { primary_color: '#112233', stamp_visual: 'bean' } });
    expect((await shop.patch('', { welcome_message: null })).body.store.welcome_message).toBeNull();
    expect((await shop.snapshots('store')).at(-1)?.data).toMatchObject({ version: 4, hours, welcome_message: null });
  });

  test('have the phone number as it is dialled in the country of the store’s time zone, and the place on a map', async () => {
    const position = { latitude: 51.543, longitude: -0.0553 };
    const { body } = await shop.patch('', { phone: '020 7946 0000', position });
    expect(body.store).toMatchObject({ phone: '+442079460000', position });
    expect((await shop.snapshots('store')).at(-1)?.data).toMatchObject({ phone: '+442079460000', position });
    const moved = await shop.patch('', { phone: '01 99 00 12 34', time_zone: 'Europe/Paris' });
    expect(moved.body.store.phone).toBe('+33199001234');
    expect((await shop.patch('', { phone: null, position: null })).body.store).toMatchObject({ phone: null, position: null });
    const created = await shop.post('//stores', { code: newCode(), name: 'Dialled', time_zone: 'Europe/Paris', phone: '01 99 00 12 34' });
    expect(created.body.store.phone).toBe('+33199001234');
  });

  test('are read with their version, and 304 while it is the same', async () => {
    const read = await shop.get('');
    expect([read.status, read.etag, read.body.store.id]).toEqual([200, '"1"', shop.storeId]);
    expect((await shop.get('', { headers: { 'if-none-match': '"1"' } })).status).toBe(304);
  });

  test.each<[string, object, string]>([
    ['a colour', { branding: { primary_color: 'red' } }, 'body.branding.primary_color'],
    ['a time of day', { hours: [{ day: 1, opens: '8', closes: '17:00' }] }, 'body.hours[0].opens'],
    [
      'a closure that ends first',
      { closures: [{ starts_at: '2026-05-02T00:00:00Z', ends_at: '2026-05-01T00:00:00Z' }] },
      'closures.ends_at',
    ],
    [
      'too many opening hours',
      { hours: Array.from({ length: 29 }, () => ({ day: 1, opens: '08:00', closes: '09:00' })) },
      'hours: has 29 entries',
    ],
    [
      '401 closures',
      { closures: Array.from({ length: 401 }, () => ({ starts_at: '2026-05-01T00:00:00Z', ends_at: '2026-05-02T00:00:00Z' })) },
      'body.closures',
    ],
    ['a language', { language: '!' }, 'body.language'],
    ['an address without a line', { address: { lines: [], postcode: 'E8 1AB', city: 'London', country: 'GB' } }, 'body.address.lines'],
    ['a phone number of no one', { phone: '12' }, 'body.phone: must be a phone number'],
    ['a phone number that its country does not have', { phone: '0999 999 99' }, 'body.phone: must be a phone number'],
    ['a place beyond the pole', { position: { latitude: 91, longitude: 0 } }, 'body.position.latitude'],
    ['half a place', { position: { latitude: 51.5 } }, 'body.position.longitude'],
    ['a country by name', { address: { lines: ['1 Quay'], postcode: '1', city: 'Ennis', country: 'Ireland' } }, 'body.address.country'],
  ])('are refused with %s, and the message names the field', async (_, changes, named) => {
    const { status, body } = await shop.patch('', changes);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain(named);
    expect(await shop.snapshots('store')).toHaveLength(1);
  });

  test('are the owner’s, but for the fields of the day, which a manager may change', async () => {
    const asManager = { role: 'manager' } as const;
    const hours = [{ day: 2, opens: '08:00', closes: '17:00' }];
    expect((await shop.patch('', { hours, paused_until: '2026-05-01T12:00:00Z', called_hold_minutes: 9 }, asManager)).status).toBe(200);
    for (const changes of [{ vat_number: 'GB 999' }, { legal_name: 'Mine Ltd' }, { address: null }]) {
      const refused = await shop.patch('', { hours: [], ...changes }, asManager);
      expect(refusal(refused)).toEqual([403, 'INSUFFICIENT_ROLE']);
      expect(refused.body.error.message).toMatch(new RegExp(`^${Object.keys(changes)[0]}: .* role manager there`));
    }
    expect((await shop.get('', asManager)).body.store.hours).toEqual(hours);
  });

  test('are not for staff, customers and people of another store', async () => {
    const other = await openShop(running);
    expect(refusal(await shop.get('', { role: 'staff' }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(refusal(await shop.patch('', { name: 'Mine' }, { token: await other.token('owner') }))).toEqual([403, 'STORE_FORBIDDEN']);
    const customer = await running.issuer.token({ typ: 'customer' });
    expect(refusal(await shop.get('', { token: customer }))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });

  test('of a store that the directory does not have are not found', async () => {
    const id = randomUUID();
    const token = await running.issuer.token({ typ: 'merchant', stores: [{ id, role: 'owner' }] });
    expect(refusal(await shop.get(`//stores/${id}`, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.patch(`//stores/${id}`, { name: 'No' }, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});

test('the list of stores has those of the token, in pages', async () => {
  const shops = [shop, await openShop(running), await openShop(running, { status: 'dark' })];
  const ids = shops.map(({ storeId }) => storeId).toSorted();
  const token = await running.issuer.token({ typ: 'staff', stores: [...ids, randomUUID()].map((id) => ({ id, role: 'staff' as const })) });
  const first = await shop.get('//stores?limit=2', { token });
  const rest = await shop.get(`//stores?limit=2&after=${first.body.stores[1].id}`, { token });
  expect([...first.body.stores, ...rest.body.stores].map(({ id, role, version }) => [id, role, version])).toEqual(
    ids.map((id) => [id, 'staff', 1]),
  );
  expect((await shop.get('//stores', { token: await running.issuer.token({ typ: 'staff' }) })).body).toEqual({ stores: [] });
});
