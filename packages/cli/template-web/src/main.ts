import { type components, createClient, isErrorOf, type operations } from '@corner/client';
import { guestToken } from './guest.js';
import { payWithTestCard, testCards } from './sandbox.js';

interface Settings {
  readonly gateway: string;
  /** The payment simulator; null where payments go to Stripe. */
  readonly payments: string | null;
  readonly storeCode: string;
}

const settings = (await (await fetch('/settings.json')).json()) as Settings;
const { gateway: baseUrl, storeCode: code } = settings;
/** Reads the store and its menu, which are public. */
const anyone = createClient({ baseUrl });
/** Places and pays: the first call makes a guest. Retries carry the same key, so that none places a second order. */
const customer = createClient({ baseUrl, token: guestToken(baseUrl) });

/** The menu; a press on an item orders one of it. */
async function showMenu(): Promise<void> {
  const [store] = (await anyone.GET('/api/v1/orders/stores', { params: { query: { code } } })).data.stores;
  if (!store) return show(`There is no shop ${code}.`);
  const params = { path: { store_id: store.id } };
  const { items } = (await anyone.GET('/api/v1/orders/stores/{store_id}/menu', { params })).data;
  const offered = items.filter(({ sold_out, options }) => !sold_out && options.every(({ min }) => min === 0));
  show(
    store.name,
    ...offered.map(({ id, name, price_pence }) =>
      button(`${name} ${amount(price_pence, store.currency)}`, async () => {
        const items = [{ menu_item_id: id, quantity: 1 }];
        const body = { store_id: store.id, store_code: code, items, order_type: 'collect', collection_mode: 'now' } as const;
        const { data } = await customer.POST('/api/v1/orders', { body }).catch((error: unknown) => {
          // The compiler knows with which codes this operation may fail.
          if (isErrorOf(error, 'createOrder') && error.code === 'OUT_OF_STOCK') throw new Error(`${name} has just sold out.`);
          throw error;
        });
        if (data.requires_payment) showPayment(data, store.id);
        else await goTo(data.order_id);
      }),
    ),
  );
}

type Placed = operations['createOrder']['responses'][200]['content']['application/json'];

/** The payment: by the provider first, then Corner is asked to look there. */
function showPayment({ order_id, amount_pence, currency, payment_intent_id, client_secret }: Placed, store_id: string): void {
  const { payments } = settings;
  if (payments === null || payment_intent_id === null || client_secret === null) {
    show('Show Stripe’s payment sheet here.');
    return;
  }
  show(
    `To pay: ${amount(amount_pence, currency)}`,
    ...Object.entries(testCards).map(([label, card]) =>
      button(label, async () => {
        const paid = await payWithTestCard(payments, payment_intent_id, client_secret, card);
        if (!paid) throw new Error('The card was declined: try another.');
        await customer.POST('/api/v1/orders/confirm', { body: { store_id, payment_intent_id } });
        await goTo(order_id);
      }),
    ),
  );
}

async function goTo(id: string): Promise<void> {
  history.pushState(null, '', `?order=${id}`);
  await showOrder(id);
}

/** Shows the order, and again each time it changes. `follow` reconnects after a lost connection. */
async function showOrder(id: string): Promise<void> {
  for await (const { order } of customer.follow('/api/v1/orders/{orderId}/mine', { params: { path: { orderId: id } } })) {
    show(`Order ${order.order_number}: ${stateOf(order)}`, `Say ${order.collection_code ?? 'your number'} at the counter.`);
    if (order.fulfilment_status === 'collected') return;
  }
}

const stateOf = ({ status, fulfilment_status }: components['schemas']['CustomerOrder']): string => fulfilment_status ?? status ?? '';

const amount = (pence: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(pence / 100);

function show(title: string, ...parts: readonly (string | HTMLElement)[]): void {
  const heading = document.createElement('h1');
  heading.textContent = title;
  document.querySelector('main')?.replaceChildren(heading, ...parts);
}

/** A button that works once at a time, and says under it why it did not. */
function button(label: string, press: () => Promise<void>): HTMLElement {
  const element = document.createElement('button');
  element.textContent = label;
  element.onclick = async () => {
    element.disabled = true;
    await press().catch((error: unknown) => element.after(error instanceof Error ? error.message : String(error)));
    element.disabled = false;
  };
  return element;
}

// The address says what is shown, so that a reload and the back button work.
const orderId = new URLSearchParams(location.search).get('order');
await (orderId === null ? showMenu() : showOrder(orderId)).catch((error: unknown) => show(`It did not work: ${error}`));
