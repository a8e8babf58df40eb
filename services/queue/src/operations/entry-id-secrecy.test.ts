import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('an entry’s id and a guest’s name and phone number appear in no log line and no event', async () => {
  const salon = await openSalon(running, 1);
  const { entry_id } = (await salon.join({ guest_name: 'Deirdre', guest_phone: '+447700900123' })).body;
  await salon.status({ entry_id });
  for (const move of ['call', 'recall', 'complete', 'assign']) await salon.move(move, entry_id);
  await salon.list();
  await salon.leave(entry_id);
  await salon.leave(entry_id);
  const outbox = await running.service.database.anyFirst(sql.type(z.object({ row: z.string() }))`
    select to_jsonb(o)::text as row from outbox o where store_id = ${salon.storeId}`);
  expect(outbox).toHaveLength(5);
  const written = [...outbox, ...running.lines.map((line) => JSON.stringify(line))].join('\n');
  expect(written).toContain('/api/v1/queue/entries/{entry_id}/call');
  for (const secret of [entry_id, 'Deirdre', '7700900123']) expect(written).not.toContain(secret);
});

test('an entry’s id is random, so it reveals neither its time nor its order, and events carry another id', async () => {
  const salon = await openSalon(running, 4);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push((await salon.join()).body.entry_id);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(6);
  expect(ids.every((id) => id[14] === '4')).toBe(true);
  const eventIds = (await salon.published()).map(({ aggregate_id }) => aggregate_id);
  expect(eventIds.filter((id) => ids.includes(id))).toEqual([]);
});
