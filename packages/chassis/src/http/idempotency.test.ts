import { Problem } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { RunningService } from '../service.ts';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';

let platform: Platform;
let orders: RunningService<ProducerContext>;
let replica: RunningService<ProducerContext>;
let merchant: string;
let hold: () => Promise<void> = async () => {};

beforeAll(async () => {
  platform = await preparePlatform();
  orders = await platform.start(producer(() => hold()));
  replica = await platform.start(producer(() => hold()));
  merchant = await platform.issuer.token({ typ: 'merchant', sub: newThing(), stores: [{ id: storeId, role: 'owner' }] });
});
afterAll(async () => {
  await orders[Symbol.asyncDispose]();
  await replica[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

async function change(thing: string, key: string, { at = orders, raw = JSON.stringify({ store_id: storeId }) } = {}) {
  const response = await fetch(`${at.url}/api/v1/things/${thing}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchant}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: raw,
  });
  return { status: response.status, text: await response.text() };
}

const versionOf = async (thing: string) =>
  (await orders.database.one(sql.type(z.object({ version: z.number() }))`select version from thing where id = ${thing}`)).version;

async function asAdmin(statement: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: platform.database.adminUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('a key whose response could not be stored', () => {
  test('stays claimed until it is stored: the caller gets the response, and no repeat runs the operation again', async () => {
    const [thing, key] = [newThing(), newThing()];
    const user = new URL(platform.database.roleUrl('orders')).username;
    hold = () => asAdmin(`revoke update on orders.idempotency_key from ${user}`);
    const first = await change(thing, key);
    await asAdmin(`grant update on orders.idempotency_key to ${user}`);
    hold = async () => {};
    expect(first).toMatchObject({ status: 200 });
    await until(async () => (await change(thing, key)).status === 200, { describe: 'the stored response' });
    expect(await change(thing, key)).toEqual(first);
    expect(await versionOf(thing)).toBe(1);
  });
});

describe('a claim that could not be released', () => {
  test('is released once the database allows it, while its process lives, and a repeat runs the operation', async () => {
    const [thing, key] = [newThing(), newThing()];
    const user = new URL(platform.database.roleUrl('orders')).username;
    hold = async () => {
      await asAdmin(`revoke delete on orders.idempotency_key from ${user}`);
      throw new TypeError('a mistake');
    };
    expect(await change(thing, key)).toMatchObject({ status: 500 });
    hold = async () => {};
    expect(await change(thing, key)).toMatchObject({ status: 409 });
    await asAdmin(`grant delete on orders.idempotency_key to ${user}`);
    await until(async () => (await change(thing, key)).status === 200, { describe: 'the repeat' });
  });

  test('because the response to the claim itself was lost, is released once it has lapsed', async () => {
    const [thing, made, key] = [newThing(), newThing(), newThing()];
    const user = new URL(platform.database.roleUrl('orders')).username;
    expect((await change(thing, made)).status).toBe(200);
    await asAdmin(`insert into orders.idempotency_key (principal, operation, key, fingerprint, state, holder, locked_until)
      select principal, operation, '${key}', fingerprint, 'running', holder, clock_timestamp() - interval '1 s'
      from orders.idempotency_key where key = '${made}'`);
    expect((await change(thing, key)).status).toBe(409);
    await asAdmin(`revoke insert on orders.idempotency_key from ${user}`);
    expect((await change(thing, key)).status).toBe(500);
    await asAdmin(`grant insert on orders.idempotency_key to ${user}`);
    await until(async () => (await change(thing, key)).status === 200, { describe: 'the repeat' });
  });
});

const lose = async (key: string) =>
  await orders.database.query(sql.type(z.object({}))`update idempotency_key set holder = 4711 where key = ${key}`);

/** Ends the time of a claim. `dead`: its process is gone too, and the lock that the claim names is free. */
const lapse = async (key: string, process: 'alive' | 'dead') =>
  await orders.database.query(sql.type(z.object({}))`
    update idempotency_key set locked_until = locked_until - interval '1 min', holder = case when ${process} = 'dead' then 4711 else holder end
    where key = ${key}`);

const unlapse = async (key: string) =>
  await orders.database.query(sql.type(z.object({}))`
    update idempotency_key set locked_until = locked_until + interval '1 min' where key = ${key}`);

function holdNext() {
  const { promise: reached, resolve: enter } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  hold = async () => {
    enter();
    await ended;
  };
  const others = () => {
    hold = async () => {};
  };
  return { reached: reached.then(others), end };
}

async function dieInOperation() {
  const [thing, key] = [newThing(), newThing()];
  const { reached, end } = holdNext();
  const dying = change(thing, key);
  await reached;
  await lose(key);
  return {
    thing,
    key,
    async end() {
      end();
      await dying;
    },
  };
}

describe('the claim of an Idempotency-Key', () => {
  test('outlives the slowest operation: as long as its process lives, no repeat runs beside it', async () => {
    const [thing, key] = [newThing(), newThing()];
    const { reached, end } = holdNext();
    const slow = change(thing, key);
    await reached;
    await lapse(key, 'alive');
    for (const at of [orders, replica]) expect((await change(thing, key, { at })).status).toBe(409);
    await unlapse(key);
    end();
    const { text } = await slow;
    expect(await change(thing, key, { at: replica })).toEqual({ status: 200, text });
    expect(await versionOf(thing)).toBe(1);
  });

  test('outlives also a lost connection of its process, which takes its lock again', async () => {
    const locks = async () =>
      await orders.database.oneFirst(sql.type(z.object({ count: z.number() }))`
        select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and a.application_name = 'orders process' and a.datname = current_database()`);
    await until(async () => (await locks()) === 2, { describe: 'the locks of both processes' });
    const [thing, key] = [newThing(), newThing()];
    const { reached, end } = holdNext();
    const slow = change(thing, key);
    await reached;
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'orders process' and datname = current_database()`);
    await until(async () => (await locks()) === 2, { describe: 'the locks of both processes' });
    await lapse(key, 'alive');
    expect((await change(thing, key, { at: replica })).status).toBe(409);
    end();
    expect((await slow).status).toBe(200);
  });

  test('that has lapsed, because its process died, is taken over by exactly one repeat', async () => {
    const [thing, key] = [newThing(), newThing()];
    await orders.database.query(sql.type(z.object({}))`
      insert into thing (id, store_id) values (${thing}, ${storeId})`);
    const { reached, end } = holdNext();
    const dying = change(thing, key);
    await reached;
    expect(await change(thing, key, { at: replica })).toMatchObject({ status: 409 });
    await lapse(key, 'dead');
    const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => change(thing, key, { at: i % 2 ? orders : replica })));
    expect(new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(await versionOf(thing)).toBe(3); // The request that "died", and one that took over.
    const stored = responses.find(({ status }) => status === 200)?.text;
    end();
    await dying;
    // A process that was only slow does not overwrite the response stored since.
    expect((await change(thing, key)).text).toBe(stored);
  });

  test('of a process that has just died is waited for: a repeat gets the response, and no 409', async () => {
    const { thing, key, end } = await dieInOperation();
    const repeat = await change(thing, key, { at: replica });
    expect(repeat).toMatchObject({ status: 200 });
    expect(JSON.parse(repeat.text)).toMatchObject({ version: 2 });
    await end();
    expect(await change(thing, key)).toEqual(repeat);
  });

  test('is waited for again when another repeat took it over meanwhile and died too', async () => {
    const { thing, key, end } = await dieInOperation();
    const { before } = await orders.database.one(sql.type(z.object({ before: z.string() }))`select clock_timestamp()::text as before`);
    const repeat = change(thing, key, { at: replica });
    const hasAsked = () =>
      orders.database.exists(sql.type(z.object({}))`
        select from pg_stat_activity
        where query like '%insert into idempotency_key%' and pid <> pg_backend_pid() and state = 'idle' and query_start > ${before}::timestamptz`);
    await until(hasAsked, { describe: 'the repeat to have asked for the claim' });
    await orders.database.query(sql.type(z.object({}))`
      update idempotency_key set locked_until = locked_until + interval '500 ms' where key = ${key}`);
    expect(await repeat).toMatchObject({ status: 200 });
    await end();
  });

  test('holds in every process: concurrent repeats at two replicas have one effect', async () => {
    const [thing, key] = [newThing(), newThing()];
    const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => change(thing, key, { at: i % 2 ? orders : replica })));
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    expect(await versionOf(thing)).toBe(1);
  });

  test('is released after a 500, and a repeat runs the operation', async () => {
    const [thing, key] = [newThing(), newThing()];
    hold = async () => {
      throw new TypeError('a mistake');
    };
    expect(await change(thing, key)).toMatchObject({ status: 500 });
    hold = async () => {};
    expect(await change(thing, key)).toMatchObject({ status: 200 });
  });

  test('is released after a transient fault, and a repeat that is refused is refused again', async () => {
    const [thing, key] = [newThing(), newThing()];
    hold = async () => {
      throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
    };
    expect(await change(thing, key)).toMatchObject({ status: 503 });
    hold = async () => {
      throw new Problem('ORDER_NOT_FOUND');
    };
    expect(await change(thing, key)).toMatchObject({ status: 404 });
    hold = async () => {};
    expect(await change(thing, key)).toMatchObject({ status: 404 });
  });
});

describe('unusual requests', () => {
  test('a body nested 30,000 deep gets 400, not 500', async () => {
    const raw = `{"store_id":"${storeId}","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const { status, text } = await change(newThing(), newThing(), { raw });
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'INVALID_JSON']);
  });

  test('a body that names __proto__ pollutes no prototype', async () => {
    const raw = `{"store_id":"${storeId}","__proto__":{"note":"refuse","polluted":true},"constructor":{"prototype":{"polluted":true}}}`;
    expect(await change(newThing(), newThing(), { raw })).toMatchObject({ status: 200 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    '/api/v1/things/%E0%A4%A',
    '/api/v1/things/%00',
    '/%',
    '/api/v1/greeting?fail=%E0%A4%A',
    '/api/v1/greeting?fail=bug&fail=bug',
  ])('the address %s gets a 4xx problem', async (path) => {
    const response = await fetch(orders.url + path, { headers: { authorization: `Bearer ${merchant}` } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } });
  });

  test('a body that is declared as gzip and is not gets 400', async () => {
    const response = await fetch(`${orders.url}/api/v1/things/${newThing()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: 'not gzip',
    });
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([400, 'INVALID_JSON']);
  });
});
