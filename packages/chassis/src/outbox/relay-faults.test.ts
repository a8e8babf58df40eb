import { tcpProxyTo, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import type { RunningService } from '../service.ts';
import { effectsOf, newThing, type Platform, preparePlatform, storeId, untilPublished } from '../testing/platform.ts';
import { changeAndPublish, consumer, type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let producers: RunningService<ProducerContext>[];
let loyalty: RunningService<Database>;

beforeAll(async () => {
  platform = await preparePlatform();
  producers = [await platform.start(producer()), await platform.start(producer())];
  loyalty = await platform.start(consumer());
  await Promise.all([...producers, loyalty].map(({ backbone }) => backbone));
});
afterAll(async () => {
  for (const running of [...producers, loyalty]) await running[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const effects = (thing: string, count: number) =>
  until(async () => (await effectsOf(loyalty.database, thing)).length >= count, { describe: `${count} effects` });

test('the relay loses, doubles and reorders no event while its connections are terminated again and again', async () => {
  const things = Array.from({ length: 4 }, newThing);
  await using admin = await adminClient();
  let over = false;
  let ended = 0;
  const terminating = (async () => {
    while (!over) {
      const { rowCount } = await admin.client.query(
        `select pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = current_database() and application_name = 'orders relay'`,
      );
      ended += rowCount ?? 0;
    }
  })();
  let published = 0;
  // A relay waits longer after each terminated connection, so events are published until enough connections were terminated.
  for (; published < 60 || ended < 6; published += 1)
    await Promise.all(
      things.map((thing, i) =>
        (producers[i % 2] as RunningService<ProducerContext>).database.transaction((tx) => changeAndPublish(tx, thing, storeId)),
      ),
    );
  over = true;
  await terminating;
  for (const thing of things) {
    await effects(thing, published);
    expect(await effectsOf(loyalty.database, thing)).toEqual(upTo(published));
  }
});

test('a relay whose connection to Postgres is dead, and was never ended, opens another one', async () => {
  await using proxy = await tcpProxyTo(platform.database.roleUrl('orders'));
  // The others must not take over.
  for (const running of producers) await running[Symbol.asyncDispose]();
  producers = [await platform.start(producer(), {}, { DATABASE_URL: proxy.url })];
  const [orders] = producers as [RunningService<ProducerContext>];
  await orders.backbone;
  const thing = newThing();
  const change = () => orders.database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await change();
  await effects(thing, 1);
  proxy.strand(0);
  await until(() => change().then(() => true), { describe: 'a change on a new connection' });
  await effects(thing, 2);
  await orders[Symbol.asyncDispose]();
  producers = [await platform.start(producer()), await platform.start(producer())];
  await Promise.all(producers.map(({ backbone }) => backbone));
});

test('the relay keeps the order of an aggregate when the broker refuses one event of several', async () => {
  const { broker } = await loyalty.backbone;
  const stream = broker.streamOf('orders');
  const thing = newThing();
  const lineCount = platform.lines.length;
  await broker.jsm.streams.update(stream, { max_msg_size: 3_000 });
  await using admin = await adminClient();
  await admin.client.query(
    `insert into orders.outbox (type, version, aggregate_id, aggregate_sequence, store_id, data)
     select 'thing.changed', 1, $1, n, $2, jsonb_build_object('thing_id', $1::text, 'version', n, 'pad', repeat('x', case n when 3 then 4000 else 1 end))
     from generate_series(1, 9) n`,
    [thing, storeId],
  );
  await until(() => platform.lines.slice(lineCount).some(({ msg }) => msg === 'the relay pauses: events wait in the outbox'), {
    describe: 'a refusal',
  });
  await broker.jsm.streams.update(stream, { max_msg_size: -1 });
  await effects(thing, 9);
  expect(await effectsOf(loyalty.database, thing)).toEqual(upTo(9));
});

test('what was purged from the stream before it was consumed is read from its producer', async () => {
  const { broker } = await (producers[0] as RunningService<ProducerContext>).backbone;
  await loyalty[Symbol.asyncDispose]();
  const thing = newThing();
  const { database } = producers[0] as RunningService<ProducerContext>;
  await database.transaction((tx) => changeAndPublish(tx, thing, storeId));
  await untilPublished(database);
  await broker.jsm.streams.purge(broker.streamOf('orders'));
  loyalty = await platform.start(consumer());
  await loyalty.backbone;
  await effects(thing, 1);
  expect(await effectsOf(loyalty.database, thing)).toEqual([1]);
});

async function adminClient(): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
