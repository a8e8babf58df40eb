// covers: listBookings, createBooking, changeBooking
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { openShop, refusal, type Shop } from '../testing/shop.ts';

let running: Running;
let shop: Shop;
let unit_id: string;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  shop = await openShop(running);
  unit_id = randomUUID();
  await shop.patch('/floor', { units: [{ id: unit_id, name: 'Chair 1', service_ids: [] }] });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const asStaff = { role: 'staff' } as const;
const booking = (hour: number, more: object = {}) => ({
  unit_id,
  starts_at: `2026-05-01T${hour}:00:00Z`,
  ends_at: `2026-05-01T${hour}:30:00Z`,
  ...more,
});
const book = (hour: number, more: object = {}, sent: object = asStaff) => shop.post('/bookings', booking(hour, more), sent);

describe('a booking', () => {
  test('is written for a chair whose id was given in capitals', async () => {
    const id = randomUUID();
    await shop.patch('/floor', { units: [{ id: id.toUpperCase(), name: 'Chair 2', service_ids: [] }] });
    expect((await book(12, { unit_id: id.toUpperCase() })).body.booking).toMatchObject({ unit_id: id });
  });

  test('of the year 10000 is not asked for: the list is empty', async () => {
    await book(12);
    expect((await shop.get(`/bookings?from=${encodeURIComponent('9999-12-31T23:59:59-12:00')}`)).body).toEqual({ bookings: [] });
  });

  test('is written by staff and published', async () => {
    const { status, body, etag } = await book(12);
    expect([status, etag]).toEqual([200, '"1"']);
    expect(body).toEqual({ version: 1, booking: { ...booking(12), id: expect.any(String), store_id: shop.storeId, state: 'booked' } });
    expect(await shop.snapshots('booking', body.booking.id)).toMatchObject([{ sequence: 1, data: { ...body.booking, version: 1 } }]);
  });

  test('is moved, started and cancelled, each by its version', async () => {
    const path = `/bookings/${(await book(12)).body.booking.id}`;
    expect((await shop.patch(path, { starts_at: '2026-05-01T12:10:00Z' }, { ...asStaff, match: 1 })).body).toMatchObject({
      version: 2,
      booking: { starts_at: '2026-05-01T12:10:00Z', ends_at: '2026-05-01T12:30:00Z' },
    });
    expect((await shop.patch(path, { state: 'cancelled' }, { ...asStaff, match: 2 })).body.booking.state).toBe('cancelled');
    expect(refusal(await shop.patch(path, { state: 'started' }, { ...asStaff, match: 2 }))).toEqual([412, 'VERSION_CONFLICT']);
  });

  test('is refused for a chair that the store does not have, and keeps one that is gone', async () => {
    expect(refusal(await book(12, { unit_id: randomUUID() }))).toEqual([422, 'UNIT_NOT_FOUND']);
    const path = `/bookings/${(await book(12)).body.booking.id}`;
    await shop.patch('/floor', { remove_units: [unit_id] });
    expect((await shop.patch(path, { state: 'started' })).status).toBe(200);
    expect(refusal(await shop.patch(path, { unit_id: randomUUID() }))).toEqual([422, 'UNIT_NOT_FOUND']);
  });

  test('that ends before it starts is refused, and the message names the field', async () => {
    const { status, body } = await book(12, { ends_at: '2026-05-01T12:00:00Z' });
    expect([status, body.error.message]).toEqual([400, 'ends_at: must be after starts_at']);
  });

  test('of another store is not found, and is not for the people of another store', async () => {
    const { id } = (await book(12)).body.booking;
    const other = await openShop(running);
    expect(refusal(await other.patch(`/bookings/${id}`, { state: 'done' }))).toEqual([404, 'BOOKING_NOT_FOUND']);
    expect(refusal(await shop.patch(`/bookings/${id}`, { state: 'done' }, { token: await other.token('owner') }))).toEqual([
      403,
      'STORE_FORBIDDEN',
    ]);
    expect(refusal(await other.get(`/bookings?after=${id}`))).toEqual([400, 'INVALID_CURSOR']);
    expect((await other.get('/bookings')).body.bookings).toEqual([]);
  });

  test('of a store that the directory does not have is not found', async () => {
    const id = randomUUID();
    const token = await running.issuer.token({ typ: 'staff', stores: [{ id, role: 'staff' }] });
    const paths = `//stores/${id}/bookings`;
    expect(refusal(await shop.get(paths, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.post(paths, booking(12), { token }))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(refusal(await shop.patch(`${paths}/${randomUUID()}`, { state: 'done' }, { token }))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});

test('the diary lists bookings from now on by their start, in pages, or from another instant', async () => {
  const ids = [];
  for (const hour of [15, 10, 13, 13]) ids.push((await book(hour)).body.booking.id);
  const [late, past, ...same] = ids;
  const first = await shop.get('/bookings?limit=1', asStaff);
  const rest = await shop.get(`/bookings?limit=5&after=${first.body.bookings[0].id}`, asStaff);
  expect([...first.body.bookings, ...rest.body.bookings].map(({ id }) => id)).toEqual([...same.toSorted(), late]);
  const all = await shop.get('/bookings?from=2026-05-01T00:00:00Z', asStaff);
  expect(all.body.bookings[0]).toMatchObject({ id: past, version: 1, state: 'booked' });
});
