import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireMultiStamps } from '../jobs/expire-multi-stamps.ts';
import { holdOpen, waitsForLock } from '../testing/held-lock.ts';
import { type AtCounter, addStaff, atCounter, type Member } from '../testing/multi-stamp.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, type Shop, withoutProof } from '../testing/shop.ts';

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

describe('a confirmation in a race', () => {
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
