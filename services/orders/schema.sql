-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.

CREATE OR REPLACE FUNCTION check_open_parts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO current_schema
AS $function$
begin
  if exists (select from part_payment p where p.order_id = new.id and p.returned_at is null) then
    raise exception 'order % has parts that are neither charges nor given back', new.id
      using errcode = 'check_violation', constraint = 'parts_end_with_their_sale';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION check_parts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO current_schema
AS $function$
begin
  if (select sum(p.amount_pence) >= (select o.total_pence from orders o where o.id = new.order_id)
      from part_payment p where p.order_id = new.order_id and p.returned_at is null) then
    raise exception 'the parts of order % reach its total', new.order_id
      using errcode = 'check_violation', constraint = 'parts_stay_below_the_total';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION check_tenders()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO current_schema
AS $function$
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
end $function$;

create table connected_account (
  account_id text not null,
  mode text not null,
  store_id uuid,
  accepts_orders boolean default false not null,
  reasons jsonb default '[]'::jsonb not null,
  details_submitted boolean default false not null,
  payouts_enabled boolean default false not null,
  currently_due jsonb default '[]'::jsonb not null,
  past_due jsonb default '[]'::jsonb not null,
  due_by timestamp with time zone,
  asked_at timestamp with time zone,
  connected_at timestamp with time zone,
  constraint connected_account_pkey PRIMARY KEY (account_id),
  constraint one_account_of_a_store UNIQUE (store_id, mode),
  constraint connected_account_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table contact (
  customer_id uuid not null,
  version bigint not null,
  name text,
  has_push boolean not null,
  has_email boolean not null,
  language text,
  constraint contact_pkey PRIMARY KEY (customer_id)
);
CREATE INDEX contact_by_name ON contact USING btree (lower((name COLLATE pg_c_utf8)));
CREATE INDEX contact_by_search_text ON contact USING btree (search_text(name) COLLATE "C");

create table day_report (
  store_id uuid not null,
  day date not null,
  ends_at timestamp with time zone not null,
  figures jsonb not null,
  items jsonb not null,
  tips jsonb not null,
  constraint day_report_pkey PRIMARY KEY (store_id, day)
);

create table day_statement (
  store_id uuid not null,
  day date not null,
  number integer not null,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  currency text not null,
  payout_ids text[] not null,
  proof text not null,
  constraint day_statement_pkey PRIMARY KEY (store_id, day),
  constraint one_statement_for_a_number UNIQUE (store_id, number),
  constraint day_statement_number_check CHECK ((number > 0))
);

create table delay_notice (
  order_id uuid not null,
  store_id uuid not null,
  request text not null,
  note text,
  notified_at timestamp with time zone not null,
  pending boolean default false not null,
  constraint delay_notice_pkey PRIMARY KEY (order_id),
  constraint delay_notice_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX delay_notice_pending ON delay_notice USING btree (notified_at) WHERE pending;

CREATE OR REPLACE FUNCTION device_used_first_order_code(at_store uuid, of_device bytea, of_customer uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return of_device is not null and exists (
    select from orders o
      join hold h on h.order_id = o.id and h.kind = 'promo' and h.state <> 'released'
      join promo p on p.id = h.ref::uuid and p.first_order_only
    where o.device_hash = of_device and o.store_id = at_store and o.promo_code is not null and o.customer_id <> of_customer);
end $function$;

create table dispute (
  id text not null,
  store_id uuid not null,
  order_id uuid not null,
  state text not null,
  asked_at timestamp with time zone not null,
  reason text,
  amount_pence integer not null,
  currency text not null,
  evidence_due_by timestamp with time zone,
  awaits_evidence boolean not null,
  borne_by text not null,
  first_seen_at timestamp with time zone not null,
  share_pence integer,
  reversal_id text,
  repayment_id text,
  share_due_at timestamp with time zone,
  share_failures integer default 0 not null,
  constraint dispute_pkey PRIMARY KEY (id),
  constraint dispute_repayment_id_key UNIQUE (repayment_id),
  constraint dispute_reversal_id_key UNIQUE (reversal_id),
  constraint dispute_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint dispute_amount_pence_check CHECK ((amount_pence >= 0)),
  constraint dispute_borne_by_check CHECK ((borne_by = ANY (ARRAY['store'::text, 'platform'::text]))),
  constraint dispute_share_pence_check CHECK ((share_pence >= 0)),
  constraint dispute_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX dispute_of_order ON dispute USING btree (order_id);
CREATE INDEX dispute_open ON dispute USING btree (evidence_due_by) WHERE (state = 'opened'::text);
CREATE INDEX dispute_share_due ON dispute USING btree (share_due_at) WHERE (share_due_at IS NOT NULL);

create table drawer (
  id uuid not null,
  store_id uuid not null,
  float_pence integer not null,
  opened_at timestamp with time zone not null,
  opened_by_id text not null,
  opened_by_name text,
  closed_at timestamp with time zone,
  closed_by_id text,
  closed_by_name text,
  close_key uuid,
  counted_pence integer,
  expected_pence integer,
  difference_pence integer generated always as ((counted_pence - expected_pence)) stored,
  note text,
  constraint drawer_pkey PRIMARY KEY (id),
  constraint a_closed_drawer_is_counted CHECK ((num_nonnulls(closed_at, closed_by_id, close_key, counted_pence, expected_pence) = ANY (ARRAY[0, 5]))),
  constraint drawer_counted_pence_check CHECK ((counted_pence >= 0)),
  constraint drawer_float_pence_check CHECK ((float_pence >= 0))
);
CREATE INDEX drawer_of_store ON drawer USING btree (store_id, opened_at DESC, id DESC);
CREATE UNIQUE INDEX one_open_drawer_of_a_store ON drawer USING btree (store_id) WHERE (closed_at IS NULL);

create table drawer_pay_out (
  id uuid not null,
  drawer_id uuid not null,
  store_id uuid not null,
  amount_pence integer not null,
  reason text not null,
  at timestamp with time zone not null,
  by_id text not null,
  by_name text,
  constraint drawer_pay_out_pkey PRIMARY KEY (id),
  constraint drawer_pay_out_drawer_id_fkey FOREIGN KEY (drawer_id) REFERENCES drawer(id),
  constraint drawer_pay_out_amount_pence_check CHECK ((amount_pence > 0))
);
CREATE INDEX pay_out_of_drawer ON drawer_pay_out USING btree (drawer_id, at);

create table hold (
  order_id uuid not null,
  kind text not null,
  ref text not null,
  quantity integer not null,
  state text default 'held'::text not null,
  unproven_store_id uuid,
  constraint hold_pkey PRIMARY KEY (order_id, kind, ref),
  constraint hold_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint hold_kind_check CHECK ((kind = ANY (ARRAY['stock'::text, 'slot'::text, 'promo'::text, 'pace'::text]))) NOT VALID,
  constraint hold_quantity_check CHECK ((quantity > 0)),
  constraint hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'committed'::text, 'released'::text])))
);
CREATE INDEX hold_of_promo ON hold USING btree (ref, order_id) WHERE ((kind = 'promo'::text) AND (state <> 'released'::text));
CREATE INDEX hold_of_unproven ON hold USING btree (unproven_store_id, ref) INCLUDE (kind, quantity) WHERE ((state = 'held'::text) AND (unproven_store_id IS NOT NULL));

create table ledger (
  id bigint generated always as identity not null,
  store_id uuid not null,
  order_id uuid not null,
  kind text not null,
  provider_ref text not null,
  amount_pence integer not null,
  currency text,
  at timestamp with time zone not null,
  provider_fee_pence integer,
  tender text,
  given_pence integer,
  reference text,
  by_id text,
  drawer_id uuid,
  constraint ledger_pkey PRIMARY KEY (id),
  constraint money_moves_once UNIQUE (kind, provider_ref),
  constraint ledger_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint ledger_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'refund_failed'::text, 'dispute'::text, 'dispute_returned'::text, 'dispute_fee'::text, 'transfer_reversal'::text, 'transfer'::text]))),
  constraint ledger_tender_check CHECK ((tender = ANY (ARRAY['cash'::text, 'external_card'::text, 'none'::text]))) NOT VALID,
  constraint check_tenders TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX ledger_by_time ON ledger USING btree (at);
CREATE INDEX ledger_of_drawer ON ledger USING btree (drawer_id) WHERE (drawer_id IS NOT NULL);
CREATE INDEX ledger_of_order ON ledger USING btree (order_id);
CREATE INDEX ledger_of_store ON ledger USING btree (store_id, at);

create table ledger_difference (
  kind text not null,
  provider_ref text not null,
  store_id uuid not null,
  order_id uuid not null,
  provider_pence integer,
  ledger_pence integer,
  currency text not null,
  found_at timestamp with time zone not null,
  explained_at timestamp with time zone,
  constraint ledger_difference_pkey PRIMARY KEY (kind, provider_ref),
  constraint ledger_difference_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX ledger_difference_of_order ON ledger_difference USING btree (order_id);
CREATE INDEX ledger_difference_open ON ledger_difference USING btree (found_at) WHERE (explained_at IS NULL);

create table log_entry (
  id bigint generated always as identity not null,
  store_id uuid not null,
  order_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  title text not null,
  detail text,
  actor text,
  amount_pence integer,
  actor_id text,
  constraint log_entry_pkey PRIMARY KEY (id),
  constraint log_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX log_of_order ON log_entry USING btree (order_id, at DESC, id DESC);

CREATE OR REPLACE FUNCTION may_open_order(at_store uuid, of_customer uuid, of_device bytea, of_address bytea, is_free boolean, most integer[], at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;

create table menu (
  store_id uuid not null,
  version bigint not null,
  constraint menu_pkey PRIMARY KEY (store_id)
);

create table menu_item (
  store_id uuid not null,
  id text not null,
  name text not null,
  price_pence integer not null,
  vat_rate_bps integer,
  prep_minutes integer not null,
  available boolean not null,
  stock integer,
  taken integer default 0 not null,
  sold_out boolean default false not null,
  sold_out_until timestamp with time zone,
  left_by_staff boolean default false not null,
  directory_stock integer,
  switched_by_id text,
  switched_by_name text,
  switched_at timestamp with time zone,
  position integer default 0 not null,
  kind text default 'item'::text not null,
  category text,
  description text,
  image_url text,
  allergens text[],
  diet text[] default '{}'::text[] not null,
  options jsonb default '[]'::jsonb not null,
  vat jsonb,
  make_minutes smallint,
  constraint menu_item_pkey PRIMARY KEY (store_id, id),
  constraint menu_item_kind_check CHECK ((kind = ANY (ARRAY['item'::text, 'choice'::text]))),
  constraint menu_item_price_pence_check CHECK ((price_pence >= 0)),
  constraint menu_item_taken_check CHECK ((taken >= 0)),
  constraint stock_is_never_oversold CHECK (((stock IS NULL) OR (taken <= stock)))
);

CREATE OR REPLACE FUNCTION note_line_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO current_schema
AS $function$
begin
  insert into noted_change (key) select customer_id from orders where id = new.order_id and customer_id is not null on conflict do nothing;
  return null;
end $function$;

create table order_line (
  order_id uuid not null,
  position integer not null,
  menu_item_id text not null,
  name text not null,
  quantity integer not null,
  unit_price_pence integer not null,
  vat_rate_bps integer,
  refunded integer default 0 not null,
  restocked integer default 0 not null,
  choices jsonb,
  note text,
  vat_parts jsonb,
  constraint order_line_pkey PRIMARY KEY (order_id, "position"),
  constraint order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint line_is_never_refunded_beyond_what_was_bought CHECK (((refunded >= 0) AND (refunded <= quantity))) NOT VALID,
  constraint line_is_never_restocked_beyond_what_was_bought CHECK (((restocked >= 0) AND (restocked <= quantity))) NOT VALID,
  constraint order_line_quantity_check CHECK ((quantity > 0))
);

create table orders (
  id uuid not null,
  version bigint default 1 not null,
  store_id uuid not null,
  customer_id uuid not null,
  parent_order_id uuid,
  order_number text not null,
  order_type text not null,
  collection_mode text,
  fulfilment_mode text default 'counter'::text not null,
  table_number text,
  slot_id uuid,
  requested_collection_at timestamp with time zone,
  first_collection_at timestamp with time zone,
  revised_ready_at timestamp with time zone,
  prep_minutes integer not null,
  collection_code text,
  idempotency_key uuid,
  request_fingerprint bytea,
  payment_status text not null,
  business_status text,
  fulfilment_status text,
  currency text not null,
  subtotal_pence integer not null,
  promo_discount_pence integer default 0 not null,
  voucher_discount_pence integer default 0 not null,
  tip_pence integer default 0 not null,
  total_pence integer not null,
  refunded_pence integer default 0 not null,
  fully_refunded boolean default false not null,
  application_fee_pence integer default 0 not null,
  connected_account_id text not null,
  on_behalf_of boolean default false not null,
  payment_intent_id text,
  voucher_id uuid,
  promo_code text,
  promo_label text,
  disputed boolean default false not null,
  is_first boolean,
  award jsonb,
  pay_until timestamp with time zone,
  holds_released boolean default false not null,
  cancel_begun_at timestamp with time zone,
  device_hash bytea,
  traceparent text,
  created_at timestamp with time zone default now() not null,
  paid_at timestamp with time zone,
  accepted_at timestamp with time zone,
  preparing_at timestamp with time zone,
  ready_at timestamp with time zone,
  collected_at timestamp with time zone,
  fulfilled_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  is_live boolean generated always as (COALESCE(((paid_at IS NOT NULL) AND (business_status = ANY (ARRAY['placed'::text, 'ready'::text]))), false)) stored not null,
  has_ended boolean generated always as ((COALESCE((business_status = ANY (ARRAY['fulfilled'::text, 'cancelled'::text])), false) OR (payment_status = ANY (ARRAY['expired'::text, 'cancelled'::text])))) stored not null,
  cancelled_by text,
  look_at timestamp with time zone,
  uncollected_at timestamp with time zone,
  seller_version bigint,
  payment_mode text,
  address_hash bytea,
  payment_attempted_at timestamp with time zone,
  channel text default 'phone'::text not null,
  without_customer boolean default false not null,
  eat_in boolean,
  offline jsonb,
  ready_from timestamp with time zone,
  ready_to timestamp with time zone,
  orders_ahead smallint,
  booking_ref uuid,
  constraint orders_pkey PRIMARY KEY (id),
  constraint one_order_for_a_key UNIQUE (idempotency_key, customer_id),
  constraint one_order_for_an_intent UNIQUE (payment_intent_id),
  constraint orders_parent_order_id_fkey FOREIGN KEY (parent_order_id) REFERENCES orders(id),
  constraint never_refunded_beyond_what_was_paid CHECK (((refunded_pence >= 0) AND (refunded_pence <= total_pence))),
  constraint orders_business_status_check CHECK ((business_status = ANY (ARRAY['placed'::text, 'ready'::text, 'fulfilled'::text, 'cancelled'::text]))),
  constraint orders_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['store'::text, 'customer'::text, 'system'::text]))),
  constraint orders_channel_check CHECK ((channel = ANY (ARRAY['phone'::text, 'counter'::text, 'partner'::text]))) NOT VALID,
  constraint orders_collection_mode_check CHECK ((collection_mode = ANY (ARRAY['now'::text, 'scheduled'::text]))),
  constraint orders_fulfilment_mode_check CHECK ((fulfilment_mode = ANY (ARRAY['counter'::text, 'table'::text]))),
  constraint orders_fulfilment_status_check CHECK ((fulfilment_status = ANY (ARRAY['accepted'::text, 'preparing'::text, 'ready'::text, 'collected'::text, 'cancelled'::text]))),
  constraint orders_order_type_check CHECK ((order_type = ANY (ARRAY['buy_now'::text, 'collect'::text]))),
  constraint orders_payment_mode_check CHECK ((payment_mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint orders_payment_status_check CHECK ((payment_status = ANY (ARRAY['pending_payment'::text, 'payment_failed'::text, 'paid'::text, 'cancelled'::text, 'expired'::text]))),
  constraint orders_promo_discount_pence_check CHECK ((promo_discount_pence >= 0)),
  constraint orders_subtotal_pence_check CHECK ((subtotal_pence >= 0)),
  constraint orders_tip_pence_check CHECK ((tip_pence >= 0)),
  constraint orders_total_pence_check CHECK ((total_pence >= 0)),
  constraint orders_voucher_discount_pence_check CHECK ((voucher_discount_pence >= 0)),
  constraint check_open_parts TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX collection_code_is_unique_among_live_orders ON orders USING btree (store_id, collection_code) WHERE (is_live AND (collection_code IS NOT NULL));
CREATE INDEX legs_of_order ON orders USING btree (parent_order_id, order_number) WHERE (parent_order_id IS NOT NULL);
CREATE UNIQUE INDEX one_first_order_of_a_customer ON orders USING btree (customer_id, store_id) WHERE is_first;
CREATE INDEX open_orders_of_address ON orders USING btree (address_hash, store_id) WHERE ((parent_order_id IS NULL) AND (address_hash IS NOT NULL) AND ((payment_status = ANY (ARRAY['pending_payment'::text, 'payment_failed'::text])) OR ((total_pence = 0) AND is_live)));
CREATE INDEX open_orders_of_customer ON orders USING btree (customer_id, store_id) WHERE ((parent_order_id IS NULL) AND ((payment_status = ANY (ARRAY['pending_payment'::text, 'payment_failed'::text])) OR ((total_pence = 0) AND is_live)));
CREATE INDEX open_orders_of_device ON orders USING btree (device_hash, store_id) WHERE ((parent_order_id IS NULL) AND (device_hash IS NOT NULL) AND ((payment_status = ANY (ARRAY['pending_payment'::text, 'payment_failed'::text])) OR ((total_pence = 0) AND is_live)));
CREATE INDEX open_sales_of_counter ON orders USING btree (store_id, created_at DESC, id DESC) WHERE ((channel = 'counter'::text) AND (payment_status = 'pending_payment'::text) AND (parent_order_id IS NULL));
CREATE INDEX orders_by_collection_code ON orders USING btree (collection_code) WHERE (collection_code IS NOT NULL);
CREATE INDEX orders_by_number ON orders USING btree (order_number);
CREATE INDEX orders_ended ON orders USING btree (store_id, created_at DESC, id DESC) WHERE (has_ended OR fully_refunded);
CREATE INDEX orders_live ON orders USING btree (store_id, COALESCE(first_collection_at, requested_collection_at, created_at), id) WHERE (is_live AND (NOT fully_refunded));
CREATE INDEX orders_of_customer ON orders USING btree (customer_id, created_at DESC, id DESC) WHERE (parent_order_id IS NULL);
CREATE INDEX orders_of_device_at_store ON orders USING btree (device_hash, store_id, promo_code) WHERE (device_hash IS NOT NULL);
CREATE INDEX orders_to_look_at ON orders USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX orders_unpaid ON orders USING btree (pay_until) WHERE (payment_status = ANY (ARRAY['pending_payment'::text, 'payment_failed'::text]));
CREATE INDEX sales_of_counter ON orders USING btree (store_id, paid_at DESC) WHERE (channel = 'counter'::text);

create table pace_quarter (
  store_id uuid not null,
  starts_at timestamp with time zone not null,
  taken integer default 0 not null,
  capacity integer not null,
  by_staff boolean default false not null,
  over_capacity integer default 0 not null,
  constraint pace_quarter_pkey PRIMARY KEY (store_id, starts_at),
  constraint a_quarter_begins_on_the_clock CHECK (((EXTRACT(epoch FROM starts_at) % (900)::numeric) = (0)::numeric)),
  constraint pace_quarter_capacity_check CHECK ((capacity >= 0)),
  constraint pace_quarter_over_capacity_check CHECK ((over_capacity >= 0)),
  constraint pace_quarter_taken_check CHECK ((taken >= 0)),
  constraint the_kitchen_is_never_overfilled CHECK ((taken <= (capacity + over_capacity)))
);

create table part_payment (
  provider_ref text not null,
  store_id uuid not null,
  order_id uuid not null,
  tender text not null,
  amount_pence integer not null,
  given_pence integer,
  reference text,
  at timestamp with time zone not null,
  by_id text not null,
  drawer_id uuid,
  returned_at timestamp with time zone,
  returned_by_id text,
  returned_drawer_id uuid,
  constraint part_payment_pkey PRIMARY KEY (provider_ref),
  constraint part_payment_drawer_id_fkey FOREIGN KEY (drawer_id) REFERENCES drawer(id),
  constraint part_payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint part_payment_returned_drawer_id_fkey FOREIGN KEY (returned_drawer_id) REFERENCES drawer(id),
  constraint a_part_pays_something CHECK ((amount_pence > 0)),
  constraint part_payment_tender_check CHECK ((tender = ANY (ARRAY['cash'::text, 'external_card'::text]))),
  constraint check_parts TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX part_payment_of_drawer ON part_payment USING btree (drawer_id) WHERE (drawer_id IS NOT NULL);
CREATE INDEX part_payment_of_order ON part_payment USING btree (order_id);
CREATE INDEX part_payment_out_of_drawer ON part_payment USING btree (returned_drawer_id) WHERE (returned_drawer_id IS NOT NULL);

create table payment_customer (
  customer_id uuid not null,
  provider_id text not null,
  mode text,
  constraint payment_customer_pkey PRIMARY KEY (customer_id),
  constraint payment_customer_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table payout (
  id text not null,
  account_id text not null,
  amount_pence integer not null,
  currency text not null,
  status text not null,
  arrives_on date not null,
  created_at timestamp with time zone not null,
  failure text,
  matched_at timestamp with time zone,
  constraint payout_pkey PRIMARY KEY (id)
);
CREATE INDEX payout_of_account ON payout USING btree (account_id, created_at DESC, id DESC);

create table payout_entry (
  transaction_id text not null,
  payout_id text not null,
  source_id text,
  order_id uuid,
  net_pence integer not null,
  constraint payout_entry_pkey PRIMARY KEY (transaction_id),
  constraint payout_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint payout_entry_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout(id)
);
CREATE INDEX payout_entry_by_source ON payout_entry USING btree (source_id);
CREATE INDEX payout_entry_of_order ON payout_entry USING btree (order_id);
CREATE INDEX payout_entry_of_payout ON payout_entry USING btree (payout_id);

create table printer (
  id uuid not null,
  store_id uuid not null,
  name text not null,
  language text not null,
  token_hash text,
  request_key text,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  status_code text,
  constraint printer_pkey PRIMARY KEY (id),
  constraint one_printer_for_a_request UNIQUE (store_id, request_key),
  constraint one_printer_for_a_token UNIQUE (token_hash)
);

create table promo (
  id uuid not null,
  store_id uuid not null,
  code text not null,
  label text,
  kind text not null,
  value integer not null,
  min_subtotal_pence integer not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  max_uses integer,
  max_per_customer integer,
  first_order_only boolean not null,
  active boolean not null,
  uses integer default 0 not null,
  over_limit integer default 0 not null,
  constraint promo_pkey PRIMARY KEY (id),
  constraint promo_is_never_overused CHECK (((max_uses IS NULL) OR (uses <= (max_uses + over_limit)))),
  constraint promo_kind_check CHECK ((kind = ANY (ARRAY['percent'::text, 'amount'::text]))),
  constraint promo_over_limit_check CHECK ((over_limit >= 0)),
  constraint promo_uses_check CHECK ((uses >= 0)),
  constraint promo_value_check CHECK ((value > 0))
);
CREATE UNIQUE INDEX one_live_promo_for_a_code ON promo USING btree (store_id, code) WHERE active;

CREATE OR REPLACE FUNCTION promo_is_free_for(wanted uuid, customer uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return (
    select case when p.first_order_only then 1 else p.max_per_customer end is null
      or (select count(*) from hold h join orders o on o.id = h.order_id
          where h.kind = 'promo' and h.ref = wanted::text and h.state <> 'released' and o.customer_id = customer)
         < case when p.first_order_only then 1 else p.max_per_customer end
    from promo p where p.id = wanted
  );
end $function$;

create table provider_call (
  purpose text not null,
  reference text not null,
  attempt integer not null,
  idempotency_key text not null,
  state text not null,
  provider_id text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  look_at timestamp with time zone,
  constraint provider_call_pkey PRIMARY KEY (purpose, reference, attempt),
  constraint one_call_for_a_key UNIQUE (idempotency_key),
  constraint provider_call_attempt_check CHECK ((attempt > 0)),
  constraint provider_call_purpose_check CHECK ((purpose = ANY (ARRAY['account'::text, 'customer'::text, 'intent'::text, 'ephemeral_key'::text, 'refund'::text, 'transfer_reversal'::text, 'transfer'::text]))) NOT VALID,
  constraint provider_call_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'done'::text, 'refused'::text, 'failed'::text])))
);
CREATE INDEX provider_call_to_look_at ON provider_call USING btree (look_at) WHERE (look_at IS NOT NULL);

create table provider_cursor (
  name text not null,
  read_until timestamp with time zone not null,
  constraint provider_cursor_pkey PRIMARY KEY (name)
);

create table provider_event (
  id text not null,
  type text not null,
  object_id text not null,
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  attempts integer default 0 not null,
  constraint provider_event_pkey PRIMARY KEY (id)
);
CREATE INDEX provider_event_open ON provider_event USING btree (received_at) WHERE (processed_at IS NULL);

create table ready_times (
  store_id uuid not null,
  learned jsonb,
  quotes integer not null,
  kept integer not null,
  constraint ready_times_pkey PRIMARY KEY (store_id)
);

create table refund (
  id uuid not null,
  store_id uuid not null,
  payment_order_id uuid not null,
  order_id uuid not null,
  attempt text not null,
  requested_pence integer,
  amount_pence integer not null,
  reason text not null,
  by_id text not null,
  by_name text,
  status text not null,
  provider_refund_id text,
  borne_by text not null,
  to_reverse_pence integer default 0 not null,
  reversed_pence integer default 0 not null,
  counted boolean default false not null,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  credit_note integer,
  credited_at timestamp with time zone,
  constraint refund_pkey PRIMARY KEY (id),
  constraint one_refund_for_an_attempt UNIQUE (payment_order_id, attempt),
  constraint refund_provider_refund_id_key UNIQUE (provider_refund_id),
  constraint refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint refund_payment_order_id_fkey FOREIGN KEY (payment_order_id) REFERENCES orders(id),
  constraint refund_amount_pence_check CHECK ((amount_pence >= 0)),
  constraint refund_borne_by_check CHECK ((borne_by = ANY (ARRAY['store'::text, 'reversed'::text, 'platform'::text]))),
  constraint refund_check CHECK (((reversed_pence >= 0) AND (reversed_pence <= to_reverse_pence))),
  constraint refund_requested_pence_check CHECK ((requested_pence > 0)),
  constraint refund_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'rejected'::text]))),
  constraint refund_to_reverse_pence_check CHECK ((to_reverse_pence >= 0))
);
CREATE UNIQUE INDEX one_refund_for_a_credit_note ON refund USING btree (payment_order_id, credit_note);
CREATE INDEX refund_unsettled ON refund USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'requires_action'::text]));

create table refund_line (
  refund_id uuid not null,
  order_id uuid not null,
  position integer not null,
  quantity integer not null,
  amount_pence integer not null,
  restock boolean not null,
  constraint refund_line_pkey PRIMARY KEY (refund_id, "position"),
  constraint refund_line_order_id_position_fkey FOREIGN KEY (order_id, "position") REFERENCES order_line(order_id, "position"),
  constraint refund_line_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id),
  constraint refund_line_amount_pence_check CHECK ((amount_pence >= 0)),
  constraint refund_line_quantity_check CHECK ((quantity > 0))
);

CREATE OR REPLACE FUNCTION refuse(code text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'CR001', message = code;
end $function$;

CREATE OR REPLACE FUNCTION refuse(code text, ref text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'CR001', message = code, detail = ref;
end $function$;

CREATE OR REPLACE FUNCTION refuse_order(whose text, replaceable uuid, ends_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if replaceable is not null then
    return refuse('REPLACE_ORDER', replaceable::text);
  end if;
  return refuse('OPEN_ORDERS', jsonb_build_object('of', whose, 'ends_at', ends_at)::text);
end $function$;

CREATE OR REPLACE FUNCTION refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Rows of % are added, never changed or removed.', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION search_text(named text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select trim(regexp_replace(regexp_replace(
    replace(replace(replace(translate(
      normalize(regexp_replace(lower(normalize(named, nfkd) collate "pg_c_utf8"), '[\u0300-\u036f]', '', 'g'), nfkc),
      'łøđıς', 'lodiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') collate "pg_c_utf8",
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g'),
    '[^[:alnum:]]+', ' ', 'g'))
$function$;

create table seller (
  store_id uuid not null,
  version bigint not null,
  name text not null,
  legal_name text,
  address jsonb,
  vat_number text,
  time_zone text not null,
  language text not null,
  constraint seller_pkey PRIMARY KEY (store_id, version)
);

create table slot (
  id uuid not null,
  store_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  capacity integer,
  open boolean not null,
  used integer default 0 not null,
  over_capacity integer default 0 not null,
  constraint slot_pkey PRIMARY KEY (id),
  constraint places_are_never_oversold CHECK (((capacity IS NULL) OR (used <= (capacity + over_capacity)))),
  constraint slot_capacity_check CHECK ((capacity >= 0)),
  constraint slot_over_capacity_check CHECK ((over_capacity >= 0)),
  constraint slot_used_check CHECK ((used >= 0))
);
CREATE INDEX slot_by_end ON slot USING btree (store_id, ends_at, starts_at);

create table slot_list (
  store_id uuid not null,
  version bigint not null,
  constraint slot_list_pkey PRIMARY KEY (store_id)
);

create table store (
  id uuid not null,
  version bigint not null,
  code text not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  connected_account_id text,
  fee_bps integer not null,
  on_behalf_of boolean not null,
  platform_covers_refunds boolean not null,
  disputes_borne_by text not null,
  auto_accept boolean not null,
  refund_window_days integer not null,
  hours jsonb not null,
  closures jsonb not null,
  paused_until timestamp with time zone,
  live boolean not null,
  welcome_message text,
  last_order_number bigint default 1000 not null,
  switches bigint default 0 not null,
  staff_pause boolean default false not null,
  staff_pause_until timestamp with time zone,
  staff_pause_by_id text,
  staff_pause_by_name text,
  staff_pause_at timestamp with time zone,
  accept_within_minutes integer,
  uncollected_after_hours integer default 4 not null,
  staff_refund_limit_pence integer,
  seller_version bigint,
  delayed_payment_methods boolean default false not null,
  listed_with_account boolean default false not null,
  address jsonb,
  phone text,
  position jsonb,
  pace jsonb,
  constraint store_pkey PRIMARY KEY (id),
  constraint store_disputes_borne_by_check CHECK ((disputes_borne_by = ANY (ARRAY['store'::text, 'platform'::text])))
);
CREATE INDEX store_by_account ON store USING btree (connected_account_id) WHERE (connected_account_id IS NOT NULL);
CREATE INDEX store_by_code ON store USING btree (upper(code));

create table store_account (
  store_id uuid not null,
  account_id text not null,
  accepts_orders boolean not null,
  reasons jsonb not null,
  version bigint not null,
  asked_at timestamp with time zone not null,
  restricted_since timestamp with time zone,
  refusals_reported_at timestamp with time zone,
  refusals_counted_to timestamp with time zone,
  constraint store_account_pkey PRIMARY KEY (store_id)
);

create table store_log_entry (
  id bigint generated always as identity not null,
  store_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  by_id text not null,
  by_name text,
  menu_item_id text,
  item_name text,
  until timestamp with time zone,
  units_left integer,
  amount_pence integer,
  difference_pence integer,
  constraint store_log_entry_pkey PRIMARY KEY (id),
  constraint store_log_entry_kind_check CHECK ((kind = ANY (ARRAY['paused'::text, 'resumed'::text, 'marked_sold_out'::text, 'mark_ended'::text, 'left_set'::text, 'left_unset'::text, 'drawer_opened'::text, 'cash_paid_out'::text, 'drawer_closed'::text, 'pace_set'::text, 'pace_unset'::text]))) NOT VALID
);
CREATE INDEX log_of_store ON store_log_entry USING btree (store_id, at DESC, id DESC);

CREATE OR REPLACE FUNCTION take_pace(at_store uuid, usual integer, wanted jsonb, at timestamp with time zone, may_overfill boolean)
 RETURNS TABLE(order_id uuid, ref text, quantity integer, ready_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
declare
  part record;
  quarter timestamptz;
  rest integer;
begin
  perform 1 from pace_quarter q
    where q.store_id = at_store and q.starts_at in (select jsonb_array_elements_text(w -> 'quarters')::timestamptz from jsonb_array_elements(wanted) w)
    order by q.starts_at for update;
  for part in
    select * from jsonb_to_recordset(wanted) as w(order_id uuid, units integer, prep_minutes integer, quarters timestamptz[], expected timestamptz, refusal text)
  loop
    rest := part.units;
    order_id := part.order_id;
    foreach quarter in array part.quarters loop
      insert into pace_quarter as q (store_id, starts_at, capacity) values (at_store, quarter, usual)
      on conflict (store_id, starts_at) do update
      set capacity = case when q.by_staff then q.capacity else usual end,
          over_capacity = greatest(0, q.taken - case when q.by_staff then q.capacity else usual end)
      returning case when may_overfill then rest else least(rest, greatest(0, q.capacity - q.taken)) end into quantity;
      ref := to_char(quarter at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
      ready_at := case when quarter > at then greatest(quarter, at + make_interval(mins => part.prep_minutes)) end;
      continue when quantity = 0;
      update pace_quarter q set taken = q.taken + quantity, over_capacity = greatest(0, q.taken + quantity - q.capacity)
      where q.store_id = at_store and q.starts_at = quarter;
      return next;
      rest := rest - quantity;
      exit when rest = 0;
    end loop;
    if rest > 0 then
      perform refuse(part.refusal);
    elsif quarter > greatest(part.expected, at) and part.expected is not null then
      perform refuse('READY_LATER', ref);
    end if;
  end loop;
end $function$;

create table ticket (
  id bigint generated always as identity not null,
  printer_id uuid not null,
  store_id uuid not null,
  order_id uuid not null,
  kind text not null,
  copy integer not null,
  made_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  job_token text,
  sent_at timestamp with time zone,
  printed_at timestamp with time zone,
  failures integer default 0 not null,
  failed_code text,
  watched boolean not null,
  constraint ticket_pkey PRIMARY KEY (id),
  constraint one_ticket_for_a_job UNIQUE (job_token),
  constraint one_ticket_for_a_print UNIQUE (printer_id, order_id, kind, copy),
  constraint ticket_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint ticket_printer_id_fkey FOREIGN KEY (printer_id) REFERENCES printer(id),
  constraint ticket_copy_check CHECK ((copy >= 0)),
  constraint ticket_kind_check CHECK ((kind = ANY (ARRAY['order'::text, 'cancelled'::text])))
);
CREATE INDEX ticket_unprinted ON ticket USING btree (printer_id, expires_at) WHERE (printed_at IS NULL);
CREATE INDEX ticket_watched ON ticket USING btree (printer_id) WHERE watched;

create table tip_list (
  id uuid not null,
  store_id uuid not null,
  day date not null,
  version integer not null,
  shares jsonb not null,
  entered_at timestamp with time zone not null,
  entered_by_id text not null,
  entered_by_name text,
  proof text not null,
  constraint tip_list_pkey PRIMARY KEY (id),
  constraint one_tip_list_for_a_version UNIQUE (store_id, day, version),
  constraint tip_list_version_check CHECK ((version > 0))
);

CREATE OR REPLACE FUNCTION unproven_may_hold(at_store uuid, of_kind text, of_ref text, units bigint, left_over bigint, amount integer, share integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  together bigint := units + (
    select coalesce(sum(h.quantity), 0) from hold h
    where h.unproven_store_id = at_store and h.ref = of_ref and h.kind = of_kind and h.state = 'held');
begin
  return together <= amount or together * 100 <= share * (together + left_over) or refuse('UNPROVEN_SHARE', of_kind || ' ' || of_ref);
end $function$;
