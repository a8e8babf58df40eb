import type pg from 'pg';
import type { Context } from '../../../services/loyalty/src/context.ts';
import { customerState } from '../../../services/loyalty/src/operations/customer-state.ts';
import { listPendingStamps } from '../../../services/loyalty/src/operations/list-pending-stamps.ts';
import { type Card, standingOf } from '../../../services/loyalty/src/tables/cards.ts';
import { stampsAround } from '../../../services/loyalty/src/tables/limits.ts';
import type { BenchSystem } from './bench-system.ts';
import { type Finding, spread } from './figures.ts';
import { onOwnDatabase } from './own-database.ts';
import { blocksOf, explain, readInVain } from './query-plan.ts';
import { prepare, sentBy } from './sent-statement.ts';

interface CardsOptions {
  readonly say: (line: string) => void;
}

const store = '00000000-0000-4000-8000-000000000001';
/** Customers of the store; each has as many stamps as the others, and a hundred times as many in the last. */
const customers = 20_000;
const regular = 'c0000000-0000-4000-8000-000000000777';
const keenest = 'c0000000-0000-4000-8000-000000020000';

/**
 * What a customer's state, their standing, what counts toward limits and the list of a store's stamps cost in a store of 1,000,000
 * stamps: the plans of the very statements the service sends.
 * Throws when the plan reads what it does not answer.
 */
export async function measureCards(bench: BenchSystem, { say }: CardsOptions): Promise<Finding[]> {
  return await onOwnDatabase(bench, 'loyalty', async (client) => {
    const began = performance.now();
    await fillMillionStamps(client);
    say(`1,000,000 stamps after ${Math.round((performance.now() - began) / 1000)} s`);
    const findings: Finding[] = [];
    for (const [who, customerId] of Object.entries({ 'like most': regular, 'who comes most': keenest })) {
      for (const [what, statement] of Object.entries(await statementsOf(customerId))) {
        const execute = await prepare(client, statement);
        for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
          await client.query(`set plan_cache_mode = ${mode}`);
          const plan = await explain(client, execute);
          // A day's stamps by orders are read beside those that count: as many as one customer orders in a day.
          const faults = readInVain(plan, ['stamp', 'order_ledger', 'voucher'], what === 'limits' ? 100 : 0);
          if (faults.length > 0) throw new Error(`the plan of ${what} reads too much: ${faults.join('; ')}\n${plan.text}`);
          say(`${what} of a customer ${who}, ${mode}: ${blocksOf(plan)} blocks, ${plan.ms.toFixed(2)} ms`);
          if (mode === 'force_generic_plan')
            findings.push({ what: `${what} ${who}, 1,000,000 stamps`, unit: 'blocks', figure: spread([blocksOf(plan)], 'less') });
        }
      }
    }
    return findings;
  });
}

/** Fills the tables of loyalty with one store's stamps as orders earn them, and one in twenty from the counter: ten a voucher, most of the vouchers used. */
async function fillMillionStamps(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  await client.query(`
    insert into store (id, version, code, name, currency, time_zone, live, branding)
    values ('${store}', 1, 'S1', 'Corner Coffee', 'GBP', 'Europe/London', true, '{}')`);
  await client.query(`
    insert into programme (store_id, version, enabled, goal, reward_title, reward, voucher_type, voucher_days, stamps_per_order,
      min_spend_pence, daily_stamp_limit, plan_key, settings)
    values ('${store}', 1, true, 10, 'A coffee', '{}', 'reward', 90, 1, 1, 20, 'pro', '{}')`);
  await client.query(`
    create temporary table earned as
    select n, uuidv7() as id, md5('order ' || n)::uuid as order_id, timestamptz '2026-01-01' + n * interval '13 seconds' as at,
      ('c0000000-0000-4000-8000-' || lpad((case when n % 200 = 0 then ${customers} else 1 + n % (${customers} - 1) end)::text, 12, '0'))::uuid as customer_id
    from generate_series(1, 1000000) n`);
  await client.query(`
    create temporary table placed as
    select *, row_number() over (partition by customer_id order by n) - 1 as place, count(*) over (partition by customer_id) as held from earned`);
  await client.query(`
    insert into card (store_id, customer_id, order_count, created_at, last_visit_at)
    select '${store}', customer_id, count(*), min(at), max(at) from earned group by customer_id`);
  await client.query(`
    insert into voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, expires_at, minted_at)
    select md5('voucher ' || customer_id || place / 10)::uuid, '${store}', customer_id, upper(substr(md5(customer_id::text || place), 1, 10)) || place,
      'A coffee', 'reward', '{}', case when place / 10 = held / 10 - 1 then 'active' else 'redeemed' end, at + interval '90 years', at
    from placed where place % 10 = 9`);
  await client.query(`
    insert into stamp (id, store_id, customer_id, status, source, order_id, n, voucher_id, created_at, approved_at)
    select id, '${store}', customer_id, 'approved', case when n % 20 = 0 then 'hub' else 'order' end, order_id, 1,
      case when place / 10 < held / 10 then md5('voucher ' || customer_id || place / 10)::uuid end, at, at
    from placed`);
  await client.query(`
    insert into stamp (id, store_id, customer_id, status, source, created_at)
    select uuidv7(), '${store}', customer_id, 'pending', 'web', at from earned where n % 1000 = 0`);
  await client.query(`
    insert into order_ledger (order_id, store_id, customer_id, paid, paid_pence, awarded)
    select order_id, '${store}', customer_id, true, 700, true from earned`);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum (analyze) card, voucher, stamp, order_ledger, store, programme');
}

const card = { storeId: store, time_zone: 'Europe/London', monthly_stamp_quota: 5_000 };
const at = new Date('2026-05-20T11:00:00Z');

/** What loyalty asks of a card, or of all of them, by the very functions that ask it. */
const statementsOf = async (customerId: string) => ({
  'customer-state': await sentBy((context: Context) =>
    customerState({ query: { store_id: store, customer_id: customerId } } as Parameters<typeof customerState>[0], context),
  ),
  standing: await sentBy(({ database }: Asked) => standingOf(database, { storeId: store, customerId })),
  limits: await sentBy(({ database }: Asked) => stampsAround(database, { ...card, customerId } as Card, at, at)),
  'stamps that wait': await sentBy((context: Context) => listPendingStamps(listed('pending'), context)),
  'stamps that count': await sentBy((context: Context) => listPendingStamps(listed('approved'), context)),
});

interface Asked {
  readonly database: Parameters<typeof standingOf>[0];
}

const listed = (status: string) => ({ query: { store_id: store, status } }) as Parameters<typeof listPendingStamps>[0];
