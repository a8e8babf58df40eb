-- What the directory says, as far as orders go. Of each thing the newest version is kept.
create table store (
  id uuid primary key,
  version bigint not null,
  code text not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  connected_account_id text,
  fee_bps integer not null,
  on_behalf_of boolean not null,
  platform_covers_refunds boolean not null,
  auto_accept boolean not null,
  refund_window_days integer not null,
  hours jsonb not null,
  live boolean not null,
  welcome_message text,
  -- Order numbers are drawn here, one after another.
  last_order_number bigint not null default 1000
);

create table menu (
  store_id uuid primary key,
  version bigint not null
);

create table menu_item (
  store_id uuid not null,
  id text not null,
  name text not null,
  price_pence integer not null check (price_pence >= 0),
  prep_minutes integer not null,
  available boolean not null,
  -- Units there are, null is not counted; and units orders have taken.
  stock integer,
  taken integer not null default 0 check (taken >= 0),
  primary key (store_id, id),
  constraint stock_is_never_oversold check (stock is null or taken <= stock)
);

create table orders (
  id uuid primary key,
  version bigint not null default 1,
  store_id uuid not null,
  customer_id uuid not null,
  parent_order_id uuid references orders,
  order_number text not null,
  order_type text not null check (order_type in ('buy_now', 'collect')),
  collection_mode text check (collection_mode in ('now', 'scheduled')),
  fulfilment_mode text not null default 'counter' check (fulfilment_mode in ('counter', 'table')),
  table_number text,
  slot_id uuid,
  requested_collection_at timestamptz,
  revised_ready_at timestamptz,
  prep_minutes integer not null,
  collection_code text,
  idempotency_key uuid,
  request_fingerprint bytea,
  payment_status text not null check (payment_status in ('pending_payment', 'payment_failed', 'paid', 'cancelled', 'expired')),
  business_status text check (business_status in ('placed', 'ready', 'fulfilled', 'cancelled')),
  fulfilment_status text check (fulfilment_status in ('accepted', 'preparing', 'ready', 'collected', 'cancelled')),
  currency text not null,
  subtotal_pence integer not null check (subtotal_pence >= 0),
  promo_discount_pence integer not null default 0 check (promo_discount_pence >= 0),
  voucher_discount_pence integer not null default 0 check (voucher_discount_pence >= 0),
  tip_pence integer not null default 0 check (tip_pence >= 0),
  total_pence integer not null check (total_pence >= 0),
  refunded_pence integer not null default 0,
  application_fee_pence integer not null default 0,
  connected_account_id text not null,
  on_behalf_of boolean not null default false,
  payment_intent_id text,
  voucher_id uuid,
  promo_code text,
  promo_label text,
  disputed boolean not null default false,
  is_first boolean,
  -- What loyalty answered the first time, so that every confirm answers the same.
  award jsonb,
  pay_until timestamptz,
  -- Where the order's trace began: what happens to it without a caller goes on there.
  traceparent text,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  accepted_at timestamptz,
  preparing_at timestamptz,
  ready_at timestamptz,
  collected_at timestamptz,
  fulfilled_at timestamptz,
  cancelled_at timestamptz,
  constraint one_order_for_a_key unique (customer_id, idempotency_key),
  constraint one_order_for_an_intent unique (payment_intent_id),
  constraint never_refunded_beyond_what_was_paid check (refunded_pence between 0 and total_pence)
);
-- The live queue, oldest due first.
create index orders_active on orders (store_id, coalesce(requested_collection_at, created_at), id)
  where paid_at is not null and business_status in ('placed', 'ready');
-- What has ended, newest first, by keyset.
create index orders_history on orders (store_id, created_at desc, id desc)
  where business_status in ('fulfilled', 'cancelled') or payment_status in ('expired', 'cancelled');
create index orders_unpaid on orders (pay_until) where payment_status in ('pending_payment', 'payment_failed');
create index orders_of_customer on orders (customer_id, store_id) where paid_at is not null;
create unique index collection_code_tells_live_orders_apart on orders (store_id, collection_code) where business_status in ('placed', 'ready');

create table order_line (
  order_id uuid not null references orders,
  position integer not null,
  menu_item_id text not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  unit_price_pence integer not null,
  primary key (order_id, position)
);

-- What an order has taken and may have to give back, once.
create table hold (
  order_id uuid not null references orders,
  kind text not null check (kind in ('stock', 'slot', 'promo')),
  ref text not null,
  quantity integer not null check (quantity > 0),
  state text not null default 'held' check (state in ('held', 'committed', 'released')),
  primary key (order_id, kind, ref)
);

-- Money as it moved. A charge is positive, a refund negative; each of the provider's ids counts once.
create table ledger (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  order_id uuid not null references orders,
  kind text not null check (kind in ('charge', 'refund', 'refund_failed')),
  provider_ref text not null,
  amount_pence integer not null,
  at timestamptz not null,
  constraint money_moves_once unique (kind, provider_ref)
);
create index ledger_of_order on ledger (order_id);

create table refund (
  id uuid primary key,
  store_id uuid not null,
  -- The order the money was paid on, and the one (itself, or a leg) the refund is for.
  payment_order_id uuid not null references orders,
  order_id uuid not null references orders,
  attempt text not null,
  amount_pence integer not null check (amount_pence >= 0),
  reason text not null,
  by_id text not null,
  by_name text,
  status text not null check (status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected')),
  provider_refund_id text unique,
  told boolean not null default false,
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint one_refund_for_an_attempt unique (payment_order_id, attempt)
);
create index refund_unsettled on refund (created_at) where status in ('pending', 'requires_action');

-- Who did what, when and why; appended only.
create table log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  order_id uuid not null references orders,
  at timestamptz not null,
  kind text not null,
  title text not null,
  detail text,
  actor text,
  amount_pence integer
);
create index log_of_order on log_entry (order_id, at desc, id desc);

-- The provider's events, recorded before they are answered and worked from here.
create table provider_event (
  id text primary key,
  type text not null,
  object_id text not null,
  received_at timestamptz not null,
  worked_at timestamptz,
  attempts integer not null default 0
);
create index provider_event_open on provider_event (received_at) where worked_at is null;

-- A customer's name at the provider: one each, on the platform's account.
create table payment_customer (
  customer_id uuid primary key,
  provider_id text not null
);

-- Ends a statement, with all it did, by a refusal that the caller knows by its code.
create function refuse(code text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = code;
end $$;
