import { type BenchStore, menu } from '../system/bench-stores.ts';

export type OrderKind = 'free' | 'paid';

export function orderWrites(stores: readonly BenchStore[], kind: OrderKind): string {
  const store = `(array[${stores.map(({ id }) => `'${id}'`).join(',')}]::uuid[])[:s]`;
  return [
    `\\set s random(1, ${stores.length})`,
    '\\set c random(1, 256)',
    'begin;',
    ...(kind === 'free'
      ? [`update menu_item set taken = taken + 1 where store_id = ${store} and id = '${menu.counted}' and taken + 1 <= stock;`]
      : []),
    `update store set last_order_number = last_order_number + 1 where id = ${store};`,
    insertOrder(store, kind),
    ...line(1, kind === 'free' ? menu.counted : menu.priced, prices[kind]),
    ...line(2, menu.uncounted, 0),
    ...(kind === 'free'
      ? [`insert into hold (order_id, kind, ref, quantity, state) values (:made, 'stock', '${menu.counted}', 1, 'committed');`]
      : calls(store)),
    ...log(store, 'placed', 'The customer placed the order', 0),
    `insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
     values (${store}, :made, 'charge', gen_random_uuid()::text, ${prices[kind]}, now());`,
    ...log(store, 'paid', 'Payment was received', prices[kind]),
    insertEvent(store, kind),
    'commit;',
    '',
  ]
    .map((statement) => (statement.startsWith('\\') ? statement : statement.replace(/\s*\n\s*/g, ' ')))
    .join('\n');
}

const prices = { free: 0, paid: 250 } as const;
const customer = `md5('customer ' || :c)::uuid`;

const insertOrder = (store: string, kind: OrderKind): string =>
  `insert into orders (id, store_id, customer_id, version, order_number, order_type, prep_minutes, idempotency_key, request_fingerprint,
     payment_status, business_status, fulfilment_status, currency, subtotal_pence, total_pence, connected_account_id, is_first, pay_until,
     paid_at, accepted_at, payment_intent_id)
   values (uuidv7(), ${store}, ${customer}, 2, 'BENCH-1001', 'buy_now', 5, gen_random_uuid(), sha256('a basket'),
     'paid', 'placed', 'accepted', 'GBP', ${prices[kind]}, ${prices[kind]}, 'acct_bench', false, now() + interval '15 minutes', now(), now(),
     ${kind === 'paid' ? `'pi_' || gen_random_uuid()` : 'null'})
   returning id as made \\gset`;

const line = (position: number, item: string, price: number): string[] => [
  `insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence)
   values (:made, ${position}, '${item}', 'Item ${position}', 1, ${price});`,
];

const log = (store: string, kind: string, title: string, amount: number): string[] => [
  `insert into log_entry (store_id, order_id, at, kind, title, amount_pence) values (${store}, :made, now(), '${kind}', '${title}', ${amount});`,
];

const calls = (store: string): string[] => [
  `insert into provider_call (purpose, reference, attempt, idempotency_key, state, provider_id, created_at, ended_at)
   values ('intent', :made::text, 1, 'intent:' || :made::text, 'done', 'pi_1', now(), now());`,
  `insert into provider_event (id, type, object_id, received_at, processed_at, attempts)
   values ('evt_' || gen_random_uuid(), 'payment_intent.succeeded', 'pi_1', now(), now(), 1);`,
  `insert into idempotency_key (principal, operation, key, fingerprint, state, locked_until, status, body)
   values ('customer:' || ${customer}, 'confirmOrder', gen_random_uuid()::text, sha256(${store}::text::bytea), 'done', now(), 200,
     repeat('confirmed ', 60));`,
];

const insertEvent = (store: string, kind: OrderKind): string =>
  `insert into outbox (type, version, aggregate_id, aggregate_sequence, store_id, customer_id, data, correlation_id, traceparent)
   values ('order.paid', 1, :made, 2, ${store}, ${customer}, jsonb_build_object('order_id', :made::text, 'store_id', ${store},
     'order_number', 'BENCH-1001', 'customer_id', md5('customer ' || :c), 'paid_at', now(), 'total_pence', ${prices[kind]}, 'tip_pence', 0,
     'net_of_tip_pence', ${prices[kind]}, 'currency', 'GBP', 'voucher_id', null, 'promo_code', null, 'is_first', false, 'leg_ids', '[]'::jsonb),
     gen_random_uuid()::text, '00-' || md5(:made) || '-0123456789abcdef-00');`;
