import { randomUUID } from 'node:crypto';
import { findCustomer } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerOf, queueEvent } from '../testing/events.ts';
import { refusalOf } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, bo, cy, openShop, ownerOf, type Shop, staffOf } from '../testing/shop.ts';
import { dropOldLookUps } from './entry-points.ts';

let running: Running;
let shop: Shop;

beforeAll(async () => {
  running = await startRunning();
  shop = await openShop(running, { goal: 2 });
});
afterAll(async () => await running[Symbol.asyncDispose]());

interface Contact {
  readonly name: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

async function customerAt(shops: readonly Shop[], contact: Contact): Promise<string> {
  const id = randomUUID();
  const memberships = [{ store_id: shop.storeId, status: 'active', plan_name: 'Gold' }];
  await running.consume(customerOf(id, { memberships, ...contact }));
  for (const at of shops) await at.pay(id);
  return id;
}

const find = async (q: string, token?: string, at = shop) =>
  await at.get(`customers?${new URLSearchParams({ store_id: at.storeId, q })}`, token ?? (await staffOf(running, at.storeId)));

const found = async (q: string, at = shop): Promise<readonly string[]> => {
  const { status, body } = await find(q, undefined, at);
  expect(status).toBe(200);
  return (body.customers as { customer: { id: string } }[]).map(({ customer }) => customer.id).sort();
};

const Record = z.object({ kind: z.string(), asked: z.string(), found: z.number(), by_id: z.string(), by_name: z.string().nullable() });
const records = (at = shop) =>
  running.service.database.any(sql.type(Record)`
    select kind, asked, found, by_id, by_name from look_up where store_id = ${at.storeId} order by id`);

describe('staff find a customer', () => {
  test('with the card, the vouchers and the membership, and a manager with contact data', async () => {
    const contact = { name: 'Zoë Quill', email: 'zoe@example.test', phone: '+447700912345' };
    const id = await customerAt([shop], contact);
    await shop.grant(id);
    await shop.pay(id);
    const [voucher] = (await shop.state(id)).body.active_vouchers;
    const expected = {
      customer: {
        id,
        name: 'Zoë Quill',
        email: null,
        phone: null,
        identity_user_id: null,
        updated_at: null,
        last_seen: expect.any(String),
        created_at: expect.any(String),
      },
      stamp_count: 1,
      goal: 2,
      reward_name: 'A coffee',
      driver: 'orders',
      order_count: 2,
      active_vouchers: [voucher],
      membership: { status: 'active', current_period_end: null, plan_name: 'Gold' },
    };
    expect((await find('zoë')).body).toEqual({ customers: [expected] });
    const manager = await staffOf(running, shop.storeId, bo, 'manager');
    const { name, ...seen } = contact;
    expect((await find('zoë', manager)).body.customers).toEqual([{ ...expected, customer: { ...expected.customer, ...seen } }]);
    expect((await shop.state(id, await staffOf(running, shop.storeId))).body).toMatchObject({ phone: null, email: null });
    expect((await shop.state(id, manager)).body).toMatchObject(seen);
  });

  test('by the beginnings of words of the name, in any case and order, and not by fewer letters or the middle of a word', async () => {
    const [smith, neil] = [await customerAt([shop], { name: 'Örjan Smithson' }), await customerAt([shop], { name: 'Kim O’Neil-Marsh' })];
    for (const q of ['smi', 'SMITH', 'örj', 'örj'.normalize('NFD'), 'ÖRJAN smithson', 'smithson ö'])
      expect([q, await found(q)]).toEqual([q, [smith]]);
    for (const q of ['neil', 'mar', "o'neil", 'kim o']) expect([q, await found(q)]).toEqual([q, [neil]]);
    const papas = await customerAt([shop], { name: 'ΓΙΩΡΓΟΣ ΠΑΠΑΣ' });
    expect(await found('ΓΙΩΡΓΟΣ')).toEqual([papas]);
    for (const q of ['mith', 'smithsons', 'smi:* | kim', 'kim & smith']) expect([q, await found(q)]).toEqual([q, []]);
    for (const q of ['k', 'k o', '!!!', '%%%']) expect([q, ...(await refusalOf(find(q)))]).toEqual([q, 400, 'VALIDATION_FAILED']);
  });

  test('by a whole short name, and in any script, composed or not, with or without accents', async () => {
    const ids = new Map<string, string>();
    for (const name of ['王芳', 'Ng', 'José Łuki', 'Jose\u0301 Zwei', 'प्रिया शर्मा', 'さくら 田中', 'สมชาย', 'Straße', 'Νίκος', '김철수'])
      ids.set(name, await customerAt([shop], { name }));
    const meant: readonly (readonly [string, ...string[]])[] = [
      ['王芳', '王芳'],
      ['芳', '王芳'],
      ['ng', 'Ng'],
      ['ＮＧ', 'Ng'],
      ['José', 'José Łuki', 'Jose\u0301 Zwei'],
      ['jose\u0301', 'José Łuki', 'Jose\u0301 Zwei'],
      ['jose', 'José Łuki', 'Jose\u0301 Zwei'],
      ['luki', 'José Łuki'],
      ['प्रिया', 'प्रिया शर्मा'],
      ['田中', 'さくら 田中'],
      ['さくら', 'さくら 田中'],
      ['สมชาย', 'สมชาย'],
      ['strasse', 'Straße'],
      ['ΝΙΚΟΣ', 'Νίκος'],
      ['김철수', '김철수'],
    ];
    for (const [q, ...names] of meant) expect([q, await found(q)]).toEqual([q, names.map((name) => ids.get(name)).sort()]);
    // Two letters are a whole name, not the beginning of one.
    expect(await found('zw')).toEqual([]);
  });

  test('by the last digits of a phone number, four at least, however it is written', async () => {
    const id = await customerAt([shop], { name: 'Phone', phone: '+44 7700 900123' });
    await customerAt([shop], { name: 'Other', phone: '+447700900124' });
    for (const q of [
      '0123',
      '900123',
      '07700 900123',
      '+44 (7700) 900-123',
      '00447700900123',
      '+44 (0)7700 900123',
      '０７７００ ９００１２３',
    ])
      expect([q, await found(q)]).toEqual([q, [id]]);
    expect(await found('7700')).toEqual([]);
    expect(await refusalOf(find('123'))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('by a whole e-mail address, in any case, and not by a part of it', async () => {
    const id = await customerAt([shop], { name: 'Mail', email: 'Post.Box@Example.test' });
    expect(await found('post.box@example.TEST')).toEqual([id]);
    expect(await found('box@example.test')).toEqual([]);
    for (const q of ['post.box@', '@example.test']) expect(await refusalOf(find(q))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('by the text that the QR code of a card or of a voucher’s pass holds', async () => {
    const id = await customerAt([shop], { name: 'Card' });
    for (const q of [id, id.toUpperCase(), ` ${id} `, JSON.stringify({ voucher_id: randomUUID(), customer_id: id })])
      expect(await found(q)).toEqual([id]);
    for (const q of ['{"customer_id":7}', '{', '{}', '{"customer_id":"x"}'])
      expect(await refusalOf(find(q))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('who joined the queue or ordered without a programme, and one who was only granted stamps by the card alone, without a name', async () => {
    const queued = await customerAt([], { name: 'Quentin Queue' });
    await running.consume(queueEvent('joined', shop.storeId, queued, '2026-05-01T10:00:00Z'));
    expect(await found('quentin')).toEqual([queued]);
    const granted = await customerAt([], { name: 'Gwen Granted', phone: '+447700955555' });
    await shop.grant(granted);
    for (const q of ['gwen', '955555']) expect(await found(q)).toEqual([]);
    const { body } = await find(granted, await ownerOf(running, shop.storeId));
    expect(body.customers).toMatchObject([{ customer: { id: granted, name: null, phone: null }, stamp_count: 1 }]);
  });

  test('at most twenty, those who visited last first', async () => {
    const busy = await openShop(running);
    const ids: string[] = [];
    for (let minute = 10; minute < 32; minute += 1) {
      const id = await customerAt([], { name: `Regular ${minute}` });
      await running.consume(queueEvent('joined', busy.storeId, id, `2026-05-01T09:${minute}:00Z`));
      ids.unshift(id);
    }
    const { customers } = (await find('regular', undefined, busy)).body as { customers: { customer: { id: string } }[] };
    expect(customers.map(({ customer }) => customer.id)).toEqual(ids.slice(0, 20));
  });
});

describe('people of other stores', () => {
  test('are not found, by whatever is asked', async () => {
    const elsewhere = await openShop(running);
    const id = await customerAt([elsewhere], { name: 'Elsewhere', email: 'else@example.test', phone: '+447700977777' });
    for (const q of ['elsewhere', 'else@example.test', '977777', id]) {
      expect(await found(q)).toEqual([]);
      expect(await found(q, elsewhere)).toEqual([id]);
    }
  });

  test('have the card and the vouchers of the store that asks', async () => {
    const elsewhere = await openShop(running, { goal: 1 });
    const id = await customerAt([shop, elsewhere], { name: 'Both' });
    const [here, there] = [await find(id), await find(id, undefined, elsewhere)];
    expect(here.body.customers).toMatchObject([{ stamp_count: 1, goal: 2, active_vouchers: [] }]);
    expect(there.body.customers).toMatchObject([
      { stamp_count: 0, goal: 1, active_vouchers: [{ reward_title: 'A coffee' }], membership: null },
    ]);
  });
});

describe('each look-up is recorded', () => {
  test('with who asked, what for and how many were found, but nothing that a customer is known by; no log has it either', async () => {
    const at = await openShop(running);
    const contact = { name: 'Hidden Person', email: 'hidden@example.test', phone: '+447700966431' };
    const id = await customerAt([at], contact);
    for (const q of ['hidden pers', 'hidden@example.test', '966431', id, 'missing']) await find(q, undefined, at);
    const by = { by_id: cy.id, by_name: 'Cy' };
    expect(await records(at)).toEqual([
      { kind: 'name', asked: 'h… p…', found: 1, ...by },
      { kind: 'email', asked: 'h…@…', found: 1, ...by },
      { kind: 'phone', asked: '…31', found: 1, ...by },
      { kind: 'card', asked: `…${id.slice(-4)}`, found: 1, ...by },
      { kind: 'name', asked: 'm…', found: 0, ...by },
    ]);
    const lines = JSON.stringify(running.lines);
    expect(['hidden', '966431'].filter((secret) => lines.toLowerCase().includes(secret))).toEqual([]);
  });

  test('and the record is deleted after ninety days', async () => {
    const at = await openShop(running);
    await find('anyone', undefined, at);
    running.clock.set('2026-07-30T10:59:00Z');
    await dropOldLookUps(running.service.context);
    expect(await records(at)).toHaveLength(1);
    running.clock.set('2026-07-30T11:01:00Z');
    await dropOldLookUps(running.service.context);
    expect(await records(at)).toEqual([]);
    running.clock.set('2026-05-01T11:00:00Z');
  });

  test('in the one statement that finds the customers', async () => {
    await find('anyone');
    running.statements.length = 0;
    await find('anyone');
    expect(running.statements).toHaveLength(1);
  });
});

describe('a look-up is refused', () => {
  test('at an unknown store, and recorded nowhere', async () => {
    const unknown = { ...shop, storeId: randomUUID() };
    expect(await refusalOf(find('anyone', undefined, unknown))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(await records(unknown)).toEqual([]);
  });

  test('without a token, to a customer and to the staff of another store', async () => {
    const tokens = [anonymous, await running.issuer.token({ typ: 'customer' }), await staffOf(running, randomUUID())];
    expect(await Promise.all(tokens.map((token) => refusalOf(find('anyone', token))))).toEqual([
      [401, 'UNAUTHENTICATED'],
      [403, 'WRONG_TOKEN_TYPE'],
      [403, 'STORE_FORBIDDEN'],
    ]);
  });
});

describe('a till asks who is meant', () => {
  const by = { kind: 'staff', id: cy.id, name: cy.name } as const;
  const meant = async (q: string, asks: typeof by | null = by, at = shop) =>
    (await running.call(findCustomer, { store_id: at.storeId, q, by: asks })).output?.customer_ids;

  test('a card is of its customer, known at the store or not, and is not recorded', async () => {
    const before = (await records()).length;
    const id = randomUUID();
    expect(await meant(id)).toEqual([id]);
    expect(await meant(JSON.stringify({ voucher_id: randomUUID(), customer_id: id }), null)).toEqual([id]);
    expect(await records()).toHaveLength(before);
  });

  test('a phone number and an e-mail address find customers of the store alone, and are recorded with who asked', async () => {
    const other = await openShop(running);
    const id = await customerAt([shop], { name: 'Till Quill', email: 'till@example.test', phone: '+447700998877' });
    expect([await meant('998877'), await meant('till@example.test')]).toEqual([[id], [id]]);
    expect((await records()).at(-1)).toEqual({ kind: 'email', asked: 't…@…', found: 1, by_id: cy.id, by_name: 'Cy' });
    expect(await meant('998877', by, other)).toEqual([]);
  });

  test('a name finds no one, and who may read cards alone finds no one by a phone number', async () => {
    expect([await meant('Till Quill'), await meant('998877', null)]).toEqual([[], []]);
  });
});
