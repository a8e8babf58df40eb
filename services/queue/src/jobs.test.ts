import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endOverdue } from './entry-points.ts';
import { type Running, startRunning } from './testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from './testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const setClock = (at: string) => running.clock.set(at);
const waitOrCode = ({ status, body }: ApiResponse) => (status === 200 ? body.expected_wait_min : body.error.code);
const runEndOverdue = () => endOverdue(running.service.context);
const publishedTypes = async (salon: Salon) =>
  (await salon.published()).flatMap(({ type }) => (type.startsWith('queue.') ? [type.replace('queue.', '')] : []));
const daily = (opens: string, closes: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens, closes }));
const shift = (starts_at: string, ends_at: string) => ({ shifts: [{ starts_at, ends_at }] });

describe.each([
  ['spring, when the clocks skip an hour', '2026-03-28', '2026-03-29T02:00:00Z'],
  ['autumn, when the clocks show an hour twice', '2026-10-24', '2026-10-25T03:00:00Z'],
])('on the night of the clock change in %s', (_, evening, closing) => {
  const close = Date.parse(closing);
  const minutesBeforeClosing = (minutes: number) => new Date(close - minutes * 60_000).toISOString();

  test('the store closes at three local time, and an entry that still waits leaves half an hour later', async () => {
    const open = { hours: daily('20:00', '03:00') };
    const salon = await openSalon(running, 1, open, { units: [shift(`${evening}T18:00:00Z`, minutesBeforeClosing(-240))] });
    setClock(minutesBeforeClosing(30));
    expect(waitOrCode(await salon.join())).toBe(0);
    expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
    setClock(minutesBeforeClosing(1));
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined']);
    setClock(minutesBeforeClosing(-30));
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined', 'left']);
  });
});

describe('the job that ends overdue entries', () => {
  test('makes a lapsed call a no-show, and publishes it once when three runs overlap', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join()).body;
    await salon.move('call', entry_id);
    setClock('2026-05-01T11:04:59Z');
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined', 'called']);
    setClock('2026-05-01T11:05:00Z');
    await Promise.all([runEndOverdue(), runEndOverdue(), runEndOverdue()]);
    expect(await publishedTypes(salon)).toEqual(['joined', 'called', 'no_show']);
    await runEndOverdue();
    expect((await salon.published()).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('lets entries that still wait half an hour after closing leave, and keeps those in a chair', async () => {
    const salon = await openSalon(running, 2, { hours: daily('09:00', '17:00') });
    const [waiting, seated] = [(await salon.join()).body.entry_id, (await salon.join()).body.entry_id];
    await salon.move('assign', seated);
    setClock('2026-05-01T16:29:59Z');
    await runEndOverdue();
    expect((await salon.status({ entry_id: waiting })).body.entry.status).toBe('waiting');
    setClock('2026-05-01T16:30:00Z');
    await runEndOverdue();
    const { entries } = (await salon.list()).body;
    expect(entries.map((entry: { status: string }) => entry.status)).toEqual(['assigned']);
    expect((await salon.status({ entry_id: waiting })).body.entry.status).toBe('left');
    expect((await salon.published()).map(({ type, sequence }) => [type, sequence]).at(-1)).toEqual(['queue.left', 2]);
  });

  test('completes an entry in a chair twelve hours after its time, and the customer may join again', async () => {
    const salon = await openSalon(running, 1, {}, { units: [shift('2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z')] });
    const { id } = await someCustomer(running);
    const signedIn = () => running.issuer.token({ typ: 'customer', sub: id });
    const { entry_id } = (await salon.join({}, await signedIn())).body;
    await salon.move('assign', entry_id);
    setClock('2026-05-01T23:29:59Z');
    await runEndOverdue();
    expect((await salon.join({}, await signedIn())).body).toMatchObject({ entry_id, reused: true, status: 'assigned' });
    setClock('2026-05-01T23:30:00Z');
    expect((await salon.status({ entry_id }, await signedIn())).body.entry).toMatchObject({ entry_id, status: 'completed' });
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined', 'assigned', 'completed']);
    expect((await salon.join({}, await signedIn())).body).toMatchObject({ reused: false, status: 'waiting' });
  });

  test('keeps an entry that waits when the store’s hours were extended meanwhile', async () => {
    const salon = await openSalon(running, 1, { hours: daily('09:00', '17:00') });
    await salon.join();
    await salon.setStore({ hours: daily('09:00', '20:00') });
    setClock('2026-05-01T16:45:00Z');
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined']);
  });

  test('keeps the entries of a store that never closes until its day has ended', async () => {
    const salon = await openSalon(running, 1);
    await salon.join();
    setClock('2026-05-01T23:29:59Z');
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined']);
    setClock('2026-05-01T23:30:00Z');
    await runEndOverdue();
    expect(await publishedTypes(salon)).toEqual(['joined', 'left']);
  });
});
