import { randomUUID } from 'node:crypto';
import { tapPresented } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { customer } from '../testing/callers.ts';
import { eventsOf, logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { startLookUps, tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;
let till: ReturnType<typeof tillOf>;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore();
  till = tillOf(running, store);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function tap({ customerId = randomUUID() as string, at = store, later = 0 } = {}) {
  const data = {
    store_id: at.id,
    customer_id: customerId,
    stamp_id: randomUUID() as string,
    at: new Date(running.clock.now().getTime() + later * 1_000).toISOString(),
  };
  const event = envelopeOf(tapPresented, data, { aggregateId: `${at.id}:${customerId}`, sequence: 3, storeId: at.id, customerId });
  await running.consume(event);
  return { ...data, event };
}
const sell = async (): Promise<string> => (await till.sell()).body.order.id;
const ownerOf = async (id: string) => {
  const { order } = (await till.get(id)).body;
  return order.without_customer ? null : order.customer_id;
};

describe('a tap after a sale', () => {
  test('within a minute makes it the customer’s, and publishes it once with the stamp of the tap', async () => {
    const id = await sell();
    const tapped = await tap({ later: 59 });
    await running.consume({ ...tapped.event, id: randomUUID() });
    expect(await ownerOf(id)).toBe(tapped.customer_id);
    const bound = (await eventsOf(running, id)).filter(({ type }) => type === 'order.customer_bound');
    expect(bound.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        order_id: id,
        customer_id: tapped.customer_id,
        stamp_id: tapped.stamp_id,
        is_first: true,
        total_pence: 640,
        net_of_tip_pence: 640,
        currency: 'GBP',
      }),
    ]);
    expect(await logOf(running, id)).toEqual(['placed', 'paid', 'customer_bound']);
    const mine = await customer(running, tapped.customer_id).call('GET', '/api/v1/orders/mine');
    expect(mine.body.orders.map(({ id: one }: { id: string }) => one)).toEqual([id]);
  });

  test('a minute or more later, before it, and at another store binds nothing', async () => {
    const id = await sell();
    await tap({ later: 60 });
    await tap({ later: -3 });
    await tap({ at: await running.openStore() });
    expect(await ownerOf(id)).toBeNull();
  });

  test('binds the latest sale alone: the one before it was another customer’s', async () => {
    const first = await sell();
    running.clock.advance({ seconds: 10 });
    const second = await sell();
    const [one] = [await tap({ later: 1 }), await tap({ later: 2 })];
    expect([await ownerOf(first), await ownerOf(second)]).toEqual([null, one.customer_id]);
  });

  test('binds one of two customers who tap at the same time', async () => {
    const id = await sell();
    const both = await Promise.all([tap({ later: 1 }), tap({ later: 1 })]);
    expect(both.map(({ customer_id }) => customer_id)).toContain(await ownerOf(id));
    expect((await eventsOf(running, id)).filter(({ type }) => type === 'order.customer_bound')).toHaveLength(1);
  });

  test('leaves a sale that has a customer, was refunded or is not paid, a partner’s, and a phone’s order', async () => {
    const ada = randomUUID();
    await using _lookUps = await startLookUps(running, { [ada]: [ada] });
    const known = (await till.sell({ customer: ada, tenders: [{ kind: 'cash' }] })).body.order.id;
    await tap();
    expect(await ownerOf(known)).toBe(ada);
    const refunded = await sell();
    await till.refund(refunded, { amount_pence: 1 });
    await tap();
    expect(await ownerOf(refunded)).toBeNull();
    running.clock.advance({ minutes: 2 });
    const open = await till.open();
    const partner = (await tillOf(running, store, { scopes: 'orders:create' }).sell()).body.order.id;
    const phone = await customer(running).paid(store);
    const { customer_id } = await tap({ later: 1 });
    for (const id of [open, partner]) expect(await ownerOf(id)).toBeNull();
    expect(await ownerOf(phone.order_id)).not.toBe(customer_id);
  });

  test('is the customer’s first order only when no other was', async () => {
    const ada = customer(running);
    await ada.paid(store);
    const id = await sell();
    await tap({ customerId: ada.sub });
    const bound = (await eventsOf(running, id)).find(({ type }) => type === 'order.customer_bound');
    expect(bound?.data.is_first).toBe(false);
  });

  test('binds the legs of a sale with its order, and a later refund names the customer', async () => {
    const items = [{ menu_item_id: 'croissant', quantity: 1 }];
    const fulfilment_groups = [
      { role: 'now', items },
      { role: 'collect', items },
    ];
    const { body } = await till.sell({ items: [], fulfilment_groups, tenders: [{ kind: 'cash' }] });
    const { customer_id } = await tap();
    const mine = await customer(running, customer_id).call('GET', `/api/v1/orders/${body.order.id}/mine`);
    expect(mine.body.order.children).toHaveLength(1);
    await till.refund(body.order.id);
    const refunded = (await eventsOf(running, body.order.id)).find(({ type }) => type === 'order.refunded');
    expect(refunded?.data).toMatchObject({ customer_id });
    expect(refunded?.data.without_customer).toBeUndefined();
  });
});
