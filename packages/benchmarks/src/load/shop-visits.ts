import { randomUUID } from 'node:crypto';
import { type BenchStore, menu, pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { untilDue } from './arrivals.ts';
import { orderRequest, signIn } from './customers.ts';
import { type HttpRequest, openHttpPool } from './http-connection.ts';
import { confirmRequest, payRequest } from './paid-orders.ts';

/**
 * Shares of 100 visits. `look` reads and orders nothing; `account`: a customer reads orders and cards; `owner`: an owner marks an item as
 * sold out and changes a price.
 */
const shares = { order: 60, look: 24, walkIn: 10, account: 5, owner: 1 } as const;
type Kind = keyof typeof shares;
const kinds = Object.entries(shares).flatMap(([kind, share]) => Array.from({ length: share }, () => kind as Kind));
/** One order in 50 is refunded and one in four collected in a slot. One walk-in in ten leaves. One store in four has a queue. */
const every = { refund: 50, slot: 4, leave: 10, queue: 4 } as const;
const [stepMs, patienceMs] = [2_000, 60_000];

export type Took = Map<string, number[]>;
type Headers = Readonly<Record<string, string>>;

/**
 * Signs everyone in. The returned function makes the next visit and records the milliseconds of each operation from when it was due, so
 * that a late start counts. The sequence of visits, customers and stores is the same in every run.
 */
export async function openShops(bench: BenchSystem): Promise<(took: Took, dueAt: number) => Promise<void>> {
  const shops = await signInAll(bench);
  const [stores, customers, counts] = [shops.stores.length, shops.customers.ids.length, new Map<Kind, number>()];
  const queues = Math.ceil(stores / every.queue);
  let visits = 0;
  return async (took, dueAt) => {
    // 37 and 100 have no common factor, so that each hundred visits have all the shares, mixed.
    const kind = kinds[(visits++ * 37) % kinds.length] ?? 'look';
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    // Each walk-in comes to the next store with a queue, so that its chairs are free again. Other visits are spread over all.
    const customer = kind === 'walkIn' ? (count % queues) + stores * Math.floor(count / queues) : count;
    await visitsOf[kind](visitor(shops, customer % customers, took), count, dueAt);
  };
}

async function signInAll({ system, rewarding: { stores, customerIds } }: BenchSystem) {
  const owner = (id: string) => system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [id], ttlSeconds: 4 * 3600 });
  const [customers, owners] = await Promise.all([signIn(system, customerIds), Promise.all(stores.map(({ id }) => owner(id)))]);
  const [gateway, provider] = [openHttpPool(system.gatewayUrl), openHttpPool(system.paymentsUrl ?? '')];
  const known = new Map<string, { readonly etag: string | null; readonly body: string }>();
  return { gatewayUrl: system.gatewayUrl, stores, customers, owners, gateway, provider, known };
}

type Shops = Awaited<ReturnType<typeof signInAll>>;
type Visitor = ReturnType<typeof visitor>;

function visitor({ gatewayUrl, stores, customers, owners, gateway, provider, known }: Shops, customer: number, took: Took) {
  const asOwner: Headers = { authorization: `Bearer ${owners[customer % owners.length]}` };
  const note = (operation: string, ms: number) => void (took.get(operation)?.push(ms) ?? took.set(operation, [ms]));
  const call = async (operation: string, request: HttpRequest, dueAt = performance.now()) => {
    let response = await gateway(request);
    for (const until = dueAt + patienceMs; response.status === 503 && performance.now() < until; response = await gateway(request)) {
      note('503, repeated after a second', performance.now() - dueAt);
      await untilDue(performance.now() + 1_000);
    }
    const { status, body } = response;
    if (status !== 200 && status !== 304) throw new Error(`${request.method} ${request.path} received ${status}: ${body}`);
    note(status === 304 ? `${operation}, 304` : operation, performance.now() - dueAt);
    return response;
  };
  const get = (operation: string, path: string, headers: Headers = {}, dueAt?: number) =>
    call(operation, { method: 'GET', path: `/api/v1${path}`, headers }, dueAt);
  const change = (operation: string, method: 'POST' | 'PATCH', path: string, headers: Headers, body: object) => {
    const all = { 'content-type': 'application/json', 'idempotency-key': randomUUID(), 'if-match': '*', ...headers };
    return call(operation, { method, path: `/api/v1${path}`, headers: all, body: JSON.stringify(body) });
  };
  const poll = async ({ operation, path, headers, shows }: Watched): Promise<void> => {
    let etag: string | null = null;
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      const dueAt = await untilDue(performance.now() + stepMs);
      const response = await get(operation, path, etag === null ? headers : { ...headers, 'if-none-match': etag }, dueAt);
      if (response.body.includes(shows)) return;
      etag = response.etag;
    }
    throw new Error(`${path} did not show ${shows}`);
  };
  const follow = async ({ path, headers, shows }: Watched): Promise<number> => {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(`${gatewayUrl}/api/v1${path}`, { headers: { ...headers, accept: 'text/event-stream' }, signal });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes(shows)) return performance.now();
    }
    throw new Error(`the stream of ${path}, ${response.status}, ended before it showed ${shows}: ${text}`);
  };
  return {
    store: stores[customer % stores.length] as BenchStore,
    customerId: customers.ids[customer],
    asCustomer: customers.headers(customer),
    asOwner,
    call,
    get,
    change,
    pay: (intentId: string) => provider(payRequest(intentId)),
    async read(operation: string, path: string, dueAt?: number): Promise<string> {
      const etag = known.get(path)?.etag;
      const response = await get(operation, path, etag ? { 'if-none-match': etag } : {}, dueAt);
      if (response.status === 200) known.set(path, response);
      return known.get(path)?.body ?? '';
    },
    async serve<T>(list: readonly [string, string], moves: readonly (T | null)[], move: (to: T) => Promise<unknown>, watched: Watched) {
      const beganAt = performance.now();
      let movedAt = beganAt;
      const work = async (): Promise<void> => {
        for (const [step, to] of moves.entries()) {
          await get(...list, asOwner, await untilDue(beganAt + (step + 1) * stepMs));
          movedAt = performance.now();
          if (to !== null) await move(to);
        }
      };
      const [seenAt] = await Promise.all([watched.live ? follow(watched) : poll(watched), work()]);
      if (seenAt) note(`${watched.operation}, live: a change until it is seen`, seenAt - movedAt);
    },
  };
}

interface Watched {
  readonly operation: string;
  readonly path: string;
  readonly headers: Headers;
  readonly live: boolean;
  readonly shows: string;
}

const visitsOf: Readonly<Record<Kind, (by: Visitor, count: number, dueAt: number) => Promise<void>>> = {
  async order({ store, customerId, asCustomer, asOwner, call, get, change, read, pay, serve }, count, dueAt) {
    const store_id = store.id;
    await read('readMenu', `/orders/stores/${store_id}/menu`, dueAt);
    const { slots } = JSON.parse(await read('listOpenSlots', `/orders/stores/${store_id}/slots`)) as { slots: { id: string }[] };
    await read('readMenu', `/orders/stores/${store_id}/menu`);
    const { cards } = JSON.parse((await get('listMyCards', '/loyalty/mine', asCustomer)).body) as {
      cards: { active_vouchers: { id: string }[] }[];
    };
    const voucher_id = cards[0]?.active_vouchers[0]?.id ?? null;
    const items = pricedBasket.items.map((item) => ({ ...item, quantity: 2 }));
    const slot_id = count % every.slot === 0 ? (slots.at(-1)?.id ?? null) : null;
    const basket = { items, order_type: 'collect', collection_mode: slot_id ? 'scheduled' : 'now', slot_id, voucher_id } as const;
    const created = await call(voucher_id ? 'createOrder, voucher' : 'createOrder', orderRequest(asCustomer, store, basket));
    const { order_id: id, payment_intent_id: intent } = JSON.parse(created.body) as { order_id: string; payment_intent_id: string };
    await pay(intent);
    await call('confirmOrder', confirmRequest(asCustomer, store, intent));
    await get('customerState', `/loyalty/customer-state?store_id=${store_id}&customer_id=${customerId}`, asOwner);
    await serve(
      ['listOrders', `/orders?store_id=${store_id}&scope=active&limit=100`],
      ['preparing', null, 'ready', null, 'collected'],
      (to_status) => change('advanceFulfilment', 'PATCH', `/orders/${id}/fulfilment`, asOwner, { store_id, to_status }),
      { operation: 'getMyOrder', path: `/orders/${id}/mine`, headers: asCustomer, live: count % 2 === 0, shows: '"collected"' },
    );
    await get('listMyCards', '/loyalty/mine', asCustomer);
    const refund = { store_id, reason: 'It was cold.', refund_attempt_id: randomUUID() };
    if (count % every.refund === 0) await change('refundOrder', 'POST', `/orders/${id}/refund`, asOwner, refund);
  },

  async look({ store, get }, _count, dueAt) {
    await get('listStores', '/orders/stores?limit=20', {}, dueAt);
    await get('readMenu', `/orders/stores/${store.id}/menu`);
    await get('listOpenSlots', `/orders/stores/${store.id}/slots`);
  },

  async walkIn({ store, asCustomer, asOwner, change, read, serve }, count, dueAt) {
    const [isGuest, store_id] = [count % 2 === 1, store.id];
    const headers = isGuest ? {} : asCustomer;
    await read('readStoreQueue', `/queue/stores/${store_id}`, dueAt);
    const party = { store_id, ...(isGuest ? { guest_name: 'Dee' } : {}) };
    const { entry_id } = JSON.parse((await change('joinQueue', 'POST', '/queue/join', headers, party)).body) as { entry_id: string };
    if (count % every.leave === 0) return void (await change('leaveQueue', 'POST', '/queue/leave', headers, { entry_id }));
    await serve(
      ['listQueueEntries', `/queue/entries?store_id=${store_id}`],
      ['call', 'assign', null, 'complete'],
      (to) => change(`${to}QueueEntry`, 'POST', `/queue/entries/${entry_id}/${to}`, asOwner, { store_id }),
      { operation: 'queueStatus', path: `/queue/status?entry_id=${entry_id}`, headers, live: !isGuest, shows: '"completed"' },
    );
  },

  async account({ store, asCustomer, get, change }, count, dueAt) {
    await get('listMyOrders', '/orders/mine', asCustomer, dueAt);
    await get('readCardHistory', `/loyalty/mine/${store.id}/history`, asCustomer);
    await get('listPreferences', '/notifications/preferences', asCustomer);
    const preferences = { storeId: store.id, stampEventsEnabled: count % 2 === 0 };
    await change('upsertPreferences', 'POST', '/notifications/preferences', asCustomer, preferences);
  },

  async owner({ store, asOwner, get, change }, count, dueAt) {
    const day = new Date().toISOString().slice(0, 10);
    await get('readReport', `/orders/reports?store_id=${store.id}&from=${day}&to=${day}`, asOwner, dueAt);
    const switched = `/orders/stores/${store.id}/menu/${menu.scarce[0]}`;
    for (const sold_out of ['until_changed', 'no']) await change('switchMenuItem', 'PATCH', switched, asOwner, { sold_out });
    const items = [{ id: menu.scarce[3], price_pence: 200 + (count % 100) }];
    await change('changeMenu', 'PATCH', `/directory/stores/${store.id}/menu`, asOwner, { items });
  },
};
