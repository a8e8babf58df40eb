// covers: queueStatus
import { openEventStream } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
  running.clock.set('2026-05-01T11:00:00Z');
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('a guest follows a place: it moves up when another party leaves, and is called', async () => {
  const salon = await openSalon(running, 1);
  const join = async () => (await salon.join()).body.entry_id as string;
  const [first, second] = [await join(), await join()];
  const url = `${running.service.url}/api/v1/queue/status?entry_id=${second}`;
  const stream = await openEventStream(await fetch(url, { headers: { Accept: 'text/event-stream' } }));
  const next = async () => JSON.parse((await stream.next()).data).entry;
  expect(await next()).toMatchObject({ entry_id: second, status: 'waiting', queue_position: 2 });
  await salon.leave(first);
  expect(await next()).toMatchObject({ status: 'waiting', queue_position: 1 });
  await salon.move('call', second);
  expect(await next()).toMatchObject({ status: 'called', queue_position: null });
  await stream.close();
});

test('a service that stops ends its streams', async () => {
  const stopping = await startRunning();
  stopping.clock.set('2026-05-01T11:00:00Z');
  const salon = await openSalon(stopping, 1);
  const { entry_id } = (await salon.join()).body;
  const url = `${stopping.service.url}/api/v1/queue/status?entry_id=${entry_id}`;
  const stream = await openEventStream(await fetch(url, { headers: { Accept: 'text/event-stream' } }));
  await stream.next();
  const stopped = stopping[Symbol.asyncDispose]();
  await stream.ended();
  await stopped;
});
