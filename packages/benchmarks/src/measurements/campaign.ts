import { setTimeout as pause } from 'node:timers/promises';
import { people } from '@corner/sandbox/demo';
import { orderRequest, signIn } from '../load/customers.ts';
import { openConnections } from '../load/run-load.ts';
import { type Finding, quantile, rowsOf } from '../report/figures.ts';
import { type BenchStore, freeBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { untilSettled } from '../system/settled.ts';
import { statementUse, usedStatements } from '../system/statement-use.ts';
import type { PartOptions } from './part.ts';

const recipients = 10_000;
const orderEveryMs = 500;
const secondsBefore = 60;

interface Phase {
  readonly seconds: number;
  readonly statements: number;
  readonly receipts: readonly number[];
}

/** A campaign to 10,000 customers of one store while others order: how late their receipts are before and during it. */
export async function measureCampaign(bench: BenchSystem, { log }: PartOptions): Promise<Finding[]> {
  const [store, ...others] = bench.rewarding.stores as [BenchStore, ...BenchStore[]];
  await addRecipients(bench, store);
  await whileOrdering(bench, others, () => pause(10_000));
  const before = await whileOrdering(bench, others, () => pause(secondsBefore * 1000));
  const during = await whileOrdering(bench, others, () => sendCampaign(bench, store, log));
  for (const [name, { receipts }] of Object.entries({ before, during }))
    log(`${receipts.length} receipts ${name}: p50 ${quantile(receipts, 0.5).toFixed(0)} ms, p99 ${quantile(receipts, 0.99).toFixed(0)} ms`);
  const row = rowsOf([{ before, during }], `a campaign to ${recipients} customers: `);
  const statements = during.statements - (before.statements * during.seconds) / before.seconds;
  return [
    row('written and sent', 's', 'less', () => during.seconds),
    row('statements of notifications', 'a recipient', 'less', () => statements / recipients),
    row('a receipt before it, p50', 'ms', 'less', () => quantile(before.receipts, 0.5)),
    row('a receipt before it, p99', 'ms', 'less', () => quantile(before.receipts, 0.99)),
    row('a receipt during it, p50', 'ms', 'less', () => quantile(during.receipts, 0.5)),
    row('a receipt during it, p99', 'ms', 'less', () => quantile(during.receipts, 0.99)),
  ];
}

/** Customers with a phone who said yes to the store's news. There it is noon, since a campaign rests at night. */
async function addRecipients({ database }: BenchSystem, store: BenchStore): Promise<void> {
  const offset = 12 - new Date().getUTCHours();
  const zone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query('set local search_path to notifications');
    await client.query('update store set time_zone = $2 where id = $1', [store.id, zone]);
    await client.query(addText, [store.id, recipients]);
    await client.query('commit');
    await client.query('analyze notifications.customer, notifications.preference, notifications.consent');
  } finally {
    client.release();
  }
}

const addText = `
  with made as (
    insert into customer (id, version, name, push_devices)
    select gen_random_uuid(), 1, 'Dee', jsonb_build_array(jsonb_build_object('id', 'campaign-' || n, 'platform', 'android'))
    from generate_series(1, $2::int) n returning id
  ), preferred as (
    insert into preference (customer_id, store_id, marketing_enabled) select id, $1::uuid, true from made
  )
  insert into consent (customer_id, store_id, sequence, at, accepted, way) select id, $1::uuid, 1, now(), true, 'api' from made`;

async function sendCampaign({ system, database }: BenchSystem, { id }: BenchStore, log: PartOptions['log']): Promise<void> {
  const token = await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [id] });
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `${system.gatewayUrl}/api/v1/notifications/stores/${id}/campaigns${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { readonly campaign: { readonly id: string } };
  };
  const { campaign } = await post('', { audience: { kind: 'everyone' }, title: 'Open on Sunday', body: 'Cake from nine.' });
  await post(`/${campaign.id}/send`, {});
  const text = `select state = 'sent' and not exists (
      select from notifications.message where state = 'pending' and template = 'campaign.message') as over,
    (select count(*)::int from notifications.campaign_recipient where campaign_id = $1) as written
    from notifications.campaign where id = $1`;
  for (let logged = 0; ; await pause(1_000)) {
    const { rows } = await database.query<{ over: boolean; written: number }>(text, [campaign.id]);
    const [{ over, written }] = rows as [{ over: boolean; written: number }];
    if (over) return;
    if (written < logged + 1_000) continue;
    log(`campaign: ${written} customers`);
    logged = written;
  }
}

/** Places a free order each half second while `work` runs. A receipt is as late as it is recorded after the commit of its order. */
async function whileOrdering(bench: BenchSystem, stores: readonly BenchStore[], work: () => Promise<unknown>): Promise<Phase> {
  const { system, database, rewarding } = bench;
  const customers = await signIn(system, rewarding.customerIds);
  using connections = await openConnections(system.gatewayUrl, 1);
  const [from, statementsBefore, begunAt] = [new Date(), await statementUse(bench), performance.now()];
  let over = false;
  const ordering = (async () => {
    for (let n = 0; !over; n += 1) {
      const sent = await connections.of(0).send(orderRequest(customers.headers(n), stores[n % stores.length] as BenchStore, freeBasket));
      if (sent.status !== 200) throw new Error(`an order received ${sent.status}: ${sent.body}`);
      await pause(Math.max(0, begunAt + (n + 1) * orderEveryMs - performance.now()));
    }
  })();
  await Promise.race([work(), ordering]);
  over = true;
  await ordering;
  const seconds = (performance.now() - begunAt) / 1000;
  await untilSettled(bench);
  const used = usedStatements(statementsBefore, await statementUse(bench)).filter(({ service }) => service === 'notifications');
  const { rows } = await database.query<{ ms: number }>(
    `select (extract(epoch from m.settled_at - pg_xact_commit_timestamp(o.xmin)) * 1000)::float8 as ms
     from notifications.message m join orders.outbox o using (event_id)
     where m.template = 'order.paid' and m.state = 'sent' and m.created_at >= $1`,
    [from],
  );
  return { seconds, statements: used.reduce((sum, { calls }) => sum + calls, 0), receipts: rows.map(({ ms }) => ms) };
}
