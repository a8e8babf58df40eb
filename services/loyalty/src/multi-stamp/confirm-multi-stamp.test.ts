import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { programmeOf, staffOf } from '../testing/events.ts';
import { holdOpen, waitsForLock } from '../testing/held-lock.ts';
import { type AtCounter, addStaff, atCounter, type Member, refusalOf, staffSession } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { anonymous, openShop, ownerOf, type Shop, withoutProof } from '../testing/shop.ts';
import { fieldsOf, tapOf } from '../testing/tags.ts';
import { expireMultiStamps } from './entry-points.ts';

const noon = '2026-05-01T11:00:00Z';

let running: Running;

let shop: Shop;

let member: Member;

beforeAll(async () => {
  running = await startRunning({ at: noon });
  shop = await openShop(
    running,
    { ...withoutProof, goal: 3, reward_title: 'A coffee' },
    { name: 'Corner', code: 'C1', branding: { logo_url: 'https://cdn.test/l.png', primary_color: '#112233', stamp_visual: 'bean' } },
  );
  member = await addStaff(running, shop);
});

beforeEach(() => running.clock.set(noon));

afterAll(async () => await running[Symbol.asyncDispose]());

const stampsOf = async ({ id }: AtCounter, at = shop) => (await at.state(id)).body;

const Row = z.object({ status: z.string(), source: z.string(), n: z.number(), reason: z.string(), staff: z.string() });

describe('confirming a request', () => {
  test('makes all of its stamps at once, and the response shows the store', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(2)).body;
    const { status, body } = await ana.confirm({ request_id });
    expect(status).toBe(200);
    expect(body).toEqual({
      action: 'confirmed',
      stamps_created: 2,
      current_stamps: 2,
      goal: 3,
      vouchers_earned: 0,
      voucher_earned: false,
      voucher_results: [],
      store_name: 'Corner',
      store_code: 'C1',
      store_logo_url: 'https://cdn.test/l.png',
      primary_color: '#112233',
      secondary_color: null,
      background_type: 'color',
      background_image_url: null,
      background_color: null,
      stamp_visual: 'bean',
      store_template: null,
      idempotent: false,
    });
    const rows = await running.service.database.any(sql.type(Row)`
      select s.status, s.source, s.ordinal as n, s.approval_reason as reason, r.confirmed_by as staff
      from stamp s join multi_stamp_request r on r.id = s.request_id where s.customer_id = ${ana.id} order by s.ordinal`);
    expect(rows).toEqual([1, 2].map((n) => ({ status: 'approved', source: 'multi_stamp', n, reason: 'staff_card', staff: member.id })));
  });

  test('mints the voucher the stamps complete, keeps the others, and publishes every event in one transaction', async () => {
    const ana = await atCounter(running, shop, member);
    await shop.grant(ana.id);
    await shop.grant(ana.id);
    await ana.request(3);
    const { body } = await ana.confirm();
    const [voucher] = (await stampsOf(ana)).active_vouchers;
    expect(body).toMatchObject({ stamps_created: 3, current_stamps: 2, vouchers_earned: 1, voucher_earned: true });
    expect(body.voucher_results).toEqual([
      { voucher_id: voucher.id, voucher_code: voucher.code, reward_title: 'A coffee', expires_at: voucher.expires_at },
    ]);
    const events = (await shop.events(ana.id)).slice(3);
    expect(events.map(({ type }) => type)).toEqual([
      'stamp.approved',
      'stamp.approved',
      'stamp.approved',
      'voucher.minted',
      'multi_stamp.confirmed',
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7, 8]);
    expect(events.at(-1)?.data).toMatchObject({ customer_id: ana.id, store_id: shop.storeId, stamps: 3, stamp_count: 2, goal: 3 });
    const transactions = await running.service.database.any(sql.type(z.object({ id: z.string() }))`
      select distinct transaction_id::text as id from outbox where aggregate_id = ${`${shop.storeId}:${ana.id}`} and aggregate_sequence > 3`);
    expect(transactions).toHaveLength(1);
    expect(JSON.stringify([events, running.lines])).not.toContain(voucher.code);
  });

  test('pays the card’s debt first', async () => {
    const ana = await atCounter(running, shop, member);
    await shop.grant(ana.id);
    await running.service.database.query(sql.type(z.object({}))`update card set debt = 2 where customer_id = ${ana.id}`);
    await ana.request(3);
    expect((await ana.confirm()).body).toMatchObject({ current_stamps: 2, vouchers_earned: 0 });
  });

  test('without an id confirms the newest pending request, up to five seconds after it expired', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.cancel((await ana.request(1)).body.request_id);
    await ana.request(2);
    running.clock.advance({ seconds: 65 });
    expect((await ana.confirm()).body).toMatchObject({ stamps_created: 2, idempotent: false });
  });

  test('for one stamp takes nine statements', async () => {
    const ana = await atCounter(running, shop, member);
    await shop.grant(ana.id);
    await ana.request(1);
    running.statements.length = 0;
    await ana.confirm();
    expect(running.statements).toHaveLength(9);
  });
});

describe('a repeated confirmation', () => {
  test('of twenty at once, one makes the stamps and all return the same result', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(3);
    const responses = await Promise.all(Array.from({ length: 20 }, () => ana.confirm()));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(responses.filter(({ body }) => !body.idempotent)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => JSON.stringify({ ...body, idempotent: null }))).size).toBe(1);
    expect(await stampsOf(ana)).toMatchObject({ stamp_count: 0, active_vouchers: [expect.anything()] });
    expect((await shop.events(ana.id)).filter(({ type }) => type === 'multi_stamp.confirmed')).toHaveLength(1);
  });

  test('within a minute returns the first result, with and without the id, and is refused later', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(3)).body;
    const first = (await ana.confirm()).body;
    await shop.grant(ana.id);
    running.clock.advance({ seconds: 60 });
    for (const named of [{ request_id }, {}]) expect((await ana.confirm(named)).body).toEqual({ ...first, idempotent: true });
    running.clock.advance({ seconds: 1 });
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ana.confirm(named))).toEqual([404, 'NO_PENDING_REQUEST']);
  });

  test('returns the first result despite a newer cancelled request, but confirms a newer pending one', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(1);
    await ana.confirm();
    await ana.cancel((await ana.request(1)).body.request_id);
    expect((await ana.confirm()).body).toMatchObject({ idempotent: true });
    await ana.request(1);
    expect((await ana.confirm()).body).toMatchObject({ idempotent: false, current_stamps: 2 });
  });

  test('with the same Idempotency-Key returns the first response, byte for byte', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(1);
    const key = { 'idempotency-key': randomUUID() };
    const first = await ana.confirm({}, key);
    running.clock.advance({ minutes: 5 });
    expect(await ana.confirm({}, key)).toEqual(first);
  });
});

describe('a confirmation is refused', () => {
  test('without a pending request, for another customer’s request, and for a cancelled one', async () => {
    const [ana, ben] = [await atCounter(running, shop, member), await atCounter(running, shop, member)];
    expect(await refusalOf(ana.confirm())).toEqual([404, 'NO_PENDING_REQUEST']);
    const { request_id } = (await ben.request(1)).body;
    expect(await refusalOf(ana.confirm({ request_id }))).toEqual([404, 'NO_PENDING_REQUEST']);
    await ben.cancel(request_id);
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ben.confirm(named))).toEqual([404, 'NO_PENDING_REQUEST']);
    expect(await shop.events(ana.id)).toEqual([]);
  });

  test('for an expired request, before and after the job has marked it, with and without its id', async () => {
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(1)).body;
    running.clock.advance({ seconds: 66 });
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ana.confirm(named))).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    await expireMultiStamps(running.service.context);
    for (const named of [{ request_id }, {}]) expect(await refusalOf(ana.confirm(named))).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    running.clock.advance({ minutes: 5 });
    expect(await refusalOf(ana.confirm({ request_id }))).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    expect(await refusalOf(ana.confirm())).toEqual([404, 'NO_PENDING_REQUEST']);
  });

  test('for a request of another store, and at an unknown store', async () => {
    const there = await openShop(running, withoutProof);
    const ana = await atCounter(running, shop, member);
    const { request_id } = (await ana.request(1)).body;
    const card = (await addStaff(running, there)).card;
    const elsewhere = { store_code: there.storeId, staff_secret: card };
    expect(await refusalOf(ana.confirm({ ...elsewhere, request_id }))).toEqual([404, 'NO_PENDING_REQUEST']);
    expect(await refusalOf(ana.confirm(elsewhere))).toEqual([404, 'NO_PENDING_REQUEST']);
    for (const store_code of ['nowhere', randomUUID()])
      expect(await refusalOf(ana.confirm({ store_code }))).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('for the store’s owner, and without a token', async () => {
    const body = { store_code: shop.storeId, staff_secret: member.card };
    expect(await refusalOf(shop.post('multi-stamp/confirm', body, await ownerOf(running, shop.storeId)))).toEqual([
      403,
      'WRONG_TOKEN_TYPE',
    ]);
    expect(await refusalOf(shop.post('multi-stamp/confirm', body, anonymous))).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('a confirmation in a race', () => {
  /** Locks the customer's card until a confirmation waits for it, then runs `meanwhile` and unlocks the card. */
  async function confirmBehind(ana: AtCounter, meanwhile: (requestId: string) => Promise<unknown>) {
    await shop.grant(ana.id);
    const { request_id } = (await ana.request(2)).body;
    running.clock.advance({ seconds: 65 });
    const { database } = running.service;
    const release = await holdOpen(database, sql.type(z.object({}))`select from card where customer_id = ${ana.id} for update`);
    const confirmed = ana.confirm({ request_id });
    await waitsForLock(database, 'insert into card');
    await meanwhile(request_id);
    await release();
    return await confirmed;
  }

  test('is refused when a cancellation came first', async () => {
    const ana = await atCounter(running, shop, member);
    let cancelled: unknown;
    const confirmed = await confirmBehind(ana, async (requestId) => {
      cancelled = (await ana.cancel(requestId)).body;
    });
    expect(cancelled).toEqual({ cancelled: true, previous_status: 'pending' });
    expect([confirmed.status, confirmed.body.error?.code]).toEqual([404, 'NO_PENDING_REQUEST']);
    expect((await stampsOf(ana)).stamp_count).toBe(1);
  });

  test('is refused when an expiry came first', async () => {
    const ana = await atCounter(running, shop, member);
    const confirmed = await confirmBehind(ana, async () => {
      running.clock.advance({ seconds: 1 });
      await expireMultiStamps(running.service.context);
    });
    expect([confirmed.status, confirmed.body.error?.code]).toEqual([409, 'MULTI_STAMP_EXPIRED']);
    expect((await stampsOf(ana)).stamp_count).toBe(1);
  });

  test('with a cancellation and an expiry has exactly one winner', async () => {
    for (let round = 0; round < 12; round += 1) {
      running.clock.set(noon);
      const ana = await atCounter(running, shop, member);
      const { request_id } = (await ana.request(2)).body;
      running.clock.advance({ seconds: 65 });
      const expire = async () => {
        if (round % 3 === 2) running.clock.advance({ seconds: 1 });
        await expireMultiStamps(running.service.context);
      };
      const [confirmed, cancelled] = await Promise.all([ana.confirm({ request_id }), ana.cancel(request_id), expire()]);
      const stamps = (await stampsOf(ana)).stamp_count;
      expect(cancelled).toMatchObject({ status: 200, body: { cancelled: true } });
      const { previous_status } = cancelled.body;
      if (confirmed.status === 200) expect([stamps, previous_status]).toEqual([2, 'confirmed']);
      else {
        const { code } = confirmed.body.error;
        expect([stamps, code, previous_status]).toEqual(
          code === 'MULTI_STAMP_EXPIRED' ? [0, code, 'expired'] : [0, 'NO_PENDING_REQUEST', 'pending'],
        );
      }
    }
  });
});

describe('the limits of a confirmation', () => {
  test('apply the monthly ceiling that is current when the locks are held', async () => {
    const here = await openShop(running, { ...withoutProof, goal: 10, multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 6 } });
    const ana = await atCounter(running, here, await addStaff(running, here));
    await ana.request(3);
    expect((await ana.confirm()).status).toBe(200);
    await ana.request(3);
    const { database } = running.service;
    const release = await holdOpen(
      database,
      sql.type(z.object({}))`
        update programme set settings = jsonb_set(settings, '{multi_stamp,monthly_ceiling}', '5') where store_id = ${here.storeId}`,
    );
    const confirmed = ana.confirm();
    await waitsForLock(database, 'for update of p');
    await release();
    const { body } = await confirmed;
    expect(body.error.code).toBe('MULTI_STAMP_MONTHLY_CEILING');
    expect((await stampsOf(ana, here)).stamp_count).toBe(3);
    await running.consume(
      programmeOf(here.storeId, { version: 2, goal: 10, multi_stamp: { ...withoutProof.multi_stamp, monthly_ceiling: 6 } }),
    );
    expect((await ana.confirm()).body).toMatchObject({ current_stamps: 6 });
  });

  test('count its stamps toward the plan’s quota, unlike those of orders, and refuse what exceeds it', async () => {
    const here = await openShop(running, { ...withoutProof, goal: 10, monthly_stamp_quota: 4 });
    const ana = await atCounter(running, here, await addStaff(running, here));
    await here.pay(randomUUID());
    await here.grant(ana.id);
    expect(await refusalOf(ana.request(4))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    await ana.request(3);
    await here.grant(ana.id);
    expect(await refusalOf(ana.confirm())).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
    await ana.cancel((await ana.status()).body.request.id);
    await ana.request(2);
    expect((await ana.confirm()).status).toBe(200);
    expect(await refusalOf(here.grant(ana.id))).toEqual([409, 'MONTHLY_LIMIT_REACHED']);
  });

  // London sets its clocks forward on 29 March 2026: that day has 23 hours, and ends at 23:00 UTC.
  test('do not count its stamps toward the customer’s day, also on the day the clocks change', async () => {
    running.clock.set('2026-03-28T23:59:00Z');
    const here = await openShop(running, { ...withoutProof, goal: 50, daily_stamp_limit: 1 });
    const ana = await atCounter(running, here, await addStaff(running, here));
    await ana.request(5);
    expect((await ana.confirm()).status).toBe(200);
    expect((await here.grant(ana.id)).status).toBe(200);
    expect(await refusalOf(here.grant(ana.id))).toEqual([409, 'DAILY_LIMIT_REACHED']);
    running.clock.set('2026-03-29T00:00:00Z');
    expect((await here.grant(ana.id)).status).toBe(200);
    running.clock.set('2026-03-29T22:59:59Z');
    expect(await refusalOf(here.grant(ana.id))).toEqual([409, 'DAILY_LIMIT_REACHED']);
    running.clock.set('2026-03-29T23:00:00Z');
    expect((await here.grant(ana.id)).status).toBe(200);
  });
});

describe('credentials:', () => {
  const invalid = [403, 'STAFF_CREDENTIAL_INVALID'];

  let shop: Shop;
  let there: Shop;
  let member: Member;
  beforeAll(async () => {
    shop = await openShop(running, { ...withoutProof, goal: 10 });
    there = await openShop(running, { ...withoutProof, goal: 10 });
    member = await addStaff(running, shop);
  });

  async function confirmed(more: object, headers: Record<string, string> = {}) {
    const ana = await atCounter(running, shop, member);
    await ana.request(1);
    return await ana.confirm({ staff_secret: null, ...more }, headers);
  }

  const refused = (more: object, headers?: Record<string, string>) => refusalOf(confirmed(more, headers));

  const session = (claims: object = {}) => staffSession(running, shop.storeId, { sub: member.id, ...claims });

  const worksHere = () => [{ id: shop.storeId, role: 'staff' as const }];

  describe('an auth card', () => {
    test('is accepted at its own store only', async () => {
      expect((await confirmed({ staff_secret: member.card })).body).toMatchObject({ stamps_created: 1 });
      const abroad = await addStaff(running, there);
      expect(await refused({ staff_secret: abroad.card })).toEqual(invalid);
    });

    test('that no member has is refused', async () => {
      for (const staff_secret of [randomUUID(), 'x']) expect(await refused({ staff_secret })).toEqual(invalid);
    });

    test('is valid until it is revoked, no longer listed, or its member has left the store', async () => {
      const card = { token_id: randomUUID(), store_id: shop.storeId };
      const changes: [Parameters<typeof staffOf>[1], unknown][] = [
        [{ cards: [{ ...card, revoked: true }] }, invalid],
        [{ cards: [card] }, [200, undefined]],
        [{ cards: [] }, invalid],
        [{ cards: [card, { ...card, revoked: true }] }, invalid],
        [{ cards: [card], stores: [] }, invalid],
        [{ cards: [card] }, [200, undefined]],
      ];
      const id = randomUUID();
      for (const [index, [change, then]] of changes.entries()) {
        await running.consume(staffOf(id, { version: index + 2, stores: worksHere(), ...change }));
        expect(await refused({ staff_secret: card.token_id })).toEqual(then);
      }
      // An older snapshot changes nothing.
      await running.consume(staffOf(id, { version: 1, stores: [], cards: [] }));
      expect((await confirmed({ staff_secret: card.token_id })).status).toBe(200);
    });

    test('is stored as a hash, and neither it nor a session is in any event or log line', async () => {
      const token = await session();
      await confirmed({ staff_secret: member.card });
      await confirmed({ staff_token: token });
      const rows = await running.service.database.any(sql.type(z.object({ row: z.string() }))`
      select t::text as row from staff t union all select t::text from outbox t union all select t::text from multi_stamp_request t
      union all select t::text from stamp t union all select t::text from idempotency_key t`);
      const written = JSON.stringify([rows, running.lines]);
      for (const secret of [member.card, token]) expect(written).not.toContain(secret);
    });
  });

  describe('a staff session', () => {
    test('is read from the body or X-Staff-Token, and before a card', async () => {
      const staff_token = await session();
      expect((await confirmed({ staff_token })).status).toBe(200);
      expect((await confirmed({}, { 'x-staff-token': staff_token })).status).toBe(200);
      expect((await confirmed({ staff_token }, { 'x-staff-token': staff_token })).status).toBe(200);
      expect((await confirmed({ staff_token: '' }, { 'x-staff-token': staff_token })).status).toBe(200);
      const abroad = await staffSession(running, there.storeId);
      expect(await refused({ staff_token: abroad, staff_secret: member.card })).toEqual(invalid);
    });

    test('is refused when the body and the header differ', async () => {
      const staff_token = await session();
      expect(await refused({ staff_token }, { 'x-staff-token': await session() })).toEqual([400, 'VALIDATION_FAILED']);
    });

    test('names the member who confirmed', async () => {
      const ana = await atCounter(running, shop, member);
      const { request_id } = (await ana.request(1)).body;
      await ana.confirm({ staff_secret: null, staff_token: await session() });
      const staffId = await running.service.database.oneFirst(sql.type(z.object({ id: z.string() }))`
      select confirmed_by as id from multi_stamp_request where id = ${request_id}`);
      expect(staffId).toBe(member.id);
    });

    test('is valid for twelve hours, whatever expiry it names', async () => {
      const exp = Math.floor(new Date(noon).getTime() / 1_000) + 48 * 3_600;
      const [usual, endless] = [await session(), await session({ exp })];
      running.clock.advance({ minutes: 12 * 60 - 1 });
      for (const staff_token of [usual, endless]) expect((await confirmed({ staff_token })).status).toBe(200);
      running.clock.advance({ minutes: 2 });
      for (const staff_token of [usual, endless]) expect(await refused({ staff_token })).toEqual(invalid);
    });

    test('is revoked by its id, and when its member leaves the store', async () => {
      const [id, jti] = [randomUUID(), randomUUID()];
      const staff_token = await session({ sub: id.toUpperCase(), jti });
      await running.consume(staffOf(id, { stores: worksHere() }));
      expect((await confirmed({ staff_token })).status).toBe(200);
      await running.consume(staffOf(id, { version: 2, stores: worksHere(), revoked_sessions: [randomUUID(), jti] }));
      expect(await refused({ staff_token })).toEqual(invalid);
      const another = await session({ sub: id });
      expect((await confirmed({ staff_token: another })).status).toBe(200);
      await running.consume(staffOf(id, { version: 3, stores: [] }));
      expect(await refused({ staff_token: another })).toEqual(invalid);
    });

    test('of a member whom the directory never published is refused, whatever stores it lists', async () => {
      expect(await refused({ staff_token: await session({ sub: randomUUID() }) })).toEqual(invalid);
    });

    test('that does not verify is refused with the same response, whatever is wrong with it', async () => {
      const claims = { typ: 'staff', aud: 'staff-session', stores: worksHere() } as const;
      const { bad } = running.issuer;
      const tokens = [
        'no token',
        'a.b.c',
        await running.issuer.token({ ...claims, aud: 'api' }),
        await running.issuer.token({ ...claims, typ: 'customer' }),
        await running.issuer.token({ ...claims, jti: undefined }),
        await running.issuer.token({ ...claims, sub: 'cy' }),
        await running.issuer.token({ ...claims, stores: [] }),
        await staffSession(running, there.storeId),
        await bad.expired(claims),
        await bad.unsigned(claims),
        await bad.hs256(claims),
        await bad.wrongAudience(claims),
        await bad.wrongIssuer(claims),
        await bad.unknownKid(claims),
        await bad.forged(claims),
      ];
      const responses = await Promise.all(tokens.map((staff_token) => confirmed({ staff_token })));
      responses.push(await confirmed({ staff_secret: randomUUID() }));
      expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, { ...body.error, requestId: '' }]))).size).toBe(1);
      expect([responses[0]?.status, responses[0]?.body.error.code]).toEqual(invalid);
    });

    test('is not an access token', async () => {
      const token = await session();
      expect(await refusalOf(shop.post('multi-stamp/confirm', { store_code: shop.storeId }, token))).toEqual([401, 'UNAUTHENTICATED']);
    });
  });

  test('a missing credential is refused before the store is looked up', async () => {
    const required = [401, 'STAFF_CREDENTIAL_REQUIRED'];
    expect(await refused({})).toEqual(required);
    expect(await refused({ staff_secret: '', staff_token: '' }, { 'x-staff-token': '' })).toEqual(required);
    expect(await refused({ store_code: randomUUID() })).toEqual(required);
  });

  test('a refused credential leaves the request pending', async () => {
    const ana = await atCounter(running, shop, member);
    await ana.request(2);
    expect(await refusalOf(ana.confirm({ staff_secret: randomUUID() }))).toEqual(invalid);
    expect((await ana.confirm()).body).toMatchObject({ stamps_created: 2, idempotent: false });
  });
});

describe('the tap of a confirmation', () => {
  const uid = '04A1B2C3D4E5F6';
  const strangeUid = '04A1B2C3D4E5F7';
  let strict: Shop;
  let member: Member;
  beforeAll(async () => {
    strict = await openShop(running, { goal: 10, nfc_enforced: true, tags: [{ uid }] });
    await openShop(running, { tags: [{ uid: strangeUid }] });
    member = await addStaff(running, strict);
  });
  let counter = 0;
  const tap = () => {
    counter += 1;
    return fieldsOf(tapOf(uid, counter));
  };

  test('is required and verified where the store enforces it', async () => {
    const ana = await atCounter(running, strict, member);
    await ana.request(2);
    const { nfc_picc_data, nfc_cmac, nfc_key_version } = tap();
    expect(await refusalOf(ana.confirm())).toEqual([403, 'NFC_PROOF_REQUIRED']);
    expect(await refusalOf(ana.confirm({ nfc_picc_data, nfc_cmac }))).toEqual([400, 'NFC_PROOF_INCOMPLETE']);
    const forged = { nfc_picc_data, nfc_cmac: '0000000000000000', nfc_key_version };
    expect(await refusalOf(ana.confirm(forged))).toEqual([403, 'NFC_PROOF_INVALID']);
    expect(await refusalOf(ana.confirm(fieldsOf(tapOf(strangeUid, 1))))).toEqual([403, 'NFC_TAG_WRONG_STORE']);
    expect((await ana.confirm({ nfc_picc_data, nfc_cmac, nfc_key_version })).body).toMatchObject({ stamps_created: 2 });
  });

  test('is required with an auth card by default, but not with a staff session', async () => {
    const usual = await openShop(running, { goal: 10, tags: [{ uid: '04000000000002' }] });
    const barista = await addStaff(running, usual);
    const ana = await atCounter(running, usual, barista);
    await ana.request(1);
    expect(await refusalOf(ana.confirm())).toEqual([403, 'NFC_PROOF_REQUIRED']);
    expect((await ana.confirm(fieldsOf(tapOf('04000000000002', 1)))).body).toMatchObject({ stamps_created: 1 });
    await ana.request(1);
    const session = { staff_secret: null, staff_token: await staffSession(running, usual.storeId, { sub: barista.id }) };
    expect((await ana.confirm(session)).body).toMatchObject({ stamps_created: 1, idempotent: false });
  });

  test('is not required with an auth card where the store says that the card alone will do', async () => {
    const loose = await openShop(running, { goal: 10, multi_stamp: { staff_card_without_tap: 'accept' } });
    const ana = await atCounter(running, loose, await addStaff(running, loose));
    await ana.request(1);
    expect((await ana.confirm()).body).toMatchObject({ stamps_created: 1 });
  });

  test('is also verified where the store does not enforce it', async () => {
    const lax = await openShop(running, { goal: 10, tags: [{ uid: '04000000000001' }] });
    const ana = await atCounter(running, lax, await addStaff(running, lax));
    await ana.request(1);
    expect(await refusalOf(ana.confirm(fieldsOf(tapOf('04FFFFFFFFFFFF', 1))))).toEqual([403, 'NFC_PROOF_INVALID']);
    expect((await ana.confirm(fieldsOf(tapOf('04000000000001', 1)))).status).toBe(200);
  });

  test('is accepted once, among all customers', async () => {
    const [ana, ben] = [await atCounter(running, strict, member), await atCounter(running, strict, member)];
    await Promise.all([ana.request(1), ben.request(1)]);
    const one = tap();
    const responses = await Promise.all([ana.confirm(one), ben.confirm(one)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'NFC_TAP_REPLAYED')).toHaveLength(1);
  });

  test('is used up by a confirmation, but not by a refusal or a repeat', async () => {
    const [ana, ben] = [await atCounter(running, strict, member), await atCounter(running, strict, member)];
    const [first, second] = [tap(), tap()];
    expect(await refusalOf(ana.confirm(first))).toEqual([404, 'NO_PENDING_REQUEST']);
    await ana.request(1);
    const confirmed = (await ana.confirm(first)).body;
    expect(confirmed).toMatchObject({ stamps_created: 1, idempotent: false });
    for (const sent of [first, second]) expect((await ana.confirm(sent)).body).toEqual({ ...confirmed, idempotent: true });
    await ben.request(1);
    expect((await ben.confirm(second)).body).toMatchObject({ stamps_created: 1, idempotent: false });
  });

  test('is refused when it is older than the last one, and the request stays pending', async () => {
    const ana = await atCounter(running, strict, member);
    const [older, newer] = [tap(), tap()];
    await ana.request(1);
    await ana.confirm(newer);
    await ana.request(1);
    expect(await refusalOf(ana.confirm(older))).toEqual([409, 'NFC_TAP_REPLAYED']);
    expect((await ana.confirm(tap())).body).toMatchObject({ current_stamps: 2 });
  });

  test('makes a concurrent cancellation wait and an expiry skip the request, and both find it confirmed', async () => {
    const ana = await atCounter(running, strict, member);
    const { request_id } = (await ana.request(2)).body;
    running.clock.advance({ seconds: 65 });
    const { database, context } = running.service;
    const release = await holdOpen(database, sql.type(z.object({}))`select from tag where uid = ${uid} for update`);
    const confirmed = ana.confirm({ request_id, ...tap() });
    await waitsForLock(database, 'update tag set last_counter');
    const cancelled = ana.cancel(request_id);
    await waitsForLock(database, 'update multi_stamp_request');
    running.clock.advance({ seconds: 1 });
    await expireMultiStamps(context);
    await release();
    expect((await confirmed).body).toMatchObject({ stamps_created: 2, current_stamps: 2 });
    expect((await cancelled).body).toEqual({ cancelled: true, previous_status: 'confirmed' });
  });
});
