import { producersFor, type RequiredService, services } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { applyDirectory, callerOf, readDirectory, takeOverDirectory } from '@corner/operator';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await startTestEnvironment({}, { databaseOfEach: true, optional: ['directory'] });
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
});

async function query(database: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: environment.system.databaseUrl.replace(/[^/]*$/, database) });
  await client.connect();
  const { rows } = await client.query({ text, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

test('an order goes from the basket to the refund while the directory service runs, and each service has a database of its own', async () => {
  await runOrderScenario(environment, await newShopper(environment.system));
  const schemas = `select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')`;
  for (const service of services) {
    expect(await query(`corner_${service}`, schemas)).toEqual([service]);
    expect(await query(`corner_${service}`, `select count(*)::int > 0 from ${service}.inbox`)).toEqual([producersFor(service).length > 0]);
  }
  expect(await query('corner_gateway', schemas)).toEqual(['gateway']);
  const ready = (await (await fetch(`${environment.system.gatewayUrl}/readyz`)).json()) as { checks: Record<string, string> };
  expect(ready.checks).toMatchObject({ orders: 'ok', directory: 'ok' });
});

const projections: Readonly<Record<RequiredService, readonly string[]>> = {
  orders: ['store', 'menu', 'menu_item', 'promo', 'slot_list', 'slot', 'contact'],
  loyalty: ['store', 'programme', 'tag', 'staff', 'customer'],
  queue: ['store', 'floor', 'booking', 'customer'],
  notifications: ['store', 'customer', 'contact', 'pass_design'],
};

async function readProjections(): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(projections).flatMap(([service, names]) => names.map((name) => [service, name] as const));
  const rows = tables.map(async ([service, name]) => {
    const row = `(to_jsonb(t) - '{version,store_version,programme_version}'::text[])::text`;
    return [`${service}.${name}`, await query(`corner_${service}`, `select ${row} from ${service}.${name} t order by 1`)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

test('an upstream that publishes the same directory makes the same projections, and is found out and taken over', async () => {
  const connection = await connectNats(environment.system.natsUrl, 'test');
  const call = callerOf({ connection, namespace: '' });
  const readiness = `${environment.system.services.directory?.url}/readyz`;
  const onlyProducer = async () => ((await (await fetch(readiness)).json()) as { checks: Record<string, string> }).checks['only producer'];
  try {
    expect(await onlyProducer()).toBe('ok');
    const imported = await readProjections();
    expect(Object.entries(imported).filter(([, rows]) => rows.length === 0)).toEqual([]);
    await applyDirectory(await readDirectory(call, { by: 'test' }), { connection });
    expect(await readProjections()).toEqual(imported);
    await environment.system.services.directory?.restart();
    await until(async () => /18 snapshots .*take-over/.test((await onlyProducer()) ?? ''), { describe: 'the other producer to be found' });
    const { added, changed, published } = await takeOverDirectory(call, { by: 'test' });
    expect({ added, changed, published }).toEqual({ added: 0, changed: 0, published: 18 });
    expect(await onlyProducer()).toBe('ok');
    expect(await readProjections()).toEqual(imported);
  } finally {
    await connection.close();
  }
});
