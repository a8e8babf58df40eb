// covers: readDayBook
// covers: readBookKeys

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { BookKeySet, proveDays, type VerifiedBook, verifyBooks } from '@corner/operator';
import { documentedCommands, runCommands, testFolder } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { compareLedger } from '../money/jobs.ts';
import { lookAtPayouts } from '../payouts/sagas.ts';
import { codeOf, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';
import { type BookKey, createBookSigner } from './crypto.ts';
import { closeDays } from './jobs.ts';

let running: Running;
/** A Monday at least two years from now, so that each test has its own days. */
let monday = new Date('2029-01-01T12:00:00Z');

beforeAll(async () => {
  running = await startRunning();
  running.payments.controls.topUp(1_000_000, 'gbp');
});
beforeEach(() => {
  monday = new Date(monday.getTime() + 14 * 86_400_000);
  running.clock.set(monday.toISOString());
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const day = (later = 0) => new Date(monday.getTime() + later * 86_400_000).toISOString().slice(0, 10);
const close = async (context: Partial<typeof running.service.context> = {}) => {
  await compareLedger(running.service.context);
  await closeDays({ ...running.service.context, ...context });
};
const closeUntil = async (later: number) => {
  running.clock.set(`${day(later)}T12:00:00Z`);
  await close();
};

const path = (store: Pick<OpenStore, 'id'>, date: string) => `/api/v1/orders/reports/book?store_id=${store.id}&date=${date}`;
async function fetched(store: OpenStore, of: string): Promise<string> {
  const token = await running.issuer.token({ typ: 'merchant', scope: '', sub: randomUUID(), stores: [{ id: store.id, role: 'owner' }] });
  const response = await fetch(`${running.service.url}${of}`, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return await response.text();
}
const fileOf = (store: OpenStore, date: string): Promise<string> => fetched(store, `${path(store, date)}&format=csv`);
const keysOf = async () => BookKeySet.parse(await (await fetch(`${running.service.url}/api/v1/orders/reports/keys`)).json());

async function verify(date: string, ...texts: readonly string[]): Promise<VerifiedBook[]> {
  const files = texts.map((text, n) => ({ name: `${n + 1}.csv`, text }));
  return verifyBooks(files, { store: 'S1', date, keys: await keysOf() });
}
const faultsIn = async (date: string, ...texts: readonly string[]) =>
  (await verify(date, ...texts)).flatMap(({ faults }) => faults.map(({ why }) => why));
const verifyDay = async (store: OpenStore, date = day()) => await faultsIn(date, await fileOf(store, date));

/** Opens a store, and leaves none of an earlier test, whose days would be closed too. */
async function onlyStore(settings: Parameters<Running['openStore']>[0] = {}): Promise<OpenStore> {
  await running.asSuperuser('set session_replication_role = replica; delete from store');
  return await running.openStore(settings);
}

/** A day with all kinds of rows: cards, cash, a refund of each, a tip, a payout. */
async function busyDay(settings: Parameters<Running['openStore']>[0] = {}) {
  const store = await onlyStore(settings);
  const online = await paidOrder(running, store, { tip_pence: 100 });
  const other = await paidOrder(running, store);
  await online.refund(300);
  const till = tillOf(running, store);
  const drawer = await till.call('POST', '/api/v1/orders/drawers', { store_id: store.id, float_pence: 1_000 });
  expect(drawer.status).toBe(200);
  const sold = await till.open();
  await till.pay(sold, [
    { kind: 'cash', amount_pence: 140, given_pence: 200 },
    { kind: 'external_card', amount_pence: 500, reference: 'A, "B"' },
  ]);
  await till.refund(sold, { amount_pence: 200 });
  running.payments.controls.payOut(store.account, 'gbp', 0);
  await lookAtPayouts(running.service.context, store.account);
  return { store, online, other, sold };
}

describe('the book of a closed day', () => {
  test('is verified by its file and the public keys alone, with every kind of row in it', async () => {
    const { store } = await busyDay();
    await closeUntil(1);
    const { body } = await worker(running, store, 'merchant').call('GET', path(store, day()));
    const count = (what: string) => body.rows.filter((row: { what: string }) => row.what === what).length;
    expect({ ...body, rows: ['ledger', 'credit_note', 'payout', 'tip', 'item'].map(count) }).toMatchObject({
      store_id: store.id,
      date: day(),
      number: 1,
      signed: true,
      rows: [7, 2, 1, 1, 2],
    });
    const [book] = await verify(day(), await fileOf(store, day()));
    expect(book).toMatchObject({ date: day(), number: 1, faults: [], rows: body.rows.length, signed_by: (await keysOf()).keys[0]?.kid });
    expect(book?.sums['ledger charge']).toEqual({ rows: 4, amount_pence: 640 + 740 + 640 });
  });

  test('of a day that is not closed, or not known, has no rows and no proof', async () => {
    const { store } = await busyDay();
    const { body } = await worker(running, store, 'merchant').call('GET', path(store, day()));
    expect(body).toEqual({ store_id: store.id, date: day(), number: null, signed: false, proof: null, first_day: day(), rows: [] });
    expect(await verifyDay(store)).toEqual([expect.stringContaining('has no proof')]);
  });

  test('is for those who manage the store, and the keys are for anyone', async () => {
    const store = await running.openStore();
    expect(codeOf(await worker(running, store).call('GET', path(store, day())))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const unknown = { ...store, id: randomUUID() };
    expect(codeOf(await worker(running, unknown, 'merchant').call('GET', path(unknown, day())))).toEqual([404, 'STORE_NOT_FOUND']);
    const other = await running.openStore();
    expect(codeOf(await worker(running, other, 'merchant').call('GET', path(store, day())))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(JSON.stringify(await keysOf())).not.toContain('"d"');
  });

  test('stays valid, byte for byte, whatever happens later to its orders, payouts and fees; the next days follow it', async () => {
    const { store, online, other } = await busyDay();
    await closeUntil(1);
    const before = await fileOf(store, day());
    const refund = await other.refund(200);
    await online.refund();
    running.payments.controls.failRefund(refund.body.refund.id);
    await sendEventsAbout(running, refund.body.refund.id, 'refund.failed');
    const { id } = running.payments.controls.openDispute(other.intent);
    await sendEventsAbout(running, id, 'charge.dispute.created');
    await running.asSuperuser(`update payout set status = 'failed', failure = 'account_closed' where account_id = '${store.account}'`);
    await closeUntil(3);
    expect(await fileOf(store, day())).toBe(before);
    const later = [await fileOf(store, day(1)), await fileOf(store, day(2))];
    const all = await verify(day(), before, ...later);
    expect(all.map(({ number, faults }) => [number, faults])).toEqual([
      [1, []],
      [2, []],
      [3, []],
    ]);
    expect(all[1]?.sums).toMatchObject({ 'ledger refund': { rows: 2 }, 'ledger refund_failed': { rows: 1 } });
    expect(await faultsIn(day(), before, later[1] ?? '')).toEqual(['it does not follow 1.csv: the day before it has another proof']);
  });

  test('has one statement when two replicas close it at once, and days that were closed without one get theirs in order', async () => {
    const { store } = await busyDay();
    await closeUntil(3);
    await running.asSuperuser(`set session_replication_role = replica; delete from day_statement where store_id = '${store.id}'`);
    await Promise.all([1, 2].map(() => close()));
    const numbers = await running.service.database.anyFirst(sql.type(z.object({ number: z.number() }))`
      select number from day_statement where store_id = ${store.id} order by day`);
    expect(numbers).toEqual([1, 2, 3]);
    expect(await faultsIn(day(), await fileOf(store, day()), await fileOf(store, day(1)), await fileOf(store, day(2)))).toEqual([]);
  });

  test('of two days that a superuser exchanges is not the one that was signed, nor does it follow', async () => {
    const store = await onlyStore();
    await paidOrder(running, store);
    await closeUntil(2);
    await running.asSuperuser(`set session_replication_role = replica; update day_statement t set proof = o.proof
      from day_statement o where o.store_id = t.store_id and o.day <> t.day and t.store_id = '${store.id}'`);
    expect(await faultsIn(day(), await fileOf(store, day()), await fileOf(store, day(1)))).toEqual(
      expect.arrayContaining([`it is of ${day(1)}, not of ${day()}`, 'it does not follow 1.csv: the day before it has another proof']),
    );
  });

  test('of each day of a range is proved at once; a day that is not closed is named, and one that is missing between others is a fault', async () => {
    const { store } = await busyDay();
    await closeUntil(2);
    const prove = async () =>
      await proveDays((path) => fetched(store, path), { storeId: store.id, from: day(), to: day(2) }, await keysOf());
    const found = expect.stringMatching(new RegExp(`^2 days, \\d+ rows, .{43}; not closed yet: ${day(2)}$`));
    expect(await prove()).toMatchObject({ link: 'closed days', found, faults: [], state: 'so_far' });
    await running.asSuperuser(
      `set session_replication_role = replica; update ledger set amount_pence = 741 where amount_pence = 740 and store_id = '${store.id}'`,
    );
    expect((await prove()).faults).toContainEqual(expect.stringMatching(new RegExp(`^${day()}: line \\d: row \\d was changed`)));
    await closeUntil(4);
    await running.asSuperuser(
      `set session_replication_role = replica; delete from day_statement where store_id = '${store.id}' and day = '${day(1)}'`,
    );
    expect((await prove()).faults).toContainEqual(expect.stringContaining(`${day(1)}: it has no proof`));
  });

  test('at either end of a range is missed: before the first closed day unless that is number 1, and two days after its end', async () => {
    const { store } = await busyDay();
    await closeUntil(4);
    const prove = async (from: number, to: number) =>
      (
        await proveDays(
          (path) => fetched(store, path),
          { storeId: store.id, from: day(from), to: day(to) },
          await keysOf(),
          running.clock.now(),
        )
      ).faults;
    expect(await prove(-2, 5)).toEqual([]);
    expect(await prove(-9, -5)).toEqual([]);
    running.clock.set(`${day(5)}T12:00:00Z`);
    expect(await prove(5, 6)).toEqual([]);
    const remove = (...days: readonly string[]) =>
      running.asSuperuser(`set session_replication_role = replica;
        delete from day_statement where store_id = '${store.id}' and day in (${days.map((date) => `'${date}'`).join()})`);
    await remove(day(2), day(3));
    expect(await prove(0, 3)).toEqual([`${day(2)}: it has no proof, and ended more than two days ago`]);
    await remove(day(0));
    expect(await prove(0, 1)).toEqual([`${day(0)}: it has no proof, and the day after the gap is number 2 of the store`]);
  });

  test('a payout that becomes known after its day was closed is in the next day, once', async () => {
    const store = await onlyStore();
    await paidOrder(running, store);
    running.payments.controls.payOut(store.account, 'gbp', 0);
    await closeUntil(1);
    await lookAtPayouts(running.service.context, store.account);
    await closeUntil(3);
    const sums = [];
    for (const later of [0, 1, 2]) sums.push((await verify(day(later), await fileOf(store, day(later))))[0]);
    expect(sums.map((book) => [book?.sums.payout?.rows, book?.faults])).toEqual([
      [undefined, []],
      [1, []],
      [undefined, []],
    ]);
  });
});

describe('keys', () => {
  const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as BookKey;

  test('a day of an earlier key is verified while its public part is in the list; by other keys it is not', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const store = await onlyStore();
    await paidOrder(running, store);
    running.clock.set(`${day(1)}T12:00:00Z`);
    await close({ bookSigner: createBookSigner([old]) });
    running.clock.set(`${day(2)}T12:00:00Z`);
    const { d: _secret, ...shown } = old;
    const both = createBookSigner([fresh, shown]);
    await close({ bookSigner: both });
    const files = [await fileOf(store, day()), await fileOf(store, day(1))].map((text, n) => ({ name: `${n}`, text }));
    const verified = (keys: BookKeySet['keys']) => verifyBooks(files, { store: store.id, date: day(), keys: { keys } });
    expect(verified([...both.keys]).map(({ signed_by, faults }) => [signed_by, faults])).toEqual([
      [both.keys[1]?.kid, []],
      [both.keys[0]?.kid, []],
    ]);
    expect(verified(both.keys.slice(0, 1))[0]?.faults).toEqual([
      { line: null, why: `it is signed by the key ${both.keys[1]?.kid}, which is not among the keys` },
    ]);
    // A different key under the same name.
    const forged = { ...createBookSigner([newKey()]).keys[0], kid: both.keys[1]?.kid ?? '' };
    expect(verified([forged as BookKeySet['keys'][number]])[0]?.faults[0]?.why).toContain('its signature does not fit');
  });

  test('without one a day is closed unsigned, says so, and is still followed by a signed day', async () => {
    const store = await onlyStore();
    await paidOrder(running, store);
    running.clock.set(`${day(1)}T12:00:00Z`);
    await close({ bookSigner: createBookSigner([]) });
    await closeUntil(2);
    const { body } = await worker(running, store, 'merchant').call('GET', path(store, day()));
    expect([body.signed, body.number]).toEqual([false, 1]);
    const faults = await faultsIn(day(), await fileOf(store, day()), await fileOf(store, day(1)));
    expect(faults).toEqual([expect.stringContaining('it is not signed')]);
  });
});

describe('a file that someone changed', () => {
  let [text, date] = ['', ''];
  beforeAll(async () => {
    running.clock.set(monday.toISOString());
    const { store } = await busyDay();
    date = day();
    await closeUntil(1);
    text = await fileOf(store, date);
  });

  test.each<[string, (of: string) => string, RegExp]>([
    ['one digit of an amount', (of) => of.replace(',7.40,', ',7.41,'), /row \d was changed, and is now: ledger charge of S1-1001 7.41 GBP/],
    ['a sum', (of) => of.replace(/(sum,gross,.*),(20.20),/, '$1,20.21,'), /row \d+ was changed, and is now: sum gross 20.21 GBP/],
    ['a row is removed', (of) => of.replace(/^2,.*\r\n/m, ''), /^row 2 is missing, after: ledger charge/],
    ['the first row is removed', (of) => of.replace(/^1,.*\r\n/m, ''), /^row 1 is missing, the first one/],
    ['a row is added', (of) => of.replace(/^(2,.*\r\n)/m, '$1$1'), /this row was not signed at this place: ledger/],
    ['two rows change places', (of) => of.replace(/^(1,.*\r\n)(2,.*\r\n)/m, '$2$1'), /this row was not signed at this place: ledger/],
    ['two columns change names', (of) => of.replace('given,reference', 'reference,given'), /the names of the columns were changed/],
    ['the names of the columns are removed', (of) => of.replace(/^row,.*\r\n/, '\r\n'), /the names of the columns were changed/],
    ['the number of a row', (of) => of.replace(/^2,/m, '7,'), /this is row 2, and its number was changed/],
    ['a text beside the proof', (of) => of.replace(/(proof,1,.*)\r/, '$1,paid\r'), /this is not part 1 of the proof alone/],
    ['the number of a part of the proof', (of) => of.replace('proof,1,', 'proof,12,'), /this is not part 1 of the proof alone/],
    ['the proof is cut', (of) => of.replace(/(proof,1,.{300}).*/, '$1'), /its proof cannot be read/],
    ['the proof is removed', (of) => of.replace(/proof,.*\r\n/, ''), /it has no proof/],
    ['its signature is removed', (of) => of.replace(/(proof,1,[^.]*\.[^.]*\.)[^.\r]*/, '$1'), /its signature does not fit/],
    [
      'it says that it is not signed',
      (of) => of.replace(/proof,1,[^.]*(\.[^.]*\.)[^.\r]*/, `proof,1,${Buffer.from('{"alg":"none"}').toString('base64url')}$1`),
      /it is not signed/,
    ],
  ])('%s', async (_, change, expected) => {
    const changed = change(text);
    expect(changed).not.toBe(text);
    expect(await faultsIn(date, changed)).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
    expect(await faultsIn(date, text)).toEqual([]);
  });

  test('a spreadsheet’s mark and line ends of another system change nothing; another day or store is named', async () => {
    expect(await faultsIn(date, `\uFEFF${text.replaceAll('\r\n', '\n')}`)).toEqual([]);
    expect(await faultsIn('2001-01-01', text)).toEqual([`it is of ${date}, not of 2001-01-01`]);
    const [book] = verifyBooks([{ name: 'a', text }], { store: 'S2', date, keys: await keysOf() });
    expect(book?.faults).toEqual([{ line: null, why: 'it is of the store S1, not of S2' }]);
  });
});

describe('a superuser who changes the database after the day was closed is seen', () => {
  let [store, date]: [OpenStore, string] = [{ id: '', code: '', account: '' }, ''];
  const asSuperuser = (text: string) =>
    running.asSuperuser(
      `set session_replication_role = replica; ${text.replaceAll(':store', `'${store.id}'`).replaceAll(':account', `'${store.account}'`)}`,
    );
  const kept = ['ledger', 'refund', 'day_report', 'day_statement'];
  beforeAll(async () => {
    running.clock.set(monday.toISOString());
    ({ store } = await busyDay());
    date = day();
    await closeUntil(1);
    const copies = kept.map((name) => `create table kept_${name} as select * from ${name} where store_id = :store;`);
    await asSuperuser(`${copies.join(' ')} create table kept_payout as select * from payout where account_id = :account`);
  });
  afterEach(async () => {
    const restored = kept.map(
      (name) => `delete from ${name} where store_id = :store; insert into ${name} overriding system value select * from kept_${name};`,
    );
    await asSuperuser(`${restored.join(' ')} delete from payout where account_id = :account; insert into payout select * from kept_payout;
      update orders set order_number = 'S1-1002' where order_number = 'S1-9999' and store_id = :store`);
    expect(await verifyDay(store, date)).toEqual([]);
  });

  const sale = 'amount_pence = 740 and store_id = :store';
  const cash = `kind = 'charge' and tender = 'cash' and store_id = :store`;
  test.each<[string, string, RegExp]>([
    ['an amount', `update ledger set amount_pence = 741 where ${sale}`, /was changed, and is now: ledger charge of S1-1001 7.41 GBP/],
    [
      'cash becomes a card',
      `update ledger set tender = 'external_card' where ${cash}`,
      /was changed, and is now: ledger charge of S1-1003 1.40 GBP/,
    ],
    [
      'the drawer of cash',
      `update ledger set drawer_id = null where ${cash}`,
      /was changed, and is now: ledger charge of S1-1003 1.40 GBP/,
    ],
    [
      'the cash that was given',
      `update ledger set given_pence = 500 where ${cash}`,
      /was changed, and is now: ledger charge of S1-1003 1.40 GBP/,
    ],
    ['who took it', `update ledger set by_id = 'someone' where ${cash}`, /was changed, and is now: ledger charge of S1-1003 1.40 GBP/],
    [
      'a refund is removed',
      `delete from ledger where kind = 'refund' and tender is null and store_id = :store`,
      /ledger refund: . rows of -200 in all, and . of -500 were signed/,
    ],
    ['a sale is moved to the next day', `update ledger set at = at + interval '1 day' where ${sale}`, /row \d is missing/],
    [
      'a sale is invented',
      `insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
       select store_id, order_id, 'charge', 'pi_invented', 100, at from ledger where ${sale}`,
      /this row was not signed at this place: ledger charge of S1-1001 1.00 GBP/,
    ],
    [
      'the number of an order',
      `update orders set order_number = 'S1-9999' where order_number = 'S1-1002' and store_id = :store`,
      /was changed, and is now: ledger charge of S1-9999 6.40 GBP/,
    ],
    [
      'a credit note',
      `update refund set amount_pence = 299 where amount_pence = 300 and store_id = :store`,
      /was changed, and is now: credit note 1 of S1-1001 2.99 GBP/,
    ],
    [
      'the number of a credit note',
      `update refund set credit_note = 7 where amount_pence = 300 and store_id = :store`,
      /: credit note 7 of S1-1001 3.00 GBP/,
    ],
    ['a payout', `update payout set amount_pence = amount_pence - 1 where account_id = :account`, /was changed, and is now: payout/],
    [
      'a payout is removed from the day',
      `update day_statement set payout_ids = '{}' where store_id = :store`,
      /payout: 0 rows of 0 in all, and 1 of \d+ were signed/,
    ],
    [
      'a tip',
      `update day_report set tips = jsonb_set(tips, '{0,tip_pence}', '99') where store_id = :store`,
      /was changed, and is now: tip of S1-1001 0.99 GBP/,
    ],
    [
      'a sum of the report',
      `update day_report set figures = jsonb_set(figures, '{gross_pence}', '1') where store_id = :store`,
      /was changed, and is now: sum gross 0.01 GBP/,
    ],
    ['an item that was sold', `update day_report set items = items - 0 where store_id = :store`, /item: 1 rows of \d+ in all, and 2 of/],
    ['the sums are removed', `delete from day_report where store_id = :store`, /ledger charge: 0 rows of 0 in all/],
    [
      'where the day ends',
      `update day_statement set ends_at = ends_at - interval '23 hours' where store_id = :store`,
      /ledger charge: 0 rows of 0 in all/,
    ],
    [
      'what was signed',
      `update day_statement set proof = overlay(proof placing 'AAAA' from 200) where store_id = :store`,
      /its proof cannot be read/,
    ],
    ['the statement is removed', `delete from day_statement where store_id = :store`, /it has no proof/],
  ])('%s', async (_, text, expected) => {
    await asSuperuser(text);
    expect(await verifyDay(store, date)).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  test('who writes the statement anew without the key is seen by its signature, and by the day after it', async () => {
    running.clock.set(`${day(-13)}T12:00:00Z`);
    await close();
    const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
    const after = await fileOf(store, next);
    expect(await faultsIn(date, await fileOf(store, date), after)).toEqual([]);
    await asSuperuser(`update ledger set amount_pence = 741 where ${sale}; delete from day_statement where store_id = :store`);
    const forger = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as BookKey;
    await close({ bookSigner: createBookSigner([forger]) });
    const faults = await faultsIn(date, await fileOf(store, date), after);
    expect(faults).toEqual([expect.stringContaining('which is not among the keys'), expect.stringContaining('does not follow')]);
  });

  test('the service may add statements only, and the trigger stops their owner too', async () => {
    for (const text of ['update day_statement set number = 9', 'delete from day_statement', 'truncate day_statement'])
      await expect(running.asSuperuser(text)).rejects.toThrow('are added, never changed or removed');
  });
});

test('a stranger follows docs/proofs.md: the commands verify the day, and name a digit that was changed', async () => {
  const { store } = await busyDay();
  await closeUntil(1);
  await using folder = await testFolder();
  const TOKEN = await running.issuer.token({ typ: 'merchant', scope: '', sub: randomUUID(), stores: [{ id: store.id, role: 'manager' }] });
  const [fetched = '', verified = '', without = ''] = documentedCommands('docs/proofs.md', 'A signed day');
  const run = (text: string) =>
    runCommands(text.replaceAll('2026-11-27', day()), folder.path, { GATEWAY: running.service.url, STORE: store.id, TOKEN });
  await run(fetched);
  expect(await run(verified)).toEqual([expect.stringContaining(`ok  book.csv: ${day()}, day 1 of the chain`), 0]);
  expect(await run(without)).toEqual(['as it was signed\n', 0]);
  const file = `${folder.path}/book.csv`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(',7.40,', ',7.41,'));
  expect(await run(verified)).toEqual([
    expect.stringMatching(/line \d: row \d was changed, and is now: ledger charge of S1-1001 7.41 GBP/),
    1,
  ]);
  expect(await run(without)).toEqual(['changed\n', 0]);
});
