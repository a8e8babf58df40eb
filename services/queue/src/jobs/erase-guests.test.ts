import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon } from '../testing/salon.ts';
import { eraseGuests } from './erase-guests.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const setClock = (at: string) => running.clock.set(at);

test('a guest’s name and phone number are erased a day after the entry ended, and no sooner', async () => {
  const salon = await openSalon(running, 2);
  const guest = { guest_name: 'Deirdre', guest_phone: '+447700900123' };
  const { entry_id } = (await salon.join(guest)).body;
  await salon.leave(entry_id);
  setClock('2026-05-01T12:00:00Z');
  const later = (await salon.join(guest)).body.entry_id;
  await salon.leave(later);
  const namedEntries = () =>
    running.service.database.anyFirst(sql.type(z.object({ entry_id: z.string() }))`
      select entry_id from entry
      where store_id = ${salon.storeId} and (guest_name is not null or guest_phone is not null) order by joined_at`);
  setClock('2026-05-02T10:59:59Z');
  await eraseGuests(running.service.context);
  expect(await namedEntries()).toEqual([entry_id, later]);
  setClock('2026-05-02T11:00:00Z');
  await eraseGuests(running.service.context);
  expect(await namedEntries()).toEqual([later]);
});
