import { randomUUID } from 'node:crypto';
import { directoryMenu, directoryStore, runImport, subjectOf, takeOverStream } from '@corner/contracts';
import { envelopeOf, until } from '@corner/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { exportFile, importFile, planOf } from '../testing/imports.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { lookAtStream } from './sagas.ts';

const id = '0190a000-0000-7000-8000-000000000001';
const store = { id, code: 'S1', name: 'Corner Coffee' };
const menu = { store_id: id, items: [{ id: 'tea', name: 'Tea', price_pence: 200 }] };

let running: Running;
beforeEach(async () => {
  running = await startRunning();
});
afterEach(async () => await running[Symbol.asyncDispose]());

async function upstreamPublishes(version: number, name = store.name): Promise<void> {
  const about = { aggregateId: id, sequence: version, storeId: id };
  await running.publish(envelopeOf(directoryStore, { ...store, name, version }, about));
  await running.publish(envelopeOf(directoryMenu, { ...menu, version }, about));
}

const Health = z.object({ ready: z.boolean(), checks: z.object({ 'only producer': z.string() }) });
/** On a loaded machine a health check may take longer than its time limit. */
const health = () =>
  until(
    async () => {
      const seen = Health.parse(await (await fetch(`${running.service.url}/readyz`)).json());
      return !seen.checks['only producer'].startsWith('no response') && seen;
    },
    { describe: 'the check of the only producer to respond' },
  );
const isWell = { ready: true, checks: { 'only producer': 'ok' } };

async function takeOver() {
  const import_id = randomUUID();
  const { parts = 0 } = (await running.call(takeOverStream, { import_id, by: 'tester' })).output ?? {};
  const { output } = await running.call(runImport, { import_id, parts: Math.max(parts, 1), by: 'tester' });
  return { output, plan: await planOf(running, import_id) };
}

async function newestInStream(version: number): Promise<void> {
  const { broker } = await running.service.backbone;
  const subject = broker.subject(subjectOf('directory', directoryStore, id));
  const newest = async () =>
    (await broker.jsm.streams.getMessage(broker.streamOf('directory'), { last_by_subj: subject }))?.json<{ sequence: number }>();
  await until(async () => (await newest())?.sequence === version, { describe: `version ${version} in the stream` });
}

describe('a stream that another producer has published to', () => {
  test('keeps a new service from being ready, and names the object, the count and the command', async () => {
    await upstreamPublishes(7);
    const { ready, checks } = await health();
    expect(ready).toBe(false);
    expect(checks['only producer']).toMatch(
      /^the stream holds 2 snapshots that are newer .* such as (?:store|menu) 0190a000-\S+: another producer .*`corner directory take-over`/,
    );
    expect(running.lines).toContainEqual(expect.objectContaining({ level: 'error', snapshots: 2 }));
  });

  test('is not written over: changes and imports are refused until it is taken over', async () => {
    await upstreamPublishes(7);
    await health();
    const token = await running.issuer.token({ typ: 'merchant', sub: randomUUID(), stores: [] });
    const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${running.service.url}/api/v1/directory/${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      });
      return response.status;
    };
    const create = () => post('stores', { code: 'S9', name: 'New' }, { authorization: `Bearer ${token}` });
    expect(await create()).toBe(503);
    // Sessions are not published, so no snapshot would hide them. Here tokens come from elsewhere.
    expect(await post('token/revoke', { refresh_token: 'MDE5MGEwMDA.1.bWFj' })).toBe(409);
    expect(await importFile(running, { stores: [store] })).toMatchObject({
      problem: 'VALIDATION_FAILED',
      message: expect.stringMatching(/take-over/),
    });
    await takeOver();
    expect(await create()).toBe(200);
  });

  test('is taken over: its objects are imported, and published above its versions', async () => {
    await upstreamPublishes(7);
    await health();
    expect(await takeOver()).toEqual({
      output: { added: 2, changed: 0, unchanged: 0, published: 2 },
      plan: ['store Corner Coffee: new', 'menu of Corner Coffee: new, 1 item'],
    });
    expect(await health()).toEqual(isWell);
    await newestInStream(8);
    expect(await exportFile(running)).toMatchObject({ stores: [store], menus: [menu] });
  });

  test('while the service runs makes it unready at its next look, and an older snapshot does not', async () => {
    await importFile(running, { stores: [store], menus: [menu] });
    await newestInStream(1);
    expect(await health()).toEqual(isWell);
    await upstreamPublishes(1, 'Late');
    await lookAtStream(running.service.context);
    expect(await health()).toEqual(isWell);
    await upstreamPublishes(2, 'Renamed elsewhere');
    await lookAtStream(running.service.context);
    expect(await health()).toMatchObject({ ready: false });
    expect((await takeOver()).plan).toContain('store Renamed elsewhere: name Corner Coffee → Renamed elsewhere');
    expect(await health()).toEqual(isWell);
    await newestInStream(3);
  });
});

test('an emptied database is rebuilt from the snapshots that the service had published itself', async () => {
  await importFile(running, { stores: [store], menus: [menu] });
  await newestInStream(1);
  const before = await exportFile(running);
  for (const table of ['change', 'object', 'stream_position'])
    await running.service.database.query(sql.type(z.object({}))`delete from ${sql.identifier([table])}`);
  running.service.context.producers.looked = false;
  expect((await health()).checks['only producer']).toMatch(/2 snapshots .*the database of this service was restored or emptied/);
  expect((await takeOver()).output).toEqual({ added: 2, changed: 0, unchanged: 0, published: 2 });
  expect(await exportFile(running)).toEqual(before);
  expect(await health()).toEqual(isWell);
  await newestInStream(2);
});

test('snapshots of a stream that ends earlier than before are published again, though the connection held', async () => {
  await importFile(running, { stores: [store], menus: [menu] });
  await newestInStream(1);
  const { broker } = await running.service.backbone;
  const ofMenu = broker.subject(subjectOf('directory', directoryMenu, id));
  await until(async () => (await broker.newestStored('directory', ofMenu)) !== null, { describe: 'the menu in the stream' });
  const { config } = await broker.jsm.streams.info(broker.streamOf('directory'));
  // The relay sees the end of the stream before it records what was acknowledged.
  const Batches = z.object({ open: z.number() });
  const open = () => running.service.database.one(sql.type(Batches)`select count(*) as open from relay_batch where acked_at is null`);
  await until(async () => (await open()).open === 0, { describe: 'all recorded' });
  await broker.jsm.streams.delete(config.name);
  await broker.jsm.streams.add(config);
  await newestInStream(1);
  await until(async () => (await broker.lookAtStream('directory')).lastSequence === 2, { describe: 'both in the stream' });
});

test('a snapshot that the broker has lost is published again once it is back, and no other', async () => {
  await importFile(running, { stores: [store], menus: [menu] });
  await newestInStream(1);
  const { broker } = await running.service.backbone;
  const stream = broker.streamOf('directory');
  const { config } = await broker.jsm.streams.info(stream);
  const ofMenu = broker.subject(subjectOf('directory', directoryMenu, id));
  await until(async () => (await broker.newestStored('directory', ofMenu)) !== null, { describe: 'the menu in the stream' });
  const kept = await broker.newestStored('directory', ofMenu);
  // A stream that is created again has forgotten earlier message ids, like that of a broker that was restored to an earlier moment.
  await broker.jsm.streams.delete(stream);
  await broker.jsm.streams.add(config);
  await broker.js.publish(ofMenu, kept?.string() ?? '', { msgID: randomUUID() });
  await broker.connection.reconnect();
  await newestInStream(1);
  expect((await broker.jsm.streams.info(stream)).state).toMatchObject({ messages: 2, last_seq: 2 });
  expect(running.lines).toContainEqual(expect.objectContaining({ level: 'warn', events: 1 }));
});
