import { randomUUID } from 'node:crypto';
import { publish } from '@corner/chassis';
import { directory, directoryStore, subjectOf } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from './service.ts';
import { type Running, startRunning } from './testing/running.ts';
import { type ApiResponse, openShop } from './testing/shop.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test.each(['/livez', '/readyz'])('%s returns 200 and the service’s name', async (path) => {
  // A loaded machine may need a moment before the service is ready.
  const response = await until(
    async () => {
      const attempt = await fetch(`${running.service.url}${path}`);
      return attempt.ok && attempt;
    },
    { describe: `${path} to return 200` },
  );
  expect(await response.json()).toMatchObject({ service: 'directory' });
});

test('the service has a handler for every operation of its contract and no other', () => {
  expect(Object.keys(operations).sort()).toEqual(Object.keys(directory).sort());
});

test('the stream keeps the newest snapshot of each object: its subject ends with the object, not with a store', async () => {
  const id = randomUUID();
  const { database, backbone } = running.service;
  for (const version of [1, 2]) {
    const data = { id, version, code: 'S1', name: `Version ${version}` };
    await database.transaction((tx) => publish(tx, directoryStore, { aggregateId: id, sequence: version, data }));
  }
  const { broker } = await backbone;
  const subject = broker.subject(subjectOf('directory', directoryStore, id));
  const stored = () => broker.jsm.streams.getMessage(broker.streamOf('directory'), { last_by_subj: subject }).catch(() => null);
  const kept = await until(async () => (await stored())?.json<{ sequence: number }>().sequence === 2 && stored(), {
    describe: 'the second snapshot to be in the stream',
  });
  expect(kept?.json()).toMatchObject({ source: '/directory', subject: id, data: { id, name: 'Version 2' } });
});

test('a read takes one statement, a change three: it locks the store and the object, and writes both with the log and the snapshot', async () => {
  const shop = await openShop(running);
  const named = /^\s*(select version, published, data|with saved as)/;
  const sentBy = async (send: () => Promise<ApiResponse>) => {
    running.statements.length = 0;
    expect((await send()).status).toBe(200);
    return running.statements.map((text) => named.exec(text)?.[1] ?? text);
  };
  const [read, save] = ['select version, published, data', 'with saved as'];
  await shop.patch('/menu', { items: [] });
  expect(await sentBy(() => shop.get('/menu'))).toEqual([read]);
  expect(await sentBy(() => shop.patch('/menu', { items: [{ id: 'tea', name: 'Tea', price_pence: 1 }] }))).toEqual([read, read, save]);
});
