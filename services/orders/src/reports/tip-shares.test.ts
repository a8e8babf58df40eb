// covers: enterTipShares
// covers: readTipShares

import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { splitByWeight, type TipShares } from '@corner/contracts';
import { BookKeySet, type TipsQuestion, verifyTips } from '@corner/operator';
import { documentedCommands, runCommands, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'slonik';
import { z } from 'zod';
import { compareLedger } from '../money/jobs.ts';
import { lookAtPayouts } from '../payouts/sagas.ts';
import { codeOf, worker } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { createBookSigner } from './crypto.ts';
import { closeDays } from './jobs.ts';
import { shareTips } from './rules/share-tips.ts';

let running: Running;
let monday = new Date('2031-01-06T12:00:00Z');

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

const path = '/api/v1/orders/reports/tip-shares';
const day = (later = 0) => new Date(monday.getTime() + later * 86_400_000).toISOString().slice(0, 10);
async function closeUntil(later: number) {
  running.clock.set(`${day(later)}T12:00:00Z`);
  await compareLedger(running.service.context);
  await closeDays(running.service.context);
}
const enter = (store: OpenStore, weights: Readonly<Record<string, number>>, date = day(), headers: Record<string, string> = {}) =>
  worker(running, store, 'merchant').call(
    'POST',
    path,
    { store_id: store.id, date, shares: Object.entries(weights).map(([name, weight]) => ({ worker: name, weight })) },
    headers,
  );
async function read(store: OpenStore, date = day()): Promise<TipShares> {
  const { status, body } = await worker(running, store, 'merchant').call('GET', `${path}?store_id=${store.id}&date=${date}`);
  expect(status).toBe(200);
  return body;
}
const amountsOf = ({ shares }: TipShares) => Object.fromEntries(shares.map(({ worker: name, amount_pence }) => [name, amount_pence]));
const keysOf = async () => BookKeySet.parse(await (await fetch(`${running.service.url}/api/v1/orders/reports/keys`)).json());
async function bookOf(store: OpenStore, date = day()) {
  const token = await running.issuer.token({ typ: 'merchant', scope: '', sub: randomUUID(), stores: [{ id: store.id, role: 'owner' }] });
  const url = `${running.service.url}/api/v1/orders/reports/book?store_id=${store.id}&date=${date}&format=csv`;
  return { name: 'book.csv', text: await (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).text() };
}
/** Returns what is wrong, with the worker in front where it is of one statement. */
async function faultsIn(shares: readonly unknown[], asked: Partial<TipsQuestion> = {}): Promise<string[]> {
  const files = shares.map((share, n) => ({ name: `${n}.json`, text: JSON.stringify(share) }));
  const { statements, faults } = verifyTips(files, { keys: await keysOf(), book: null, partial: false, ...asked });
  return [...statements.flatMap((one) => one.faults.map((why) => `${one.worker}: ${why}`)), ...faults];
}
const asSuperuser = (text: string) => running.asSuperuser(`set session_replication_role = replica; ${text}`);

async function tippedDay() {
  const store = await running.openStore();
  const first = await paidOrder(running, store, { tip_pence: 60 });
  await paidOrder(running, store, { tip_pence: 40 });
  running.payments.controls.payOut(store.account, 'gbp', 0);
  await lookAtPayouts(running.service.context, store.account);
  return { store, first };
}

describe('the rule', () => {
  const Weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 });

  test('for all tips and weights the parts sum to the tips, and each is less than a unit from its exact share', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_147_483_647, max: 2_147_483_647 }), Weights, (pence, weights) => {
        const total = BigInt(weights.reduce((a, b) => a + b, 0));
        const parts = splitByWeight(pence, weights);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(pence);
        for (const [n, part] of parts.entries()) {
          const apart = BigInt(part) * total - BigInt(pence) * BigInt(weights[n] ?? 0);
          expect(apart < total && -apart < total).toBe(true);
        }
        expect(splitByWeight(-pence, weights)).toEqual(parts.map((part) => 0 - part));
      }),
    );
  });

  test('another order of the list changes nothing but who of equal weight has the unit that is left over', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        Weights.chain((weights) => fc.tuple(fc.constant(weights), fc.shuffledSubarray(weights, { minLength: weights.length }))),
        (pence, [weights, shuffled]) => {
          const pairs = (of: readonly number[]) => {
            const parts = splitByWeight(pence, of);
            return of.map((weight, n) => `${weight} ${parts[n]}`).sort();
          };
          const remainders = weights.map((weight) => (BigInt(pence) * BigInt(weight)) % BigInt(weights.reduce((a, b) => a + b, 0)));
          fc.pre(remainders.every((one, n) => weights.every((weight, m) => one !== remainders[m] || weight === weights[n])));
          expect(pairs(shuffled)).toEqual(pairs(weights));
        },
      ),
    );
  });

  test('shares and what is not shared sum to the tips, whichever days have a list', () => {
    const days = ['2031-01-04', '2031-01-05', '2031-01-06'];
    const Tips = fc.array(fc.record({ paid_on: fc.constantFrom(...days), tip_pence: fc.integer({ min: -500, max: 500 }) }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(Tips, fc.subarray(days), Weights, (tips, listed, weights) => {
        const shares = weights.map((weight, n) => ({ key: `${n}`, worker: `${n}`, weight }));
        const lists = listed.map((of) => ({ day: of, shares, proof: of }));
        const { tips_pence, unshared_pence, parts } = shareTips('2031-01-06', tips, lists);
        expect(parts.reduce((sum, { amount_pence }) => sum + amount_pence, unshared_pence)).toBe(tips_pence);
        if (listed.includes('2031-01-06')) expect(unshared_pence).toBe(0);
      }),
    );
  });
});

describe('the list of a day', () => {
  test('divides the tips of an open day at once, and the latest version counts; each is kept with who entered it', async () => {
    const { store } = await tippedDay();
    expect(await read(store)).toMatchObject({ tips_pence: 100, unshared_pence: 100, list: null, shares: [], closed: false, signed: false });
    expect((await enter(store, { Bo: 100, Cy: 100 })).status).toBe(200);
    const { status, body } = await enter(store, { Bo: 750, Cy: 400, 'Staff 7': 50 });
    expect([status, body.list.version, body.list.entered_by.name]).toEqual([200, 2, 'Ada']);
    const shares = await read(store);
    expect(shares).toMatchObject({ tips_pence: 100, unshared_pence: 0, list: body.list });
    expect(amountsOf(shares)).toEqual({ Bo: 63, Cy: 33, 'Staff 7': 4 });
    expect(shares.shares.map(({ statement }) => statement)).toEqual([null, null, null]);
    const Kept = z.object({ version: z.number(), entered_by_name: z.string() });
    const kept = await running.service.database.any(sql.type(Kept)`
      select version, entered_by_name from tip_list where store_id = ${store.id} order by version`);
    expect(kept).toEqual([1, 2].map((version) => ({ version, entered_by_name: 'Ada' })));
  });

  test('is entered once by a repeat of a request, and each of concurrent ones has a version of its own', async () => {
    const store = await running.openStore();
    const bo = worker(running, store, 'merchant');
    const send = (key: string, weight: number) =>
      bo.call('POST', path, { store_id: store.id, date: day(), shares: [{ worker: 'Bo', weight }] }, { 'Idempotency-Key': key });
    const key = randomUUID();
    await send(key, 100);
    await send(randomUUID(), 200);
    // As after a crash before the response was kept.
    await asSuperuser('delete from idempotency_key');
    expect((await send(key, 100)).body.list.version).toBe(1);
    const sent = await Promise.all([1, 2, 3, 4].map((weight) => send(randomUUID(), weight)));
    expect(sent.map(({ body }) => body.list.version).sort()).toEqual([3, 4, 5, 6]);
  });

  test('is for managers, of a known store, with one row for a worker and weights above nothing', async () => {
    const store = await running.openStore();
    const body = { store_id: store.id, date: day(), shares: [{ worker: 'Bo', weight: 1 }] };
    expect(codeOf(await worker(running, store).call('POST', path, body))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(codeOf(await worker(running, store).call('GET', `${path}?store_id=${store.id}&date=${day()}`))).toEqual([
      403,
      'INSUFFICIENT_ROLE',
    ]);
    const unknown = { ...store, id: randomUUID() };
    expect(codeOf(await enter(unknown, { Bo: 1 }))).toEqual([404, 'STORE_NOT_FOUND']);
    const boss = worker(running, store, 'merchant');
    expect(codeOf(await worker(running, unknown, 'merchant').call('GET', `${path}?store_id=${unknown.id}&date=${day()}`))).toEqual([
      404,
      'STORE_NOT_FOUND',
    ]);
    const refused = async (shares: unknown) => (await boss.call('POST', path, { ...body, shares })).body.error.message;
    expect(
      await refused([
        { worker: 'Bo', weight: 1 },
        { worker: ' Bo ', weight: 2 },
      ]),
    ).toContain('shares[1].worker: is in the list already');
    expect(await refused([{ worker: 'Bo', weight: 0 }])).toContain('shares[0].weight');
    expect(await refused([])).toContain('shares');
  });

  test('cannot be changed or removed, by its owner neither', async () => {
    for (const text of ['update tip_list set version = 9', 'delete from tip_list', 'truncate tip_list'])
      await expect(running.asSuperuser(text)).rejects.toThrow('are added, never changed or removed');
  });
});

describe('the statements of a closed day', () => {
  test('are verified by the files and the public keys alone, with the signed book; read again they are the same', async () => {
    const { store } = await tippedDay();
    await enter(store, { Bo: 750, Cy: 400, Di: 300 });
    await closeUntil(1);
    const shares = await read(store);
    expect(shares).toMatchObject({ closed: true, signed: true, tips_pence: 100 });
    expect(amountsOf(shares)).toEqual({ Bo: 52, Cy: 27, Di: 21 });
    const book = await bookOf(store);
    expect(await faultsIn(shares.shares, { book })).toEqual([]);
    expect(await faultsIn([shares], { book })).toEqual([]);
    expect(await read(store)).toEqual(shares);
    const [bo, cy] = shares.shares;
    expect(await faultsIn([bo], { partial: true, book })).toEqual([]);
    expect(await faultsIn([bo, cy])).toEqual([
      `row 3 of the list of ${day()} is missing, after: Cy`,
      'there are 2 statements, and 3 workers have a share',
      'the shares sum to 0.79 GBP, and the tips of the day are 1.00 GBP',
    ]);
  });

  test('say nothing of other workers', async () => {
    const { store } = await tippedDay();
    await enter(store, { Bo: 750, Cyrus: 400 });
    await closeUntil(1);
    const [bo] = (await read(store)).shares;
    const payload = Buffer.from(bo?.statement?.split('.')[1] ?? '', 'base64url').toString();
    const { entered, key } = JSON.parse(payload).parts[0];
    expect(payload + Buffer.from(entered.split('.')[1], 'base64url')).not.toContain('Cyrus');
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('take back on the day of a refund what it returned of an earlier tip, from those who shared it', async () => {
    const { store, first } = await tippedDay();
    await enter(store, { Bo: 200, Cy: 100 });
    await closeUntil(1);
    const before = await read(store);
    await first.refund();
    await paidOrder(running, store, { tip_pence: 30 });
    await enter(store, { Di: 100, Bo: 100 }, day(1));
    expect(amountsOf(await read(store, day(1)))).toEqual({ Di: 15, Bo: 15 - 40, Cy: -20 });
    await closeUntil(2);
    const later = await read(store, day(1));
    expect([later.tips_pence, amountsOf(later)]).toEqual([-30, { Di: 15, Bo: -25, Cy: -20 }]);
    expect(await faultsIn(later.shares, { book: await bookOf(store, day(1)) })).toEqual([]);
    expect(await read(store)).toEqual(before);
    expect(await faultsIn([...later.shares.slice(0, 2), before.shares[1]])).toContain(
      'Cy: it has another day, proof of the day, tips of the day, number of workers, shares of all than Di’s',
    );
  });

  test('wait for a list while the day has tips of its own, and take back by the day’s own list where the earlier day has none', async () => {
    const { store, first } = await tippedDay();
    await closeUntil(1);
    expect(await read(store)).toMatchObject({ closed: true, unshared_pence: 100, shares: [] });
    await first.refund();
    await enter(store, { Bo: 100 }, day(1));
    expect(amountsOf(await read(store, day(1)))).toEqual({ Bo: -60 });
    await enter(store, { Cy: 100 });
    expect(amountsOf(await read(store, day(1)))).toEqual({ Bo: 0, Cy: -60 });
  });

  test('are unsigned without a key, which the reply and the command say', async () => {
    const { store } = await tippedDay();
    const { context } = running.service;
    const signer = context.bookSigner;
    Object.assign(context, { bookSigner: createBookSigner([]) });
    try {
      await enter(store, { Bo: 100 });
      await closeUntil(1);
      const shares = await read(store);
      expect([shares.closed, shares.signed]).toEqual([true, false]);
      expect(await faultsIn(shares.shares)).toEqual([
        'Bo: it is not signed: the platform had no key then, so it proves nothing',
        `Bo: the list of ${day()}: it is not signed: the platform had no key then, so it proves nothing`,
      ]);
    } finally {
      Object.assign(context, { bookSigner: signer });
    }
  });
});

describe('a change after the day was closed is named', () => {
  const closedDay = async () => {
    const { store } = await tippedDay();
    await enter(store, { Bo: 100 }, day(-1));
    await enter(store, { Bo: 750, Cy: 400, Di: 300 });
    await closeUntil(1);
    return { store, kept: await read(store), book: await bookOf(store) };
  };

  test.each<[string, (store: OpenStore) => string, readonly string[]]>([
    [
      'a weight',
      ({ id }) => `update tip_list set shares = jsonb_set(shares, '{1,weight}', '600') where store_id = '${id}' and day = '${day()}'`,
      ['Cy: row 2 of the list of :day is not as it was entered, and is now: Cy, 6'],
    ],
    [
      'a name',
      ({ id }) => `update tip_list set shares = jsonb_set(shares, '{1,worker}', '"Ed"') where store_id = '${id}' and day = '${day()}'`,
      ['Ed: row 2 of the list of :day is not as it was entered, and is now: Ed, 4'],
    ],
    [
      'a worker is removed',
      ({ id }) => `update tip_list set shares = shares - 1 where store_id = '${id}'`,
      ['row 2 of the list of :day is missing, after: Bo'],
    ],
    [
      'a worker is added',
      ({ id }) => `update tip_list set shares = shares || '[{"key": "x", "worker": "Ed", "weight": 900}]' where store_id = '${id}'`,
      ['Ed: row 4 of the list of :day is not as it was entered, and is now: Ed, 9'],
    ],
    [
      'the list of another day is put in its place',
      ({ id }) => `delete from tip_list where day = '${day()}' and store_id = '${id}';
        update tip_list set day = '${day()}' where store_id = '${id}'`,
      ['Bo: the list of :day is not one that was entered for the day'],
    ],
    [
      'the amount of a tip',
      ({ id }) => `update day_report set tips = jsonb_set(tips, '{0,tip_pence}', '99') where store_id = '${id}'`,
      [
        'the tips of the day are 1.39 GBP, and 1.00 GBP in its signed book',
        expect.stringMatching(/^book.csv: line \d+: row \d+ was changed, and is now: tip of S1-1001 0.99 GBP/) as unknown as string,
      ],
    ],
  ])('in the database: %s', async (_, change, expected) => {
    const { store } = await closedDay();
    await asSuperuser(change(store));
    const found = await faultsIn((await read(store)).shares, { book: await bookOf(store) });
    expect(found).toEqual(expect.arrayContaining(expected.map((why) => (typeof why === 'string' ? why.replaceAll(':day', day()) : why))));
  });

  test('in the database: the latest version is removed, which who kept a statement sees', async () => {
    const { store } = await tippedDay();
    await enter(store, { Bo: 100, Cy: 100 });
    await enter(store, { Bo: 750, Cy: 100 });
    await closeUntil(1);
    const [bo] = (await read(store)).shares;
    await asSuperuser(`delete from tip_list where version = 2 and store_id = '${store.id}'`);
    const [, cy] = (await read(store)).shares;
    expect(await faultsIn([bo, cy])).toContain('Cy: it has another shares of all than Bo’s');
  });

  test('in the database: the weight of another, which a worker sees by the own statement alone', async () => {
    const { store } = await closedDay();
    await asSuperuser(
      `update tip_list set shares = jsonb_set(shares, '{1,weight}', '600') where store_id = '${store.id}' and day = '${day()}'`,
    );
    const [bo] = (await read(store)).shares;
    expect(await faultsIn([bo], { partial: true })).toEqual([`Bo: the list of ${day()} weighs 14.5 in all, and the statement says 16.5`]);
    expect(await faultsIn([{ shares: [] }], { partial: true })).toEqual(['there is no share']);
  });

  test('in a file: the amount beside the statement, the statement, or two parts that change places', async () => {
    const { kept, book } = await closedDay();
    const [bo, cy, di] = kept.shares;
    expect(await faultsIn([{ ...bo, amount_pence: 53 }, cy, di])).toEqual(['Bo: it says Bo, 0.53 GBP, and Bo, 0.52 GBP was signed']);
    const [header, payload = '', signature] = bo?.statement?.split('.') ?? [];
    const changed = Buffer.from(payload, 'base64url').toString().replaceAll('"amount_pence":52', '"amount_pence":53');
    const statement = `${header}.${Buffer.from(changed).toString('base64url')}.${signature}`;
    expect(await faultsIn([{ ...bo, amount_pence: 53, statement }, cy, di])).toEqual([
      'Bo: its signature does not fit: what was signed was changed',
      `Bo: row 1 of the list of ${day()} is not divided by its weight`,
      'the shares sum to 1.01 GBP, and the tips of the day are 1.00 GBP',
    ]);
    expect(await faultsIn([{ ...bo, statement: 'x' }], { partial: true })).toEqual([
      'Bo: its statement cannot be read: it was changed or cut',
    ]);
    expect(await faultsIn([bo, bo, di])).toContain(`row 2 of the list of ${day()} is missing, after: Bo`);
    expect(await faultsIn(kept.shares, { book: { ...book, text: book.text.replace(',0.60,', ',0.61,') } })).toEqual([
      expect.stringMatching(/^book.csv: line \d+: row \d+ was changed, and is now: tip/),
      expect.stringMatching(/tip: 2 rows of 101 in all, and 2 of 100 were signed/),
    ]);
  });

  test('by who holds the key: shares that are not by weight', async () => {
    const { kept } = await closedDay();
    const signer = running.service.context.bookSigner;
    const forged = kept.shares.map((share, n) => {
      const payload = JSON.parse(Buffer.from(share.statement?.split('.')[1] ?? '', 'base64url').toString());
      const by = [1, -1, 0][n] ?? 0;
      const amount_pence = share.amount_pence + by;
      const parts = payload.parts.map((part: { amount_pence: number }) => ({ ...part, amount_pence: part.amount_pence + by }));
      return { ...share, amount_pence, statement: signer.seal(JSON.stringify({ ...payload, amount_pence, parts })) };
    });
    expect(await faultsIn(forged)).toEqual([
      `Bo: row 1 of the list of ${day()} is not divided by its weight`,
      `Cy: row 2 of the list of ${day()} is not divided by its weight`,
      'the shares together are not those that were signed',
      `Bo has 0.53 GBP of the tips of ${day()}, and 0.52 GBP by weight`,
      `Cy has 0.26 GBP of the tips of ${day()}, and 0.27 GBP by weight`,
    ]);
  });
});

test('a stranger follows docs/proofs.md: each person’s file is verified, and a share that was changed is named', async () => {
  const { store } = await tippedDay();
  await enter(store, { Bo: 750, Cy: 400 });
  await closeUntil(1);
  await using folder = await testFolder();
  const TOKEN = await running.issuer.token({ typ: 'merchant', scope: '', sub: randomUUID(), stores: [{ id: store.id, role: 'manager' }] });
  const run = (text: string) =>
    runCommands(text.replaceAll('2026-11-27', day()), folder.path, { GATEWAY: running.service.url, STORE: store.id, TOKEN });
  const [fetched = ''] = documentedCommands('docs/proofs.md', 'A signed day');
  const [, shared = '', all = '', one = ''] = documentedCommands('docs/proofs.md', 'Tips, to each person');
  await run(fetched);
  await run(shared);
  expect(await run(all)).toEqual([
    expect.stringContaining(`ok  S1 ${day()}: all 2 statements sum to the tips, which are those of book.csv`),
    0,
  ]);
  expect(await run(one)).toEqual([expect.stringContaining(`S1 ${day()}: 1 of 2 statements`), 0]);
  const file = `${folder.path}/tips-2.json`;
  writeFileSync(file, readFileSync(file, 'utf8').replace('"amount_pence":35', '"amount_pence":45'));
  expect(await run(all)).toEqual([expect.stringContaining('it says Cy, 0.45 GBP, and Cy, 0.35 GBP was signed'), 1]);
});
