import { setTimeout as pause } from 'node:timers/promises';
import { stores } from '@corner/sandbox';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { checkAtRest } from './checker.ts';
import { loyaltySteps, walkLoyalty } from './testing/loyalty-story.ts';
import { type SystemUnderTest, startSystemUnderTest } from './testing/running-system.ts';

jest.setTimeout(120_000);

let under: SystemUnderTest;
let database: pg.Client;

beforeAll(async () => {
  under = await startSystemUnderTest();
  database = new pg.Client({ connectionString: under.system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await under[Symbol.asyncDispose]();
});

/** What stands in the tables of a customer's card, and what was told of it, in order. */
const kept = async (customerId: string) =>
  (
    await database.query(
      `select
        (select jsonb_object_agg(what, count) from (
          select concat_ws(' ', source, status, case when voucher_id is not null then 'in a voucher' end) as what, count(*)
          from loyalty.stamp where customer_id = $1 group by 1) s) as stamps,
        (select array_agg(status order by minted_at) from loyalty.voucher where customer_id = $1) as vouchers,
        (select array_agg(status order by created_at) from loyalty.multi_stamp_request where customer_id = $1) as requests,
        (select array_agg(distinct counts order by counts) from (
          select count(*)::int as counts from loyalty.outbox where aggregate_id = $2 group by aggregate_sequence) t) as told_each,
        (select max(aggregate_sequence) - count(*) from loyalty.outbox where aggregate_id = $2)::int as untold,
        (select jsonb_object_agg(type, count) from (select type, count(*) from loyalty.outbox where aggregate_id = $2 group by 1) o) as told`,
      [customerId, `${stores.coffee.id}:${customerId}`],
    )
  ).rows[0];

async function endsTheSame(customerId: string) {
  expect(await kept(customerId)).toEqual({
    stamps: {
      'multi_stamp approved in a voucher': 3,
      'nfc approved in a voucher': 1,
      'offline_nfc approved in a voucher': 1,
      'offline_nfc rejected': 1,
      'offline_nfc pending': 18,
      'hub undone': 1,
      'hub approved': 1,
    },
    vouchers: ['redeemed'],
    requests: ['cancelled', 'confirmed'],
    told_each: [1],
    untold: 0,
    told: {
      'customer.seen': 1,
      'stamp.approved': 7,
      'stamp.pending': 20,
      'stamp.rejected': 1,
      'stamp.undone': 1,
      'multi_stamp.confirmed': 1,
      'voucher.minted': 1,
      'voucher.redeemed': 1,
    },
  });
  expect(await checkAtRest(under.system, under.history)).toEqual([]);
}

test('all fourteen operations, through the gateway', async () => {
  await endsTheSame(await walkLoyalty(under));
});

async function killAndRestart(): Promise<void> {
  const process = under.system.services.loyalty;
  process.kill();
  await process.exited;
  await process.restart();
}

describe('kill -9 of loyalty loses nothing and does nothing twice', () => {
  test.each(loyaltySteps)('before: %s', async (at) => {
    let back: Promise<unknown> = Promise.resolve();
    const customerId = await walkLoyalty(under, async (step, call) => {
      if (step === at) back = killAndRestart();
      return await call();
    });
    await back;
    await endsTheSame(customerId);
  });

  // A moment into the longest of them: some of its receipts are in, and their batch is not answered.
  test.each([3, 10, 25])('%i ms into twenty receipts', async (ms) => {
    let back: Promise<unknown> = Promise.resolve();
    const customerId = await walkLoyalty(under, async (step, call) => {
      const answer = call();
      if (step === 'sync twenty receipts') back = pause(ms).then(killAndRestart);
      return await answer;
    });
    await back;
    await endsTheSame(customerId);
  });
});
