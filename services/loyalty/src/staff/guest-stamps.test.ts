// covers: listGuestStamps
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { addPendingStamp, anonymous, customerToken, openShop, ownerOf, type Shop } from '../testing/shop.ts';
import { expireGuestStamps } from './jobs.ts';

const noon = '2026-05-01T11:00:00Z';
let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning({ at: noon });
});
beforeEach(async () => {
  running.clock.set(noon);
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const addGuestStamps = (count: number, at = shop.storeId) =>
  running.service.database.query(sql.type(z.object({}))`
    insert into stamp (id, store_id, status, source, approval_reason, created_at)
    select gen_random_uuid(), ${at}, 'pending', 'web', 'guest', ${running.clock.now().toISOString()}::timestamptz - make_interval(secs => ${count} - n)
    from generate_series(1, ${count}::int) n`);
const mint = async (token: string = anonymous) =>
  (await shop.post('stamp-codes', { store_id: shop.storeId, ttl_seconds: 60 }, token)).body.code;
const redeem = (code: string, token: string = anonymous) => shop.post('stamp-codes/redeem', { code }, token);
const pending = async () => (await shop.get(`pending-stamps?store_id=${shop.storeId}&status=pending`)).body.stamps;
interface Listed {
  readonly id: string;
  readonly customer_id: string | null;
  readonly created_at: string;
}
const guests = async (more: Record<string, string> = {}, token?: string) =>
  await shop.get(`pending-stamps/guests?${new URLSearchParams({ store_id: shop.storeId, ...more })}`, token);

describe('stamps of guests', () => {
  test('leave every stamp of a known customer in the list of a hundred, and fill only the room that is left, newest first', async () => {
    const known: string[] = [];
    for (let n = 0; n < 40; n += 1) known.push(await addPendingStamp(running, shop));
    running.clock.advance({ minutes: 10 });
    await addGuestStamps(120);
    const listed: Listed[] = await pending();
    expect(listed).toHaveLength(100);
    expect(listed.flatMap(({ id }) => (known.includes(id) ? [id] : [])).toSorted()).toEqual(known.toSorted());
    const times = listed.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('have a list of their own, in pages, newest first, without customers’ and other stores’', async () => {
    const other = await openShop(running);
    await addGuestStamps(3, other.storeId);
    await addPendingStamp(running, shop);
    await addGuestStamps(5);
    const first: Listed[] = (await guests({ limit: '3' })).body.stamps;
    const second: Listed[] = (await guests({ limit: '3', before: first.at(-1)?.id ?? '' })).body.stamps;
    expect([first.length, second.length]).toEqual([3, 2]);
    const all: Listed[] = (await guests()).body.stamps;
    expect([...first, ...second]).toEqual(all);
    expect(all[0]).toMatchObject({ customer_id: null, status: 'pending', customer: { id: 'guest', name: null } });
    expect((await guests({ before: randomUUID() })).body.error).toMatchObject({ code: 'INVALID_CURSOR' });
    expect((await guests({}, await ownerOf(running, other.storeId))).status).toBe(403);
  });

  test('are refused from the two hundredth that waits on, with when to come back; the code stays, and customers go on', async () => {
    await addGuestStamps(199);
    expect((await redeem(await mint())).status).toBe(200);
    const code = await mint();
    const refused = await fetch(`${running.service.url}/api/v1/loyalty/stamp-codes/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 900]);
    expect(await refused.json()).toMatchObject({
      error: { code: 'RATE_LIMITED', message: expect.stringMatching(/^Too many stamps of guests wait/) },
    });
    const token = await customerToken(running, randomUUID());
    expect((await redeem(code, token)).body).toMatchObject({ stamp_status: 'pending', approval_reason: 'no_proof' });
    const [answered]: Listed[] = (await guests({ limit: '1' })).body.stamps;
    await shop.post('pending-stamps/resolve', { store_id: shop.storeId, stamp_id: answered?.id, action: 'reject' });
    expect((await redeem(await mint())).status).toBe(200);
  });

  test('that no one answered for a day are rejected; those of customers wait on', async () => {
    const code = await mint();
    const { stamp_id } = (await redeem(code)).body;
    const known = await addPendingStamp(running, shop);
    running.clock.advance({ hours: 23 });
    await expireGuestStamps(running.service.context);
    expect((await guests()).body.stamps).toHaveLength(1);
    running.clock.advance({ hours: 1, seconds: 1 });
    await expireGuestStamps(running.service.context);
    expect((await guests()).body.stamps).toEqual([]);
    expect((await pending()).map(({ id }: Listed) => id)).toEqual([known]);
    const review = { store_id: shop.storeId, stamp_id, action: 'approve' };
    expect((await shop.post('stamps/review', review)).body.error.code).toBe('STAMP_ALREADY_REJECTED');
    expect((await redeem(code)).body).toMatchObject({ stamp_id, already_redeemed: true });
  });
});
