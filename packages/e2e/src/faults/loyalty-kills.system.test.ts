import { setTimeout as pause } from 'node:timers/promises';
import { stores } from '@corner/sandbox/demo';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { checkAtRest } from '../testing/checker.ts';
import { runLoyaltyScenario } from '../testing/loyalty-scenario.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let database: pg.Client;

beforeAll(async () => {
  environment = await sharedEnvironment('required', { spawned: true });
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
});

const storedFor = async (customerId: string) =>
  (
    await database.query(
      `select
        (select jsonb_object_agg(what, count) from (
          select concat_ws(' ', source, status, case when voucher_id is not null then 'in a voucher' end) as what, count(*)
          from loyalty.stamp where customer_id = $1 group by 1) s) as stamps,
        (select array_agg(status order by minted_at) from loyalty.voucher where customer_id = $1) as vouchers,
        (select array_agg(status order by created_at) from loyalty.multi_stamp_request where customer_id = $1) as requests,
        (select array_agg(distinct counts order by counts) from (
          select count(*)::int as counts from loyalty.outbox where aggregate_id = $2 group by aggregate_sequence) t) as events_per_sequence,
        (select max(aggregate_sequence) - count(*) from loyalty.outbox where aggregate_id = $2)::int as missing_sequences,
        (select jsonb_object_agg(type, count) from (select type, count(*) from loyalty.outbox where aggregate_id = $2 group by 1) o) as events`,
      [customerId, `${stores.coffee.id}:${customerId}`],
    )
  ).rows[0];

async function expectUsualEnd(customerId: string) {
  expect(await storedFor(customerId)).toEqual({
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
    events_per_sequence: [1],
    missing_sequences: 0,
    events: {
      'customer.seen': 1,
      'stamp.approved': 7,
      'stamp.pending': 20,
      'stamp.rejected': 1,
      'stamp.undone': 1,
      'multi_stamp.confirmed': 1,
      'tap.presented': 1,
      'voucher.minted': 1,
      'voucher.redeemed': 1,
    },
  });
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
}

test('all fourteen operations of loyalty work through the gateway', async () => {
  await expectUsualEnd(await runLoyaltyScenario(environment));
});

async function killAndRestart(): Promise<void> {
  const process = environment.system.services.loyalty;
  process.kill();
  await process.exited;
  await process.restart();
}

describe('kill -9 of loyalty', () => {
  test('kill -9 of loyalty before each step loses nothing and does nothing twice', async () => {
    let restarted: Promise<unknown> = Promise.resolve();
    const customerId = await runLoyaltyScenario(environment, async (_step, call) => {
      await restarted;
      restarted = killAndRestart();
      return await call();
    });
    await restarted;
    await expectUsualEnd(customerId);
  });

  // At these moments some of the twenty receipts are committed and the response has not been sent.
  test.each([3, 10, 25])('kill -9 of loyalty %i ms into a batch of twenty receipts loses nothing and does nothing twice', async (ms) => {
    let restarted: Promise<unknown> = Promise.resolve();
    const customerId = await runLoyaltyScenario(environment, async (step, call) => {
      const response = call();
      if (step === 'sync twenty receipts') restarted = pause(ms).then(killAndRestart);
      return await response;
    });
    await restarted;
    await expectUsualEnd(customerId);
  });
});
