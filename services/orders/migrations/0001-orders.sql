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
  last_order_number bigint not null default 1000,
  -- Switches of the moment, which staff set during the day, and which end by themselves: the reader compares the time. No snapshot changes
  -- them. `switches` counts their changes: an order is placed only at the count at which it was checked.
  switches bigint not null default 0,
  staff_pause boolean not null default false,
  -- Null for a pause that lasts until staff end it.
  staff_pause_until timestamptz,
  staff_pause_by_id text,
  staff_pause_by_name text,
  staff_pause_at timestamptz,
  -- Orders that no one ends end by themselves: what the store does not accept, and what is ready and not collected.
  accept_within_minutes integer,
  uncollected_after_hours integer not null default 4,
  -- The most that staff below a manager refund of one order, in minor units. Null for no limit.
  staff_refund_limit_pence integer,
  -- The newest row of seller; null until a snapshot brings one.
  seller_version bigint,
  -- Whether customers of the store may pay by methods that a bank confirms days later.
  delayed_payment_methods boolean not null default false,
  -- Whether the store is in the list of stores only while its account accepts orders: see listing in the snapshot.
  listed_with_account boolean not null default false
);
create index store_by_code on store (upper(code));
create index store_by_account on store (connected_account_id) where connected_account_id is not null;

create table menu (
  store_id uuid primary key,
  version bigint not null
);

-- Items, and choices of their options, such as oat milk: the stock and the mark of a choice are held and switched as an item's are.
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
  -- Whether staff marked it as sold out.
  sold_out boolean not null default false,
  -- Null for a mark that lasts until staff change it.
  sold_out_until timestamptz,
  -- Whether staff set what is left. Then `stock` follows them, and `directory_stock` keeps what the directory says meanwhile.
  left_by_staff boolean not null default false,
  directory_stock integer,
  switched_by_id text,
  switched_by_name text,
  switched_at timestamptz,
  -- Its place in the menu. 0 leaves the order to the names.
  position integer not null default 0,
  kind text not null default 'item' check (kind in ('item', 'choice')),
  category text,
  description text,
  image_url text,
  allergens text[],
  diet text[] not null default '{}',
  options jsonb not null default '[]',
  -- The VAT by whether it is eaten in; null when it has one rate, vat_rate_bps.
  vat jsonb,
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

-- A name as it is stored for a search, and what is asked for as well: in lower case, composed, without the marks of Latin, Greek and
-- Cyrillic letters, in words. Where people write no spaces between words, as in Chinese, Japanese and Thai, each sign is a word.
create function search_text(named text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(regexp_replace(
    replace(replace(replace(translate(
      normalize(regexp_replace(lower(normalize(named, nfkd) collate "pg_c_utf8"), '[\u0300-\u036f]', '', 'g'), nfkc),
      'łøđıς', 'lodiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') collate "pg_c_utf8",
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g'),
    '[^[:alnum:]]+', ' ', 'g'))
$$;

-- The customer's name, which the staff of a store see on the customer's orders there, and how the customer can be reached. The addresses
-- themselves are not stored in this service.
create table contact (
  customer_id uuid primary key,
  version bigint not null,
  name text,
  has_push boolean not null,
  has_email boolean not null,
  -- Null for the store's.
  language text
);
create index contact_by_name on contact (lower(name collate "pg_c_utf8"));
create index contact_by_search_text on contact (search_text(name) collate "C");

-- The seller as invoices show it: a row for each of its states that the directory published. No row changes, so an order's invoice never
-- does.
create table seller (
  store_id uuid not null,
  -- That of the snapshot which brought it.
  version bigint not null,
  name text not null,
  legal_name text,
  -- Its lines, postcode, city and country.
  address jsonb,
  vat_number text,
  time_zone text not null,
  language text not null,
  primary key (store_id, version)
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
  -- The collection time that the order had before its customer moved it to an earlier slot; null for an order that never moved. The live
  -- list is sorted by it, so that an order that moves while a client pages is neither skipped nor returned twice.
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
  -- When a cancellation of the unpaid order began. It is stored before the payment intent is cancelled: if the process stops and the
  -- payment comes meanwhile, the repeated cancellation refunds it.
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
  -- Who cancelled it: its store, its customer or the service itself.
  cancelled_by text check (cancelled_by in ('store', 'customer', 'system')),
  -- When a job looks whether the order was accepted, or collected, in time. It is set when the order is paid and taken away when it ends,
  -- so that the steps between change no index. Null when it has ended.
  look_at timestamptz,
  -- When it ended because it was not collected; null once it was handed over after all.
  uncollected_at timestamptz,
  -- The seller when the order was paid; null until then.
  seller_version bigint,
  -- The provider's mode in which the intent was made: `test` moves no money. Null counts as the present one.
  payment_mode text check (payment_mode in ('test', 'live')),
  -- Keyed hash of the address that the order was placed from, while it is unpaid or, of one that costs nothing, open; else null.
  address_hash bytea,
  -- When an attempt to pay it first became known; null before.
  payment_attempted_at timestamptz,
  -- How it was placed, and whether it was sold to someone who is not known: customer_id is then the id of the main order.
  channel text not null default 'phone',
  without_customer boolean not null default false,
  -- Whether it is eaten in; null where that was not said.
  eat_in boolean,
  -- Of a sale that a till made without a connection: when, and what the menu says else by now. Null for any other order.
  offline jsonb,
  -- The key comes first, so that an operator finds an order by it alone.
  constraint one_order_for_a_key unique (idempotency_key, customer_id),
  constraint one_order_for_an_intent unique (payment_intent_id),
  constraint never_refunded_beyond_what_was_paid check (refunded_pence between 0 and total_pence)
) with (fillfactor = 70);
comment on column orders.device_hash is
  'A keyed hash of the device_fingerprint that the customer''s app sent; null without one. Nothing decides by it: operators find by it the '
  'orders of one device, for example when one device pays with many cards.';
alter table orders add constraint orders_channel_check check (channel in ('phone', 'counter', 'partner')) not valid;
-- The live queue, oldest due first.
create index orders_live on orders (store_id, (coalesce(first_collection_at, requested_collection_at, created_at)), id)
  where is_live and not fully_refunded;
-- What has ended, newest first, by keyset.
create index orders_ended on orders (store_id, created_at desc, id desc) where has_ended or fully_refunded;
create index orders_unpaid on orders (pay_until) where payment_status in ('pending_payment', 'payment_failed');
-- A customer's own orders, newest first.
create index orders_of_customer on orders (customer_id, created_at desc, id desc) where parent_order_id is null;
create index legs_of_order on orders (parent_order_id, order_number) where parent_order_id is not null;
-- A customer's first paid order at a store is the one row that says so, also of two that are paid at once.
create unique index one_first_order_of_a_customer on orders (customer_id, store_id) where is_first;
create unique index collection_code_is_unique_among_live_orders on orders (store_id, collection_code)
  where is_live and collection_code is not null;
-- What people quote to an operator.
create index orders_by_number on orders (order_number);
create index orders_by_collection_code on orders (collection_code) where collection_code is not null;
create index orders_of_device_at_store on orders (device_hash, store_id, promo_code) where device_hash is not null;
create index orders_to_look_at on orders (look_at) where look_at is not null;
-- The orders that a customer, a device and an address may have few of: see may_open_order.
create index open_orders_of_customer on orders (customer_id, store_id)
  where parent_order_id is null and (payment_status in ('pending_payment', 'payment_failed') or total_pence = 0 and is_live);
create index open_orders_of_device on orders (device_hash, store_id)
  where parent_order_id is null and device_hash is not null
    and (payment_status in ('pending_payment', 'payment_failed') or total_pence = 0 and is_live);
create index open_orders_of_address on orders (address_hash, store_id)
  where parent_order_id is null and address_hash is not null
    and (payment_status in ('pending_payment', 'payment_failed') or total_pence = 0 and is_live);
create index sales_of_counter on orders (store_id, paid_at desc) where channel = 'counter';
create index open_sales_of_counter on orders (store_id, created_at desc, id desc)
  where channel = 'counter' and payment_status = 'pending_payment' and parent_order_id is null;

create table order_line (
  order_id uuid not null references orders,
  position integer not null,
  menu_item_id text not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  unit_price_pence integer not null,
  -- The item's VAT rate when the order was placed.
  vat_rate_bps integer,
  -- How many of its units are refunded or about to be, and how many of those went back on sale.
  refunded integer not null default 0,
  restocked integer not null default 0,
  -- What was chosen, as it was when the order was placed; null for nothing. The price of one includes it.
  choices jsonb,
  note text,
  -- Of a line whose choices have other rates than its item: what each rate is of the price of one. Null when all of it has vat_rate_bps.
  vat_parts jsonb,
  primary key (order_id, position)
);
alter table order_line
  add constraint line_is_never_refunded_beyond_what_was_bought check (refunded between 0 and quantity) not valid,
  add constraint line_is_never_restocked_beyond_what_was_bought check (restocked between 0 and quantity) not valid;

-- What an order has taken and may have to give back, once.
create table hold (
  order_id uuid not null references orders,
  kind text not null check (kind in ('stock', 'slot', 'promo')),
  ref text not null,
  quantity integer not null check (quantity > 0),
  state text not null default 'held' check (state in ('held', 'committed', 'released')),
  -- The store, where the customer had paid no order before this one was placed and it is to be paid; else null.
  unproven_store_id uuid,
  primary key (order_id, kind, ref)
);
-- Who has used a promo code, under the promo's lock.
create index hold_of_promo on hold (ref, order_id) where kind = 'promo' and state <> 'released';
-- What the unpaid orders of customers who have paid nothing before hold together: see unproven_may_hold.
create index hold_of_unproven on hold (unproven_store_id, ref) include (kind, quantity)
  where state = 'held' and unproven_store_id is not null;

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
  amount_pence integer,
  -- The id in the token of who did it. Null for what the service did.
  actor_id text
);
create index log_of_order on log_entry (order_id, at desc, id desc);

-- Every change of a store's switches, and what was done with its cash drawer, by whom.
create table store_log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  at timestamptz not null,
  kind text not null,
  by_id text not null,
  by_name text,
  -- The item and its name at that time. Null for the pause and the drawer.
  menu_item_id text,
  item_name text,
  -- When the pause or the mark ends. Null for one that lasts until staff change it.
  until timestamptz,
  units_left integer,
  -- What the drawer was opened with, what was taken out of it, or what was counted in it and how that differed.
  amount_pence integer,
  difference_pence integer
);
alter table store_log_entry add constraint store_log_entry_kind_check check (kind in (
  'paused', 'resumed', 'marked_sold_out', 'mark_ended', 'left_set', 'left_unset',
  'drawer_opened', 'cash_paid_out', 'drawer_closed')) not valid;
create index log_of_store on store_log_entry (store_id, at desc, id desc);

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
  -- What the payment provider keeps of a charge, in minor units of the order's currency; null until its balance says so.
  provider_fee_pence integer,
  -- What a charge was paid with, or what a refund gave back, when it is not the payment provider's money: then null. A till has given cash,
  -- the reference of a card reader, and the person who took it.
  tender text,
  given_pence integer,
  reference text,
  by_id text,
  -- The drawer that cash came into or went out of; null where none was open, and for any other tender.
  drawer_id uuid,
  constraint money_moves_once unique (kind, provider_ref)
);
alter table ledger add constraint ledger_tender_check check (tender in ('cash', 'external_card', 'none')) not valid;
create index ledger_of_order on ledger (order_id);
create index ledger_of_store on ledger (store_id, at);
create index ledger_by_time on ledger (at);
create index ledger_of_drawer on ledger (drawer_id) where drawer_id is not null;

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

-- A cash drawer of a store, from its opening with a float to its count. `expected_pence` is what should have been in it when it was
-- counted.
create table drawer (
  id uuid primary key,
  store_id uuid not null,
  float_pence integer not null check (float_pence >= 0),
  opened_at timestamptz not null,
  opened_by_id text not null,
  opened_by_name text,
  closed_at timestamptz,
  closed_by_id text,
  closed_by_name text,
  -- The request that closed it: a repeat finds it.
  close_key uuid,
  counted_pence integer check (counted_pence >= 0),
  expected_pence integer,
  difference_pence integer generated always as (counted_pence - expected_pence) stored,
  note text,
  constraint a_closed_drawer_is_counted check (num_nonnulls(closed_at, closed_by_id, close_key, counted_pence, expected_pence) in (0, 5))
);
create unique index one_open_drawer_of_a_store on drawer (store_id) where closed_at is null;
create index drawer_of_store on drawer (store_id, opened_at desc, id desc);

-- Cash that was taken out of a drawer for something else than change or a refund.
create table drawer_pay_out (
  id uuid primary key,
  drawer_id uuid not null references drawer (id),
  store_id uuid not null,
  amount_pence integer not null check (amount_pence > 0),
  reason text not null,
  at timestamptz not null,
  by_id text not null,
  by_name text
);
create index pay_out_of_drawer on drawer_pay_out (drawer_id, at);

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
  -- The part for which the store's transfer is reversed separately, because an earlier refund that failed had reversed only the rest; and
  -- how much of it has been reversed.
  to_reverse_pence integer not null default 0 check (to_reverse_pence >= 0),
  reversed_pence integer not null default 0 check (reversed_pence between 0 and to_reverse_pence),
  -- Whether the order's refunded_pence includes it.
  counted boolean not null default false,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- The number of its credit note, from 1 for each payment, and when it was issued: when the provider accepted the refund. Both stay when
  -- the refund fails later, and the note is void. Null for a refund that was never accepted or was of nothing.
  credit_note integer,
  credited_at timestamptz,
  constraint one_refund_for_an_attempt unique (payment_order_id, attempt)
);
create unique index one_refund_for_a_credit_note on refund (payment_order_id, credit_note);
create index refund_unsettled on refund (created_at) where status in ('pending', 'requires_action');

-- The lines that a refund is for. A refund of an amount has none.
create table refund_line (
  refund_id uuid not null references refund,
  order_id uuid not null,
  position integer not null,
  quantity integer not null check (quantity > 0),
  amount_pence integer not null check (amount_pence >= 0),
  -- Whether its units go back on sale.
  restock boolean not null,
  primary key (refund_id, position),
  foreign key (order_id, position) references order_line
);

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
  provider_id text not null,
  -- The mode in which the id was made; null counts as the present one.
  mode text check (mode in ('test', 'live'))
);

-- The accounts at the payment provider that stores name or that were opened for them, as the provider described them last.
create table connected_account (
  account_id text primary key,
  -- Whether its payments are real. An id of one mode means nothing in the other.
  mode text not null check (mode in ('test', 'live')),
  -- The store that it was opened for. Null for an account that an operator named.
  store_id uuid,
  accepts_orders boolean not null default false,
  reasons jsonb not null default '[]',
  details_submitted boolean not null default false,
  payouts_enabled boolean not null default false,
  currently_due jsonb not null default '[]',
  past_due jsonb not null default '[]',
  -- By when the requirements are to be met; null when the provider names no time.
  due_by timestamptz,
  -- When the provider was asked for this state; null until it was.
  asked_at timestamptz,
  -- When payments could go to it first, which is published; null until then.
  connected_at timestamptz,
  constraint one_account_of_a_store unique (store_id, mode)
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
  purpose text not null,
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
alter table provider_call add constraint provider_call_purpose_check check (purpose in (
  'account', 'customer', 'intent', 'ephemeral_key', 'refund', 'transfer_reversal', 'transfer')) not valid;
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

-- What the provider pays out to the banks of stores' accounts.
create table payout (
  id text primary key,
  account_id text not null,
  -- In minor units; negative when the provider takes it from the bank.
  amount_pence integer not null,
  currency text not null,
  -- As the provider names it: pending, in_transit, paid, failed or canceled.
  status text not null,
  arrives_on date not null,
  created_at timestamptz not null,
  -- Why it failed, in the provider's words; null for one that did not.
  failure text,
  -- When its transactions were read and compared with the ledger; null until then, and for one that the provider does not itemise.
  matched_at timestamptz
);
create index payout_of_account on payout (account_id, created_at desc, id desc);

-- The movements of an account's balance that a payout pays out.
create table payout_entry (
  transaction_id text primary key,
  payout_id text not null references payout,
  -- What moved: the account's payment, or the refund of one.
  source_id text,
  -- Null for what belongs to no order of the store.
  order_id uuid references orders,
  -- The change of the account's balance, after fees.
  net_pence integer not null
);
create index payout_entry_of_payout on payout_entry (payout_id);
create index payout_entry_by_source on payout_entry (source_id);
create index payout_entry_of_order on payout_entry (order_id);

-- A day of a store's money that has ended, summed once. What happens later to its orders belongs to a later day.
create table day_report (
  store_id uuid not null,
  -- A day of the store's time zone.
  day date not null,
  -- The next day begins here, also when the store's time zone has changed since.
  ends_at timestamptz not null,
  -- The sums of the day: DayFigures of src/reports/rules/figures.ts.
  figures jsonb not null,
  -- What was sold: [{name, quantity, amount_pence}].
  items jsonb not null,
  -- The tips of orders, and what refunds took back of them, oldest first: [{at, order_id, order_number, tip_pence}].
  tips jsonb not null,
  primary key (store_id, day)
);

-- What was signed of a day when it was closed: a chain of days for each store, of which each names the one before. The rows themselves stay
-- where they are; the proof has a hash of each.
create table day_statement (
  store_id uuid not null,
  day date not null,
  number integer not null check (number > 0),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  currency text not null,
  -- The payouts that are in it: those that were known by then, and in no day before. The provider changes their state later.
  payout_ids text[] not null,
  -- A JWS in compact form, of the payload DayStatement; without a signature where the platform had no key.
  proof text not null,
  primary key (store_id, day),
  constraint one_statement_for_a_number unique (store_id, number)
);

-- The kitchen printers of a store.
create table printer (
  id uuid primary key,
  store_id uuid not null,
  name text not null,
  language text not null,
  -- Keyed, so that the table does not reveal the address by which a printer reads the store's orders. Null once it is removed.
  token_hash text constraint one_printer_for_a_token unique,
  -- Who added it under which Idempotency-Key, so that a repeat finds it; null without a key and once it is removed.
  request_key text,
  created_at timestamptz not null,
  removed_at timestamptz,
  last_seen_at timestamptz,
  -- What it said of itself when it was last seen, as Star CloudPRNT writes it: 200, 410.
  status_code text,
  constraint one_printer_for_a_request unique (store_id, request_key)
);

-- What a printer prints once: an order or a leg, each further copy of it, and that it was cancelled.
create table ticket (
  id bigint generated always as identity primary key,
  printer_id uuid not null references printer,
  store_id uuid not null,
  order_id uuid not null references orders,
  kind text not null check (kind in ('order', 'cancelled')),
  -- 0 for the first print.
  copy integer not null check (copy >= 0),
  made_at timestamptz not null,
  -- It is not printed any more from here on.
  expires_at timestamptz not null,
  -- The print job under which it was offered; null without one, and once the job has ended.
  job_token text constraint one_ticket_for_a_job unique,
  sent_at timestamptz,
  printed_at timestamptz,
  -- How often the printer could not use it, and the code of the last time.
  failures integer not null default 0,
  failed_code text,
  -- Whether a cancellation of its order is still to be printed.
  watched boolean not null,
  constraint one_ticket_for_a_print unique (printer_id, order_id, kind, copy)
);
create index ticket_unprinted on ticket (printer_id, expires_at) where printed_at is null;
create index ticket_watched on ticket (printer_id) where watched;

-- Ends a statement, with all it did, by a refusal that the caller knows by its code.
create function refuse(code text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = code;
end $$;
-- Refuses as refuse(code) does, and names the row that is why.
create function refuse(code text, ref text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = code, detail = ref;
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

-- Whether the unpaid holds of customers who have paid nothing before may take `units` more of a slot's places, an item's stock or a code's
-- uses, of which `left_over` would be left: together at most `amount`, or `share` percent of what they hold and what is left. Ends the
-- statement otherwise. Volatile, so that under the lock of the slot, item or code it sees what others committed while the statement waited.
create function unproven_may_hold(at_store uuid, of_kind text, of_ref text, units bigint, left_over bigint, amount integer, share integer)
returns boolean language plpgsql volatile as $$
declare
  together bigint := units + (
    select coalesce(sum(h.quantity), 0) from hold h
    where h.unproven_store_id = at_store and h.ref = of_ref and h.kind = of_kind and h.state = 'held');
begin
  return together <= amount or together * 100 <= share * (together + left_over) or refuse('UNPROVEN_SHARE', of_kind || ' ' || of_ref);
end $$;

-- Whether a customer may have one more order that is to be paid, or that costs nothing, at a store: `most` are the limits of a customer, a
-- device and an address; one without a device or an address has no such limit. Ends the statement otherwise, by REPLACE_ORDER with the id
-- of the customer's oldest unpaid order that no one tried to pay, or by OPEN_ORDERS with whose limit it is and when the first of the orders
-- counted ends, if that is known. The condition of the index is spelt out, and the status hidden in `coalesce`, or a plan would read all
-- unpaid orders by the index of those. Volatile, so that under the lock of the store's row it sees what others committed while the
-- statement waited.
create function may_open_order(
  at_store uuid, of_customer uuid, of_device bytea, of_address bytea, is_free boolean, most integer[], at timestamptz)
returns boolean language plpgsql volatile as $$
declare
  counted record;
begin
  if is_free then
    if most[1] <= (select count(*) from orders o where o.customer_id = of_customer and o.store_id = at_store
        and o.parent_order_id is null and o.total_pence = 0 and o.is_live and o.voucher_id is null) then
      return refuse('OPEN_ORDERS', '{"of": "customer"}');
    end if;
    if of_device is not null and most[2] <= (select count(*) from orders o where o.device_hash = of_device and o.store_id = at_store
        and o.parent_order_id is null and o.total_pence = 0 and o.is_live and o.voucher_id is null) then
      return refuse('OPEN_ORDERS', '{"of": "device"}');
    end if;
    if of_address is not null and most[3] <= (select count(*) from orders o where o.address_hash = of_address and o.store_id = at_store
        and o.parent_order_id is null and o.total_pence = 0 and o.is_live and o.voucher_id is null) then
      return refuse('OPEN_ORDERS', '{"of": "address"}');
    end if;
    return true;
  end if;
  select count(*) as orders, min(o.pay_until) as ends_at,
    (array_agg(o.id order by o.created_at, o.id) filter (where o.payment_attempted_at is null and o.payment_status = 'pending_payment'))[1] as oldest
  into counted from orders o
  where o.customer_id = of_customer and o.store_id = at_store and o.parent_order_id is null
    and (o.payment_status in ('pending_payment', 'payment_failed') or o.total_pence = 0 and o.is_live)
    and coalesce(o.payment_status, '') in ('pending_payment', 'payment_failed') and o.pay_until > at;
  if counted.orders >= most[1] then
    return refuse_order('customer', counted.oldest, counted.ends_at);
  end if;
  if of_device is not null then
    select count(*) as orders, min(o.pay_until) as ends_at,
      (array_agg(o.id order by o.created_at, o.id)
        filter (where o.customer_id = of_customer and o.payment_attempted_at is null and o.payment_status = 'pending_payment'))[1] as oldest
    into counted from orders o
    where o.device_hash = of_device and o.store_id = at_store and o.parent_order_id is null
      and (o.payment_status in ('pending_payment', 'payment_failed') or o.total_pence = 0 and o.is_live)
      and coalesce(o.payment_status, '') in ('pending_payment', 'payment_failed') and o.pay_until > at;
    if counted.orders >= most[2] then
      return refuse_order('device', counted.oldest, counted.ends_at);
    end if;
  end if;
  if of_address is not null then
    select count(*) as orders, min(o.pay_until) as ends_at
    into counted from orders o
    where o.address_hash = of_address and o.store_id = at_store and o.parent_order_id is null
      and (o.payment_status in ('pending_payment', 'payment_failed') or o.total_pence = 0 and o.is_live)
      and coalesce(o.payment_status, '') in ('pending_payment', 'payment_failed') and o.pay_until > at;
    if counted.orders >= most[3] then
      return refuse_order('address', null, counted.ends_at);
    end if;
  end if;
  return true;
end $$;

-- Ends a statement by REPLACE_ORDER where an order can be replaced, else by OPEN_ORDERS.
create function refuse_order(whose text, replaceable uuid, ends_at timestamptz) returns boolean language plpgsql as $$
begin
  if replaceable is not null then
    return refuse('REPLACE_ORDER', replaceable::text);
  end if;
  return refuse('OPEN_ORDERS', jsonb_build_object('of', whose, 'ends_at', ends_at)::text);
end $$;

-- Whether another customer holds or has used a first-order code of a store with this device. Volatile, as promo_is_free_for.
create function device_used_first_order_code(at_store uuid, of_device bytea, of_customer uuid) returns boolean
language plpgsql volatile as $$
begin
  return of_device is not null and exists (
    select from orders o
      join hold h on h.order_id = o.id and h.kind = 'promo' and h.state <> 'released'
      join promo p on p.id = h.ref::uuid and p.first_order_only
    where o.device_hash = of_device and o.store_id = at_store and o.promo_code is not null and o.customer_id <> of_customer);
end $$;

-- The tenders of an order sum to its total, and no refund takes more of one than it paid. Checked when the transaction ends. Charges of the
-- provider, which are one for an order and compared with its total before, do not come here.
create function check_tenders() returns trigger
language plpgsql set search_path from current as $$
declare
  charged bigint;
  total bigint;
  overdrawn text;
begin
  select coalesce(sum(amount_pence), 0) into charged from ledger where order_id = new.order_id and kind = 'charge';
  select total_pence into total from orders where id = new.order_id;
  if charged <> total then
    raise exception 'the tenders of order % sum to %, and its total is %', new.order_id, charged, total
      using errcode = 'check_violation', constraint = 'tenders_sum_to_the_total';
  end if;
  select tender into overdrawn from ledger where order_id = new.order_id and tender is not null group by tender having sum(amount_pence) < 0;
  if overdrawn is not null then
    raise exception 'order % is refunded more by % than it was paid', new.order_id, overdrawn
      using errcode = 'check_violation', constraint = 'refunds_go_back_by_their_tender';
  end if;
  return null;
end $$;
create constraint trigger check_tenders after insert on ledger deferrable initially deferred
  for each row when (new.tender is not null) execute function check_tenders();

-- Statements are only added, for any role.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are added, never changed or removed.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger refuse_rewriting before update or delete on day_statement for each row execute function refuse_rewriting();
create trigger refuse_truncation before truncate on day_statement for each statement execute function refuse_rewriting();

-- Nothing that names an erased customer is written again: see the chassis' table erased_customer.
create trigger refuse_erased before insert on orders for each row execute function refuse_erased();
create trigger skip_erased before insert or update on contact for each row execute function skip_erased();

-- Tables that replies to polls are made of note what they change: see decision 13.
create trigger note_change after insert or update or delete on orders for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on contact for each row execute function note_change('customer');
-- Lines are inserted with their order, whose customer they are of.
create function note_line_change() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into noted_change (key) select customer_id from orders where id = new.order_id and customer_id is not null on conflict do nothing;
  return null;
end $$;
create trigger note_change after update on order_line for each row execute function note_line_change();
create trigger note_change after insert or update or delete on menu_item for each row execute function note_change('store');
create trigger note_change after insert or update or delete on slot for each row execute function note_change('store');
create trigger note_change after insert or update or delete on store_account for each row execute function note_change('shared');
create trigger note_change after insert or delete on store for each row execute function note_change('shared');
-- Each order draws a number, which no reply shows: the statement that does changes nothing else.
create trigger note_update after update on store for each row
  when (old.last_order_number = new.last_order_number) execute function note_change('shared');
