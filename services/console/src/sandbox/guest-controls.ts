import { randomUUID } from 'node:crypto';
import { formatMoney, Problem } from '@corner/contracts';
import { z } from 'zod';
import type { CallGateway } from '../http/call-gateway.ts';
import { type Controls, confirm, store } from './controls.ts';
import type { Simulator } from './simulator.ts';

const Guest = z.object({ access_token: z.string() });
const Menu = z.object({
  store: z.object({ code: z.string(), name: z.string() }),
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      price_pence: z.number(),
      sold_out: z.boolean(),
      options: z.array(z.object({ min: z.number(), choices: z.array(z.object({ id: z.string(), sold_out: z.boolean() })) })),
    }),
  ),
});
const Placed = z.object({ payment_intent_id: z.string() });
const Paid = z.object({
  order_number: z.string(),
  total_pence: z.number(),
  currency: z.string(),
  collection_code: z.string().nullable(),
});

export const guestControls = (payments: Simulator, call: CallGateway): Controls => ({
  order: {
    title: 'Order as a guest',
    about: 'Someone without an account orders the first item of the menu to collect now, and pays with a test card.',
    group: 'customers',
    fields: [store('store', 'Store')],
    async run({ store: storeId = '' }) {
      const menu = await call(`/api/v1/orders/stores/${encodeURIComponent(storeId)}/menu`, Menu);
      const item = menu.items.find(({ sold_out, price_pence }) => !sold_out && price_pence > 0);
      if (!item) throw new Problem('VALIDATION_FAILED', { message: `${menu.store.name} has nothing to sell: put an item on its menu.` });
      const { access_token: token } = await call('/api/v1/directory/guests', Guest, { body: {} });
      const { payment_intent_id: intent } = await call('/api/v1/orders', Placed, {
        body: basket(storeId, menu.store.code, item),
        token,
      });
      await confirm(payments, intent, 'pm_card_visa');
      const paid = await call('/api/v1/orders/confirm', Paid, { body: { store_id: storeId, payment_intent_id: intent }, token });
      const code = paid.collection_code === null ? '' : `, code ${paid.collection_code}`;
      return `Order ${paid.order_number}${code}: 1 ${item.name}, ${formatMoney(paid.total_pence, paid.currency, 'en-GB')}, is paid.`;
    },
  },
});

type Item = z.output<typeof Menu>['items'][number];

const basket = (storeId: string, code: string, { id, options }: Item) => ({
  store_id: storeId,
  store_code: code,
  idempotency_key: randomUUID(),
  items: [
    {
      menu_item_id: id,
      quantity: 1,
      choices: options.flatMap(({ min, choices }) => choices.filter(({ sold_out }) => !sold_out).slice(0, min)).map((choice) => choice.id),
    },
  ],
  order_type: 'collect',
  collection_mode: 'now',
});
