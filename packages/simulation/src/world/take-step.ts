import type { CornerClient } from '@corner/client';
import type { ServiceName } from '@corner/contracts';
import { beginErasure } from '@corner/contracts';
import { noFaults } from '../broker/faults.ts';
import { type Random, randomOf } from '../random.ts';
import type { Step, StepOf } from './steps.ts';
import type { KnownOrder, Outcome, World } from './world.ts';

type Said = string | null;
type Take<D extends Step['do']> = (world: World, step: StepOf<D>) => Promise<Said>;

export const takeStep = (world: World, step: Step): Promise<Said> =>
  (steps[step.do] as (world: World, step: Step) => Promise<Said>)(world, step);

const said = ({ status, code }: Outcome): string => (code === null ? String(status) : `${status} ${code}`);

async function withOrder(world: World, position: number, work: (order: KnownOrder) => Promise<Outcome>): Promise<Said> {
  const order = world.order(position);
  return order ? said(await work(order)) : null;
}

const prices = { coffee: 350, cake: 400 } as const;
const baskets = {
  coffee: [{ menu_item_id: 'coffee', quantity: 1 }],
  cake: [{ menu_item_id: 'cake', quantity: 1 }],
  both: [
    { menu_item_id: 'coffee', quantity: 2 },
    { menu_item_id: 'cake', quantity: 1 },
  ],
} as const;

async function pay({ platform }: World, intentId: string, card: string): Promise<string> {
  const response = await fetch(`${platform.providerUrl}/v1/payment_intents/${intentId}/confirm`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_corner' },
    body: new URLSearchParams({ payment_method: card }),
  });
  const { status, error } = (await response.json()) as { status?: string; error?: { code?: string } };
  return status ?? error?.code ?? 'refused';
}

function attempt(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    if (error instanceof Error && 'status' in error) return 'refused';
    throw error;
  }
}

async function voucherOf({ database, cast }: World, who: number, position: number): Promise<string | undefined> {
  const { rows } = await database.query<{ id: string }>(
    `select id from loyalty.voucher where customer_id = $1 order by status = 'active', id`,
    [cast.customers[who]],
  );
  return rows.at(-1 - (position % Math.max(1, rows.length)))?.id;
}

const steps: { readonly [D in Step['do']]: Take<D> } = {
  async order(world, { who, basket, voucher, paid }) {
    const { storeId: store_id } = world.cast;
    const key = world.random.uuid();
    const voucher_id = voucher ? await voucherOf(world, who, 0) : undefined;
    const body = { store_code: 'S1', store_id, idempotency_key: key, items: baskets[basket].map((line) => ({ ...line })) };
    const order = { ...body, order_type: 'collect', collection_mode: 'now', ...(voucher_id ? { voucher_id } : {}) } as const;
    const placed = await world.asCustomer(who, (client) => client.POST('/api/v1/orders', { body: order }));
    const outcome = placed.data ? 'ok' : placed.status < 500 ? 'refused' : 'unknown';
    const response = placed.data ?? { error: placed.code };
    world.history.add({ at: '', operation: 'create', key, outcome, status: placed.status, response });
    if (!placed.data) return said(placed);
    const intentId = placed.data.payment_intent_id ?? null;
    world.orders.push({ id: placed.data.order_id, who, intentId, key });
    if (!paid || !intentId) return said(placed);
    const status = await pay(world, intentId, 'pm_card_visa');
    const confirmed = await world.asCustomer(who, (client) =>
      client.POST('/api/v1/orders/confirm', { body: { store_id, payment_intent_id: intentId } }),
    );
    return `${said(placed)}, ${status}, ${said(confirmed)}`;
  },
  async sell(world, { who, basket, tender }) {
    const { storeId: store_id, customers } = world.cast;
    const key = world.random.uuid();
    const lines = baskets[basket];
    const sale = {
      store_id,
      items: lines.map((line) => ({ ...line })),
      order_type: 'collect',
      collection_mode: 'now',
      ...(who === null ? {} : { customer: customers[who] as string }),
      ...(tender === 'open' ? {} : { tenders: [tender === 'external_card' ? { kind: tender, reference: '4711' } : { kind: 'cash' }] }),
      ...(tender === 'late'
        ? { offline: { sold_at: world.soldAt(), unit_prices_pence: lines.map((line) => prices[line.menu_item_id]) } }
        : {}),
    } as const;
    const params = { header: { 'Idempotency-Key': key } };
    const sold = await world.asStaff((client) => client.POST('/api/v1/orders/at-counter', { params, body: sale as never }));
    const outcome = sold.data ? 'ok' : sold.status < 500 ? 'refused' : 'unknown';
    const response = sold.data ? { order_id: sold.data.order.id } : { error: sold.code };
    world.history.add({ at: '', operation: 'create', key, outcome, status: sold.status, response });
    if (sold.data) world.orders.push({ id: sold.data.order.id, who: who ?? 0, intentId: null, key });
    return said(sold);
  },
  payOpen: (world, { order }) =>
    withOrder(world, order, ({ id }) => {
      const body = { store_id: world.cast.storeId, tenders: [{ kind: 'cash' as const }] };
      return world.asStaff((client) => client.POST('/api/v1/orders/{orderId}/tenders', { params: { path: { orderId: id } }, body }));
    }),
  async book(world, { who, quarters }) {
    const { storeId: store_id, serviceId: service_id } = world.cast;
    const body = { store_id, service_id, starts_at: world.quarter(quarters) };
    const made = await world.asCustomer(who, (client) => client.POST('/api/v1/queue/bookings', { body }));
    if (made.data) world.bookings.push({ id: made.data.booking.appointment_id, who });
    return said(made);
  },
  async moveBooking(world, { booking, quarters }) {
    const known = world.booking(booking);
    if (!known) return null;
    const params = { path: { appointment_id: known.id } };
    const body = { store_id: world.cast.storeId, starts_at: world.quarter(quarters) };
    const move = (client: CornerClient) => client.POST('/api/v1/queue/bookings/{appointment_id}/move', { params, body });
    return said(await world.asCustomer(known.who, move));
  },
  async stepBooking(world, { booking, how }) {
    const known = world.booking(booking);
    if (!known) return null;
    const request = { params: { path: { appointment_id: known.id } }, body: { store_id: world.cast.storeId } };
    return said(await world.asStaff((client) => client.POST(`/api/v1/queue/bookings/{appointment_id}/${how}`, request)));
  },
  async teach(world, { quarters, places }) {
    const { storeId: store_id, serviceId: service_id, chairs } = world.cast;
    const unit_id = chairs[world.classes.length % chairs.length] as string;
    const body = { store_id, service_id, unit_id, starts_at: world.quarter(quarters), places };
    const made = await world.asStaff((client) => client.POST('/api/v1/queue/sessions', { body }));
    if (made.data) world.classes.push(made.data.session.session_id);
    return said(made);
  },
  async joinClass(world, { taught, people }) {
    const session_id = world.classes.at(-1 - taught);
    if (!session_id) return null;
    const outcomes: string[] = [];
    for (const who of people) {
      const body = { store_id: world.cast.storeId, session_id, wait: true };
      const made = await world.asCustomer(who, (client) => client.POST('/api/v1/queue/bookings', { body }));
      if (made.data) world.bookings.push({ id: made.data.booking.appointment_id, who });
      outcomes.push(made.data?.booking.waitlist ? 'waits' : said(made));
    }
    return outcomes.join(', ');
  },
  async acceptPlace(world, { booking }) {
    const known = world.booking(booking);
    if (!known) return null;
    const request = { params: { path: { appointment_id: known.id } }, body: { store_id: world.cast.storeId } };
    return said(await world.asCustomer(known.who, (client) => client.POST('/api/v1/queue/bookings/{appointment_id}/accept', request)));
  },
  async morePlaces(world, { taught }) {
    const session_id = world.classes.at(-1 - taught);
    if (!session_id) return null;
    const request = { params: { path: { session_id } }, body: { store_id: world.cast.storeId, places: 4 } };
    return said(await world.asStaff((client) => client.POST('/api/v1/queue/sessions/{session_id}/change', request)));
  },
  async passPlaces({ platform, step }, { minutes }) {
    platform.clock.jump(minutes * 60_000);
    await platform.runJob('queue', 'passPlaces', step);
    return 'run';
  },
  async pay(world, { order, card }) {
    const intentId = world.order(order)?.intentId;
    return intentId ? await pay(world, intentId, card) : null;
  },
  async confirm(world, { order }) {
    const known = world.order(order);
    const { intentId } = known ?? {};
    if (!known || !intentId) return null;
    const body = { store_id: world.cast.storeId, payment_intent_id: intentId };
    return said(await world.asCustomer(known.who, (client) => client.POST('/api/v1/orders/confirm', { body })));
  },
  async webhooks({ platform }, { reversed }) {
    return `${await platform.payments.controls.flush(reversed ? 'reversed' : 'as_made')} webhooks`;
  },
  async loseWebhooks({ platform }) {
    return `${platform.payments.controls.discard()} webhooks`;
  },
  refund: (world, { order, pence, attempt: nth }) =>
    withOrder(world, order, ({ id, key }) => {
      const body = {
        store_id: world.cast.storeId,
        reason: 'It was cold.',
        refund_attempt_id: key.replace(/.$/, String(nth)),
        ...(pence === null ? {} : { amount_pence: pence }),
      };
      return world.asStaff((client) => client.POST('/api/v1/orders/{orderId}/refund', { params: { path: { orderId: id } }, body }));
    }),
  async failRefund(world, { order }) {
    const { controls } = world.platform.payments;
    const intentId = world.order(order)?.intentId;
    const refund = controls.books().refunds.find((one) => one.payment_intent === intentId && one.status === 'succeeded');
    return refund ? attempt(() => controls.failRefund(refund.id)) : null;
  },
  async dispute(world, { order }) {
    const { controls } = world.platform.payments;
    const intentId = world.order(order)?.intentId;
    return intentId ? attempt(() => controls.openDispute(intentId)) : null;
  },
  async decide(world, { order, outcome }) {
    const { controls } = world.platform.payments;
    const intentId = world.order(order)?.intentId;
    const dispute = controls.books().disputes.find((one) => one.payment_intent === intentId);
    return dispute ? attempt(() => controls.closeDispute(dispute.id, outcome)) : null;
  },
  advance: (world, { order, to }) =>
    withOrder(world, order, ({ id }) => {
      const body = { store_id: world.cast.storeId, to_status: to };
      return world.asStaff((client) => client.PATCH('/api/v1/orders/{orderId}/fulfilment', { params: { path: { orderId: id } }, body }));
    }),
  cancel: (world, { order, refund }) =>
    withOrder(world, order, ({ id }) => {
      const body = { store_id: world.cast.storeId, status: 'cancelled' as const, ...(refund ? { refund } : {}) };
      return world.asStaff((client) => client.PATCH('/api/v1/orders/{orderId}/status', { params: { path: { orderId: id } }, body }));
    }),
  cancelOwn: (world, { order }) =>
    withOrder(world, order, ({ id, who }) => {
      const body = { store_id: world.cast.storeId };
      return world.asCustomer(who, (client) => client.POST('/api/v1/orders/{orderId}/cancel', { params: { path: { orderId: id } }, body }));
    }),
  async grant(world, { who }) {
    const body = { store_id: world.cast.storeId, customer_id: world.cast.customers[who] as string, idempotency_key: world.random.uuid() };
    return said(await world.asStaff((client) => client.POST('/api/v1/loyalty/stamps', { body })));
  },
  async redeem(world, { who, voucher }) {
    const voucher_id = await voucherOf(world, who, voucher);
    if (!voucher_id) return null;
    const body = { store_id: world.cast.storeId, customer_id: world.cast.customers[who] as string, voucher_id };
    return said(await world.asStaff((client) => client.POST('/api/v1/loyalty/redemptions', { body })));
  },
  async join(world, { who }) {
    const body = { store_id: world.cast.storeId, service_id: world.cast.serviceId };
    const joined = await world.asCustomer(who, (client) => client.POST('/api/v1/queue/join', { body }));
    if (joined.data && !world.entries.includes(joined.data.entry_id)) world.entries.push(joined.data.entry_id);
    return said(joined);
  },
  async serve(world, { entry, how }) {
    const entryId = world.entry(entry);
    if (!entryId) return null;
    const request = { params: { path: { entry_id: entryId } }, body: { store_id: world.cast.storeId } };
    return said(
      await world.asStaff((client) => {
        switch (how) {
          case 'call':
            return client.POST('/api/v1/queue/entries/{entry_id}/call', request);
          case 'assign':
            return client.POST('/api/v1/queue/entries/{entry_id}/assign', request);
          case 'complete':
            return client.POST('/api/v1/queue/entries/{entry_id}/complete', request);
          case 'no-show':
            return client.POST('/api/v1/queue/entries/{entry_id}/no-show', request);
        }
      }),
    );
  },
  async leave(world, { entry }) {
    const entry_id = world.entry(entry);
    return entry_id ? said(await world.asStaff((client) => client.POST('/api/v1/queue/leave', { body: { entry_id } }))) : null;
  },
  async erase(world) {
    const customer_id = world.cast.customers.at(-1) as string;
    world.erased.add(customer_id);
    await world.platform.call(beginErasure, { customer_id, by: 'simulation' });
    return 'begun';
  },
  async deliver({ platform, random }, { events }) {
    let delivered = 0;
    for (; delivered < events; delivered += 1) {
      const { deliverable } = platform.broker;
      if (deliverable.length === 0) break;
      platform.broker.deliver(random.pick(deliverable));
    }
    return `${delivered} events`;
  },
  async job({ platform, step }, { job }) {
    const [service, name] = job.split(' ') as [ServiceName, string];
    await platform.runJob(service, name, step);
    return 'run';
  },
  async crash({ platform }, { service, transactions, when }) {
    platform.crashIn(service, transactions, when);
    return null;
  },
  async time({ platform }, { seconds }) {
    platform.clock.jump(seconds * 1_000);
    return null;
  },
  async network({ platform, random }, { publications, acknowledgements, requests }) {
    const seed = random.below(2 ** 31);
    const draws = new Map<string, Random>();
    const falls = (share: number, by: string): Random | null => {
      const own = draws.get(by) ?? randomOf(seed, by);
      draws.set(by, own);
      return own.below(100) < share ? own : null;
    };
    platform.broker.faults = {
      publication: (producer) => falls(publications, producer)?.pick(['acknowledgement lost', 'lost'] as const) ?? 'stored',
      losesAck: (service) => falls(acknowledgements, `acks of ${service}`) !== null,
      request: (subject) => falls(requests, subject)?.pick(['lost', 'reply lost'] as const) ?? 'carried',
    };
    return null;
  },
  async rewind({ platform }, { forgotten }) {
    platform.broker.restart(forgotten);
    return null;
  },
};

export function endFaults({ platform: { broker, payments } }: World): void {
  broker.faults = noFaults;
  payments.controls.clearFaults();
}
