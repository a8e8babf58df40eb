import { randomUUID } from 'node:crypto';
import { erasedEvent, erasureBy, exportedBy } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { jobs } from './service.ts';
import { startRunning } from './testing/running.ts';
import { customerSnapshot, openSalon, someCustomer } from './testing/salon.ts';

test('a customer is exported, then erased; the place stays without a name, and what comes late brings none back', async () => {
  await using running = await startRunning();
  const salon = await openSalon(running);
  const { id, token } = await someCustomer(running);
  const consume = async (event: ReturnType<typeof erasedEvent>) => {
    await running.publish(event);
    await running.processed(event);
  };
  await consume(customerSnapshot(id, 1));
  const { body } = await salon.join({ guest_name: 'Zed', guest_phone: '+447700900777' });
  const join = () =>
    fetch(`${running.service.url}/api/v1/queue/join`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ store_id: salon.storeId, entry_id: body.entry_id }),
    });
  expect((await join()).status).toBe(200);
  expect(await exportedBy(running, 'queue', id)).toEqual({
    name: [{ name: 'Version 1' }],
    'places in queues': [expect.objectContaining({ status: 'waiting', phone: '+447700900777' })],
  });

  expect(await erasureBy(running, 'queue', id)).toBeNull();
  await consume(erasedEvent(id));
  expect(await erasureBy(running, 'queue', id)).toEqual({
    isDone: true,
    steps: ['The name was deleted.', 'Name and phone number were dropped from 1 places in queues.'],
  });
  await consume(customerSnapshot(id, 9));
  await jobs.finishErasures.run(running.service.context);
  const Row = z.object({ status: z.string(), guest_name: z.string().nullable(), guest_phone: z.string().nullable(), named: z.boolean() });
  const entries = await running.service.database.any(sql.type(Row)`
    select status, guest_name, guest_phone, exists (select from customer where id = ${id}) as named from entry where customer_id = ${id}`);
  expect(entries).toEqual([{ status: 'waiting', guest_name: null, guest_phone: null, named: false }]);
  expect((await join()).status).toBe(200);
  const other = await someCustomer(running);
  await consume(erasedEvent(other.id));
  const refused = await fetch(`${running.service.url}/api/v1/queue/join`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ store_id: salon.storeId }),
  });
  expect(refused.status).toBe(401);
});

test('what staff wrote about a place goes with its customer, and no one else’s does', async () => {
  await using running = await startRunning();
  const salon = await openSalon(running);
  const ids: string[] = [];
  for (const detail of ['Zed came back', 'Ada came back']) {
    const { id, token } = await someCustomer(running);
    ids.push(id);
    const { entry_id } = (await salon.join({}, token)).body;
    for (const move of ['call', 'no-show', 'reopen']) expect((await salon.move(move, entry_id, { reason: detail })).status).toBe(200);
  }
  const event = erasedEvent(ids[0] ?? '');
  await running.publish(event);
  await running.processed(event);
  expect((await erasureBy(running, 'queue', ids[0] ?? ''))?.steps).toContain(
    '1 texts that staff wrote about a place or a booking were dropped.',
  );
  const Row = z.object({ detail: z.string() });
  expect(await running.service.database.any(sql.type(Row)`select detail from log_entry where detail is not null`)).toEqual([
    { detail: 'Ada came back' },
  ]);
});

test('a booking is exported, and what staff wrote about it goes with its customer', async () => {
  await using running = await startRunning();
  const salon = await openSalon(running, 1, { bookings_accepted: true });
  const { id, token } = await someCustomer(running);
  const { body } = await salon.post('bookings', { service_id: salon.cut, starts_at: '2026-05-01T14:00:00Z' }, token);
  const { appointment_id } = body.booking;
  expect((await salon.post(`bookings/${appointment_id}/cancel`, { reason: 'Ada is ill' }, await salon.staff())).status).toBe(200);
  expect(await exportedBy(running, 'queue', id)).toMatchObject({ bookings: [{ status: 'cancelled', service_id: salon.cut }] });
  const event = erasedEvent(id);
  await running.publish(event);
  await running.processed(event);
  expect((await erasureBy(running, 'queue', id))?.steps).toContain('1 texts that staff wrote about a place or a booking were dropped.');
  const Row = z.object({ detail: z.string() });
  expect(await running.service.database.any(sql.type(Row)`select detail from log_entry where detail is not null`)).toEqual([]);
});
