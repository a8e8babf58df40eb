// covers: makeBooking
// covers: cancelBooking

import { randomUUID } from 'node:crypto';
import { depositPaid, orderRefunded, orderRefundFailed } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { passPlaces } from './entry-points.ts';
import { type Running, startRunning } from './testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from './testing/salon.ts';

let running: Running;
let salon: Salon;
let staff: string;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 2, { bookings_accepted: true, booking_notice_minutes: 60, booking_deposit_item_id: 'deposit' });
  staff = await salon.staff();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const at = (time: string) => `2026-05-01T${time}:00Z`;
const clock = (time: string) => running.clock.set(at(time));
const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const passes = () => passPlaces(running.service.context);
const tokenOf = (sub: string) => running.issuer.token({ typ: 'customer', sub });
const times = async () => {
  const { body } = await salon.get(`stores/${salon.storeId}/times?service_id=${salon.cut}&days=1&unit_id=${salon.chairs[0]}`);
  return body.times.map(({ starts_at }: { starts_at: string }) => starts_at.slice(11, 16));
};
const classOf = async (places: number): Promise<string> =>
  (await salon.post('sessions', { service_id: salon.cut, unit_id: salon.chairs[0], starts_at: at('14:00'), minutes: 60, places }, staff))
    .body.session.session_id;

async function book(more: object = {}) {
  const { id: customer, token } = await someCustomer(running);
  const body = { service_id: salon.cut, starts_at: at('14:00'), unit_id: salon.chairs[0], ...more };
  const { booking } = (await salon.post('bookings', body, token)).body;
  const id: string = booking.appointment_id;
  return {
    customer,
    id,
    booking,
    read: async () => (await salon.get(`bookings/${id}?store_id=${salon.storeId}`, await tokenOf(customer))).body.booking,
    act: async (how: string) => salon.post(`bookings/${id}/${how}`, {}, await tokenOf(customer)),
    byStaff: async (how: string) => salon.post(`bookings/${id}/${how}`, {}, await salon.staff()),
  };
}
type Booked = Awaited<ReturnType<typeof book>>;

/** The event of an order that pays the deposit of a booking. It returns the order's id. */
async function pay({ booking, customer }: Booked, more: { item?: string; customer?: string; storeId?: string; orderId?: string } = {}) {
  const { item = 'deposit', storeId = salon.storeId, orderId = randomUUID() } = more;
  const data = {
    order_id: orderId,
    order_number: 'S1-1',
    store_id: storeId,
    customer_id: more.customer ?? customer,
    paid_at: running.clock.now().toISOString(),
    booking_ref: booking.deposit.booking_ref,
    menu_item_id: item,
  };
  await running.consume(envelopeOf(depositPaid, data, { aggregateId: orderId, sequence: 2, storeId }));
  return orderId;
}

const refundOf = (order_id: string, full: boolean) => ({
  order_id,
  order_number: 'S1-1',
  store_id: salon.storeId,
  customer_id: randomUUID(),
  refund_id: randomUUID(),
  amount_pence: full ? 1_000 : 100,
  cumulative_pence: full ? 1_000 : 100,
  currency: 'GBP',
});
const refunded = (id: string, full = true) =>
  running.consume(
    envelopeOf(orderRefunded, { ...refundOf(id, full), paid_pence: 1_000, full, voucher_id: null }, { aggregateId: id, sequence: 3 }),
  );
const refundFailed = (id: string) =>
  running.consume(
    envelopeOf(
      orderRefundFailed,
      { ...refundOf(id, true), was_accepted: true, was_full: true, reason: null },
      { aggregateId: id, sequence: 4 },
    ),
  );

const published = async (types = /^(booking|deposit)[.]/) =>
  (await salon.published()).flatMap(({ type, data }) => (types.test(type) ? [data.cause === 'not_due' ? `${type} not_due` : type] : []));
const returned = async () =>
  (await salon.published()).flatMap(({ type, data }) => (type === 'deposit.returned' ? [[data.order_id, data.cause]] : []));

describe('a booking whose deposit is due', () => {
  test('keeps its time for fifteen minutes, and publishes nothing', async () => {
    const { booking } = await book();
    expect(booking).toMatchObject({
      status: 'requested',
      deposit: { item_id: 'deposit', state: 'due', pay_before: at('11:15').replace('Z', '.000000Z'), order_id: null },
    });
    expect(await times()).not.toContain('14:00');
    expect(await published()).toEqual([]);
    expect((await salon.log()).body.entries[0]).toMatchObject({ title: 'A customer is to pay the deposit of a booking' });
  });

  test('ends unpaid, frees its time and publishes nothing; a payment that comes then is refunded, once', async () => {
    const late = await book();
    clock('11:14');
    await passes();
    expect((await late.read()).deposit.state).toBe('due');
    clock('11:15');
    await Promise.all([passes(), passes()]);
    expect(await late.read()).toMatchObject({ status: 'cancelled', deposit: { state: 'unpaid' } });
    expect(await times()).toContain('14:00');
    const orderId = await pay(late);
    await pay(late, { orderId });
    expect(await returned()).toEqual([[orderId, 'not_due']]);
    expect(await published()).toEqual(['deposit.returned not_due']);
    expect((await late.read()).status).toBe('cancelled');
    expect((await salon.log()).body.entries[0]).toMatchObject({
      title: 'The booking of a customer ended: its deposit was not paid in time',
    });
  });

  test('is booked by the first order that pays it; a repeat changes nothing, and a second order is refunded', async () => {
    const one = await book();
    const [paying, second] = [await pay(one), await pay(one)];
    await pay(one, { orderId: paying });
    expect(await one.read()).toMatchObject({ status: 'booked', deposit: { state: 'paid', order_id: paying } });
    expect(await returned()).toEqual([[second, 'not_due']]);
    expect(await published()).toEqual(['booking.made', 'deposit.returned not_due']);
    clock('11:20');
    await passes();
    expect((await one.read()).status).toBe('booked');
  });

  test('is paid by an order of its customer, store and item alone: any other is refunded', async () => {
    const one = await book();
    const others = [
      await pay(one, { item: 'flat-white' }),
      await pay(one, { customer: randomUUID() }),
      await pay({ ...one, booking: { deposit: { booking_ref: randomUUID() } } }),
    ];
    const elsewhere = await openSalon(running, 1, { bookings_accepted: true });
    const orderId = await pay(one, { storeId: elsewhere.storeId });
    expect((await one.read()).deposit).toMatchObject({ state: 'due', order_id: null });
    expect((await returned()).map(([id]) => id)).toEqual(others);
    expect((await elsewhere.published()).map(({ type, aggregate_id }) => [type, aggregate_id])).toEqual([['deposit.returned', orderId]]);
  });

  test('cannot be moved, confirmed or marked as come, and is cancelled by its customer or the store without a message', async () => {
    const one = await book();
    expect(code(await salon.post(`bookings/${one.id}/move`, { starts_at: at('15:00') }, await tokenOf(one.customer)))).toEqual([
      409,
      'INVALID_TRANSITION',
    ]);
    for (const step of ['confirm', 'arrive', 'complete']) expect(code(await one.byStaff(step))).toEqual([409, 'INVALID_TRANSITION']);
    expect((await one.act('cancel')).body.booking).toMatchObject({ status: 'cancelled', deposit: { state: 'unpaid' } });
    const two = await book();
    expect(code(await two.byStaff('cancel'))).toEqual([200, undefined]);
    expect(await published()).toEqual([]);
    const orderId = await pay(one);
    expect(await returned()).toEqual([[orderId, 'not_due']]);
  });

  test('waits for the store once it is paid, when its customer missed too many', async () => {
    await salon.setStore({ no_shows_allowed: 1 });
    const missed = await book({ starts_at: at('11:15') });
    await pay(missed);
    clock('11:20');
    await missed.byStaff('no-show');
    const token = await tokenOf(missed.customer);
    const { booking } = (await salon.post('bookings', { service_id: salon.cut, starts_at: at('15:00') }, token)).body;
    await pay({ ...missed, booking });
    const again = (await salon.get(`bookings/${booking.appointment_id}?store_id=${salon.storeId}`, token)).body.booking;
    expect(again).toMatchObject({ status: 'requested', deposit: { state: 'paid' } });
  });
});

test('a guest signs in for a booking with a deposit; staff book without one', async () => {
  const body = { service_id: salon.cut, starts_at: at('14:00'), guest_name: 'Dee', guest_phone: '+447700900123' };
  const refusal = await salon.post('bookings', body, null);
  expect([...code(refusal), refusal.body.error.message]).toEqual([401, 'UNAUTHENTICATED', expect.stringContaining('sign in')]);
  expect((await salon.post('bookings', body, staff)).body.booking).toMatchObject({ status: 'booked', deposit: null });
  expect((await salon.get(`stores/${salon.storeId}/times?service_id=${salon.cut}`)).body.deposit_item_id).toBe('deposit');
});

describe('a deposit that was paid', () => {
  test('is returned once when its booking is cancelled in time or by the store, and is refunded when orders says so', async () => {
    const [own, theirs] = [await book(), await book({ starts_at: at('15:00') })];
    const [first, second] = [await pay(own), await pay(theirs)];
    for (const _ of [1, 2]) expect((await own.act('cancel')).body.booking).toMatchObject({ deposit: { state: 'refunding' } });
    clock('14:30');
    expect(code(await theirs.act('cancel'))).toEqual([409, 'NOTICE_PASSED']);
    await theirs.byStaff('cancel');
    expect(await returned()).toEqual([
      [first, 'cancelled'],
      [second, 'cancelled'],
    ]);
    await refunded(first);
    expect((await own.read()).deposit.state).toBe('refunded');
    await refundFailed(first);
    expect((await own.read()).deposit.state).toBe('kept');
  });

  test('is kept after a no-show, and is paid again when that is undone', async () => {
    const one = await book({ starts_at: at('11:15') });
    await pay(one);
    clock('11:20');
    expect((await one.byStaff('no-show')).body.booking).toMatchObject({ status: 'no_show', deposit: { state: 'kept' } });
    expect((await one.byStaff('reopen')).body.booking).toMatchObject({ status: 'booked', deposit: { state: 'paid' } });
    expect(await returned()).toEqual([]);
  });

  test('stays with a booking that is moved; what staff refunded is not asked for again, a part is no refund of it', async () => {
    const [whole, part] = [await book(), await book({ starts_at: at('15:00') })];
    const [first, second] = [await pay(whole), await pay(part)];
    await salon.post(`bookings/${whole.id}/move`, { starts_at: at('16:00') }, await tokenOf(whole.customer));
    await refunded(first);
    await refunded(second, false);
    expect([(await whole.read()).deposit.state, (await part.read()).deposit.state]).toEqual(['refunded', 'paid']);
    await whole.act('cancel');
    await part.act('cancel');
    expect(await returned()).toEqual([[second, 'cancelled']]);
    expect((await whole.read()).deposit.state).toBe('refunded');
  });

  test('of a class is returned when the class is cancelled, and one that is due is due no more', async () => {
    const session_id = await classOf(3);
    const [paid, due] = [await book({ session_id, starts_at: null }), await book({ session_id, starts_at: null })];
    const orderId = await pay(paid);
    await salon.post(`sessions/${session_id}/change`, { starts_at: at('15:00') }, staff);
    await salon.post(`sessions/${session_id}/cancel`, {}, staff);
    expect(await returned()).toEqual([[orderId, 'cancelled']]);
    expect((await due.read()).deposit.state).toBe('unpaid');
    expect(await published()).toEqual(['booking.made', 'booking.moved', 'booking.cancelled', 'deposit.returned']);
  });
});

test('who takes a place from the waiting list pays for it then; unpaid, it is offered to the next', async () => {
  const session_id = await classOf(2);
  const ask = { session_id, starts_at: null, wait: true };
  const [ana, ben] = [await book({ ...ask, party_size: 2 }), await book(ask)];
  await pay(ana);
  const cai = await book(ask);
  expect(ben.booking).toMatchObject({ waitlist: { place: 1 }, deposit: null });
  await salon.post(`bookings/${ana.id}/cancel`, {}, staff);
  for (const _ of [1, 2]) expect((await ben.act('accept')).body.booking.deposit).toMatchObject({ state: 'due' });
  await cai.act('accept');
  await pay({ ...cai, booking: await cai.read() });
  clock('11:15');
  await passes();
  expect([(await ben.read()).status, (await cai.read()).status]).toEqual(['cancelled', 'booked']);
  const { sessions } = (await salon.get(`stores/${salon.storeId}/bookings?day=2026-05-01`, staff)).body;
  expect(sessions.find((session: { session_id: string }) => session.session_id === session_id)).toMatchObject({ taken: 1 });
});
