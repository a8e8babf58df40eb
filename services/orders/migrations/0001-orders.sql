-- Copies of what the directory publishes: the newest version of each object is kept, whenever it arrives.
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
  disputes_borne_by text not null check (disputes_borne_by in ('store', 'platform')),
  auto_accept boolean not null,
  refund_window_days integer not null,
  hours jsonb not null,
  -- Dated exceptions to the opening hours, and a pause of all orders.
  closures jsonb not null,
  paused_until timestamptz,
  live boolean not null,
  welcome_message text,
  -- Order numbers are drawn here, one after another. No snapshot changes it.
  last_order_number bigint not null default 1000
);
create index store_by_code on store (upper(code));
create index store_by_account on store (connected_account_id) where connected_account_id is not null;

create table menu (
  store_id uuid primary key,
  version bigint not null
);

create table menu_item (
  store_id uuid not null,
  id text not null,
  name text not null,
  price_pence integer not null check (price_pence >= 0),
  -- The VAT in the price, in hundredths of a percent; null where the menu names no rate.
  vat_rate_bps integer,
  prep_minutes integer not null,
  available boolean not null,
  -- Units there are; null where they are not counted. And units that orders have taken.
  stock integer,
  taken integer not null default 0 check (taken >= 0),
  primary key (store_id, id),
  constraint stock_is_never_oversold check (stock is null or taken <= stock)
);

create table promo (
  id uuid primary key,
  store_id uuid not null,
  -- Upper case, trimmed.
  code text not null,
  label text,
  kind text not null check (kind in ('percent', 'amount')),
  value integer not null check (value > 0),
  min_subtotal_pence integer not null,
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses integer,
  max_per_customer integer,
  first_order_only boolean not null,
  active boolean not null,
  uses integer not null default 0 check (uses >= 0),
  -- Uses there were already when the limit was lowered below them.
  over_limit integer not null default 0 check (over_limit >= 0),
  constraint promo_is_never_overused check (max_uses is null or uses <= max_uses + over_limit)
);
create unique index one_live_promo_for_a_code on promo (store_id, code) where active;

create table slot_list (
  store_id uuid primary key,
  version bigint not null
);

-- Collection slots. The directory says how many places there are; orders alone says how many are used.
create table slot (
  id uuid primary key,
  store_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Null means unlimited.
  capacity integer check (capacity >= 0),
  open boolean not null,
  used integer not null default 0 check (used >= 0),
  -- Places that were used already when the capacity was lowered below them: no order loses its place.
  over_capacity integer not null default 0 check (over_capacity >= 0),
  constraint places_are_never_oversold check (capacity is null or used <= capacity + over_capacity)
);
-- The slots that contain a time are found among those that have not ended, however many have.
create index slot_by_end on slot (store_id, ends_at, starts_at);

-- The customer's name, which the staff of a store see on the customer's orders there, and how the customer can be reached. The addresses
-- themselves are not stored in this service.
create table contact (
  customer_id uuid primary key,
  version bigint not null,
  name text,
  has_push boolean not null,
  has_email boolean not null
);

create table orders (
  id uuid primary key,
  version bigint not null default 1,
  store_id uuid not null,
  customer_id uuid not null,
  -- Set for a leg of an order that is collected in parts.
  parent_order_id uuid references orders,
  order_number text not null,
  order_type text not null check (order_type in ('buy_now', 'collect')),
  collection_mode text check (collection_mode in ('now', 'scheduled')),
  fulfilment_mode text not null default 'counter' check (fulfilment_mode in ('counter', 'table')),
  table_number text,
  slot_id uuid,
  requested_collection_at timestamptz,
  -- The collection time that the order had before its customer moved it to an earlier slot; null for an order that never moved. The live list
  -- is sorted by it, so that an order that moves while a client pages is neither skipped nor returned twice.
  first_collection_at timestamptz,
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
  -- Set by a refund of the whole order, also of one that cost nothing, so that it is published once.
  fully_refunded boolean not null default false,
  application_fee_pence integer not null default 0,
  connected_account_id text not null,
  on_behalf_of boolean not null default false,
  payment_intent_id text,
  voucher_id uuid,
  promo_code text,
  promo_label text,
  disputed boolean not null default false,
  is_first boolean,
  -- What loyalty returned the first time, so that every confirm returns the same.
  award jsonb,
  pay_until timestamptz,
  -- Set while an unpaid order holds nothing, because its payment could not be prepared.
  holds_released boolean not null default false,
  -- When a cancellation of the unpaid order began. It is stored before the payment intent is cancelled: if the process stops and the payment
  -- comes meanwhile, the repeated cancellation refunds it.
  cancel_begun_at timestamptz,
  device_hash bytea,
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
  -- Whether it is among its store's live or ended orders. The indexes of both name these columns and no status: a step of an order's
  -- preparation then adds no entry to any index, as long as there is room in the row's page.
  is_live boolean not null generated always as (coalesce(paid_at is not null and business_status in ('placed', 'ready'), false)) stored,
  has_ended boolean not null generated always as (
    coalesce(business_status in ('fulfilled', 'cancelled'), false) or payment_status in ('expired', 'cancelled')) stored,
  -- The key comes first, so that an operator finds an order by it alone.
  constraint one_order_for_a_key unique (idempotency_key, customer_id),
  constraint one_order_for_an_intent unique (payment_intent_id),
  constraint never_refunded_beyond_what_was_paid check (refunded_pence between 0 and total_pence)
) with (fillfactor = 70);
comment on column orders.device_hash is
  'A keyed hash of the device_fingerprint that the customer''s app sent; null without one. Nothing decides by it: operators find by it the '
  'orders of one device, for example when one device pays with many cards.';
-- The live queue, oldest due first.
create index orders_active on orders (store_id, coalesce(first_collection_at, requested_collection_at, created_at), id) where is_live;
-- What has ended, newest first, by keyset.
create index orders_history on orders (store_id, created_at desc, id desc) where has_ended;
create index orders_unpaid on orders (pay_until) where payment_status in ('pending_payment', 'payment_failed');
-- A customer's own orders, newest first.
create index orders_of_customer on orders (customer_id, created_at desc, id desc) where parent_order_id is null;
create index legs_of_order on orders (parent_order_id, order_number) where parent_order_id is not null;
-- A customer's first paid order at a store is the one row that says so, also of two that are paid at once.
create unique index one_first_order_of_a_customer on orders (customer_id, store_id) where is_first;
create unique index collection_code_is_unique_among_live_orders on orders (store_id, collection_code) where is_live and collection_code is not null;
-- What people quote to an operator.
create index orders_by_number on orders (order_number);
create index orders_by_collection_code on orders (collection_code) where collection_code is not null;
create index orders_of_device on orders (device_hash) where device_hash is not null;

create table order_line (
  order_id uuid not null references orders,
  position integer not null,
  menu_item_id text not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  unit_price_pence integer not null,
  -- The item's VAT rate when the order was placed.
  vat_rate_bps integer,
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
-- Who has used a promo code, under the promo's lock.
create index hold_of_promo on hold (ref, order_id) where kind = 'promo' and state <> 'released';

-- The last delay notice of an order: what it said, when the customer was last notified, and whether a later notice is still to be sent.
create table delay_notice (
  order_id uuid primary key references orders,
  store_id uuid not null,
  request text not null,
  note text,
  notified_at timestamptz not null,
  pending boolean not null default false
);
create index delay_notice_pending on delay_notice (notified_at) where pending;

-- Who did what, when and why. Rows are only added.
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

-- Money as it moved. A charge is positive, a refund negative; each of the provider's ids counts once.
create table ledger (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  order_id uuid not null references orders,
  kind text not null check (
    kind in ('charge', 'refund', 'refund_failed', 'dispute', 'dispute_returned', 'dispute_fee', 'transfer_reversal', 'transfer')),
  provider_ref text not null,
  amount_pence integer not null,
  -- Null for the order's own currency. The provider may withdraw a dispute and its fee in another one.
  currency text,
  at timestamptz not null,
  constraint money_moves_once unique (kind, provider_ref)
);
create index ledger_of_order on ledger (order_id);
create index ledger_of_store on ledger (store_id, at);
create index ledger_by_time on ledger (at);

-- Differences between the ledger and the movements of the balance that the payment provider reports.
create table ledger_difference (
  kind text not null,
  provider_ref text not null,
  store_id uuid not null,
  order_id uuid not null references orders,
  -- The amount on each side; null where that side has no movement.
  provider_pence integer,
  ledger_pence integer,
  currency text not null,
  found_at timestamptz not null,
  -- Set when both sides agree, or by an operator who has explained it.
  explained_at timestamptz,
  primary key (kind, provider_ref)
);
create index ledger_difference_open on ledger_difference (found_at) where explained_at is null;
create index ledger_difference_of_order on ledger_difference (order_id);

create table refund (
  id uuid primary key,
  store_id uuid not null,
  -- The order that the money was paid on, and the one (itself, or a leg) that the refund is for.
  payment_order_id uuid not null references orders,
  order_id uuid not null references orders,
  attempt text not null,
  -- The amount that was asked for; null for all that remained.
  requested_pence integer check (requested_pence > 0),
  amount_pence integer not null check (amount_pence >= 0),
  reason text not null,
  by_id text not null,
  by_name text,
  status text not null check (status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'rejected')),
  provider_refund_id text unique,
  -- Who bears it: 'store', whose transfer the provider reverses with it; 'reversed' already, by an earlier refund that came back while its
  -- reversal stayed; or the 'platform', where the store cannot and the platform has agreed to.
  borne_by text not null check (borne_by in ('store', 'reversed', 'platform')),
  -- The part for which the store's transfer is reversed separately, because an earlier refund that failed had reversed only the rest; and how
  -- much of it has been reversed.
  to_reverse_pence integer not null default 0 check (to_reverse_pence >= 0),
  reversed_pence integer not null default 0 check (reversed_pence between 0 and to_reverse_pence),
  -- Whether the order's refunded_pence includes it.
  counted boolean not null default false,
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint one_refund_for_an_attempt unique (payment_order_id, attempt)
);
create index refund_unsettled on refund (created_at) where status in ('pending', 'requires_action');

-- Disputes of payments, by the provider's id. A bank's inquiry is not a dispute.
create table dispute (
  id text primary key,
  store_id uuid not null,
  order_id uuid not null references orders,
  state text not null check (state in ('opened', 'won', 'lost')),
  -- When the provider was asked for this state: the answer to an earlier question, which arrives later, changes nothing.
  asked_at timestamptz not null,
  reason text,
  amount_pence integer not null check (amount_pence >= 0),
  currency text not null,
  evidence_due_by timestamptz,
  -- Whether the bank still waits for evidence.
  awaits_evidence boolean not null,
  -- Who bears it, as the store's directory entry said when the dispute was first seen.
  borne_by text not null check (borne_by in ('store', 'platform')),
  first_seen_at timestamptz not null,
  -- The part of the store's transfer that is taken back; null until that is decided, 0 for nothing.
  share_pence integer check (share_pence >= 0),
  reversal_id text unique,
  -- The transfer that paid the share again after the dispute was won.
  repayment_id text unique,
  -- When to move the share next; null while nothing is to be moved.
  share_due_at timestamptz,
  share_failures integer not null default 0
);
create index dispute_of_order on dispute (order_id);
create index dispute_share_due on dispute (share_due_at) where share_due_at is not null;
create index dispute_open on dispute (evidence_due_by) where state = 'opened';

-- The customer's id at the payment provider: one for each customer, on the platform's account.
create table payment_customer (
  customer_id uuid primary key,
  provider_id text not null
);

-- The state of each store's account at the payment provider, as last looked at. A store without a row was never looked at.
create table store_account (
  store_id uuid primary key,
  account_id text not null,
  accepts_orders boolean not null,
  reasons jsonb not null,
  version bigint not null,
  -- When the provider was asked for this state: the answer to an earlier question, which arrives later, changes nothing.
  asked_at timestamptz not null,
  -- Since when the store accepts no orders; null while it does.
  restricted_since timestamptz,
  -- When refused orders were last published, and the time of the newest one that was counted.
  refusals_reported_at timestamptz,
  refusals_counted_to timestamptz
);

-- What the payment provider was asked to create: one row for each attempt, written before the provider is called.
create table provider_call (
  purpose text not null check (purpose in ('customer', 'intent', 'ephemeral_key', 'refund', 'transfer_reversal', 'transfer')),
  -- What it is for: the id of a customer, an order, a refund, or another thing of this service.
  reference text not null,
  attempt integer not null check (attempt > 0),
  idempotency_key text not null,
  -- 'refused': the provider declined it and nothing happened. 'failed': it responded with an error that it may keep under the key.
  state text not null check (state in ('requested', 'done', 'refused', 'failed')),
  -- The id of what the provider created.
  provider_id text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When to look for something that the provider created although it did not say so; null for never.
  look_at timestamptz,
  primary key (purpose, reference, attempt),
  constraint one_call_for_a_key unique (idempotency_key)
);
create index provider_call_to_look_at on provider_call (look_at) where look_at is not null;

-- The provider's events, stored before they are acknowledged and processed from here.
create table provider_event (
  id text primary key,
  type text not null,
  object_id text not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  attempts integer not null default 0
);
create index provider_event_open on provider_event (received_at) where processed_at is null;

-- How far each list of the payment provider has been read: its events, those that it listed late, and the movements of the balance.
create table provider_cursor (
  name text primary key,
  read_until timestamptz not null
);

-- Ends a statement, with all it did, by a refusal that the caller knows by its code.
create function refuse(code text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = code;
end $$;

-- Whether a customer may use a promo code once more. Volatile, so that under the promo's lock it sees what others committed while the
-- statement waited for it.
create function promo_is_free_for(wanted uuid, customer uuid) returns boolean language plpgsql volatile as $$
begin
  return (
    select case when p.first_order_only then 1 else p.max_per_customer end is null
      or (select count(*) from hold h join orders o on o.id = h.order_id
          where h.kind = 'promo' and h.ref = wanted::text and h.state <> 'released' and o.customer_id = customer)
         < case when p.first_order_only then 1 else p.max_per_customer end
    from promo p where p.id = wanted
  );
end $$;
