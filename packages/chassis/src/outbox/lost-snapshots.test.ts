import { until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { newThing, preparePlatform, storeId } from '../testing/platform.ts';
import { changeAndPublish, producer } from '../testing/services.ts';
import { publishLostSnapshots } from './lost-snapshots.ts';

const many = 2_100;

test('a long outbox is read whatever the limit of a statement is, and what the stream has lost is published again a slice at a time, once', async () => {
  await using platform = await preparePlatform();
  await using service = await platform.start(producer());
  const { broker, relay } = await service.backbone;
  await service.database.transaction(async (tx) => {
    for (let n = 0; n < many; n += 1) await changeAndPublish(tx, newThing(), storeId);
  });
  await until(() => relay.state.published === many, { describe: 'all published' });
  await relay[Symbol.asyncDispose]();
  await broker.jsm.streams.purge(broker.streamOf('orders'));

  await using clients = new AsyncDisposableStack();
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString, query_timeout: 5_000 });
    await client.connect();
    clients.defer(() => client.end());
    return client;
  };
  const [client, other, looking] = [
    await connect(platform.database.roleUrl('orders')),
    await connect(platform.database.adminUrl),
    await connect(platform.database.adminUrl),
  ];
  const lines: unknown[] = [];
  const log = { ...service.log, warn: (fields: unknown) => void lines.push(fields) } as typeof service.log;
  await client.query(`set statement_timeout = '300ms'; set lock_timeout = 0`);
  // A lock keeps the reading from ending for longer than that.
  await other.query('begin; lock table orders.outbox in access exclusive mode');
  const published = publishLostSnapshots(client, { broker, service: 'orders', log });
  const isLong = async () =>
    (
      await looking.query(
        `select from pg_stat_activity where query like '%distinct on%' and wait_event_type = 'Lock' and now() - query_start > interval '1 s'`,
      )
    ).rowCount === 1;
  await Promise.race([until(isLong, { describe: 'a reading that takes a second' }), published]);
  await other.query('rollback');
  await published;
  const { rows } = await other.query(`
    select count(*)::int as events from orders.outbox o, orders.relay_state s where not pg_visible_in_snapshot(o.transaction_id, s.snapshot)
    group by o.transaction_id order by o.transaction_id`);
  expect([lines, rows]).toEqual([[{ events: many }], [{ events: 2_000 }, { events: 100 }]]);
});
