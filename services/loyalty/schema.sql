-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.

create table card (
  store_id uuid not null,
  customer_id uuid not null,
  version bigint default 0 not null,
  debt integer default 0 not null,
  order_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  last_visit_at timestamp with time zone,
  customer_since timestamp with time zone,
  constraint card_pkey PRIMARY KEY (store_id, customer_id),
  constraint card_debt_check CHECK ((debt >= 0))
);
CREATE INDEX card_of_customer ON card USING btree (customer_id);

create table customer (
  id uuid not null,
  version bigint not null,
  name text,
  email text,
  phone text,
  identity_user_id text,
  memberships jsonb not null,
  constraint customer_pkey PRIMARY KEY (id)
);
CREATE INDEX customer_by_email ON customer USING btree (lower((email COLLATE pg_c_utf8)));
CREATE INDEX customer_by_name ON customer USING gin (to_tsvector('simple'::regconfig, regexp_replace(lower((name COLLATE pg_c_utf8)), '[^[:alnum:]]+'::text, ' '::text, 'g'::text)));
CREATE INDEX customer_by_phone ON customer USING btree (reverse(regexp_replace(phone, '[^0-9]'::text, ''::text, 'g'::text)) COLLATE "C");
CREATE INDEX customer_by_words ON customer USING gin (array_to_tsvector(string_to_array(search_text(name), ' '::text)));

create table device_use (
  store_id uuid not null,
  device bytea not null,
  customer_id uuid not null,
  at timestamp with time zone not null,
  constraint device_use_pkey PRIMARY KEY (store_id, device, customer_id)
);
CREATE INDEX device_use_by_age ON device_use USING btree (at);
CREATE INDEX device_use_of_customer ON device_use USING btree (customer_id);

create table dispute (
  order_id uuid not null,
  dispute_id text not null,
  sequence bigint not null,
  state text not null,
  amount_pence integer not null,
  constraint dispute_pkey PRIMARY KEY (order_id, dispute_id),
  constraint dispute_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'won'::text, 'lost'::text])))
);

create table log_entry (
  id bigint generated always as identity not null,
  store_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  by_id text not null,
  by_name text,
  customer_id uuid,
  stamp_id uuid,
  voucher_id uuid,
  stamps integer not null,
  constraint log_entry_pkey PRIMARY KEY (id),
  constraint log_entry_stamp_id_fkey FOREIGN KEY (stamp_id) REFERENCES stamp(id),
  constraint log_entry_voucher_id_fkey FOREIGN KEY (voucher_id) REFERENCES voucher(id),
  constraint log_entry_kind_check CHECK ((kind = ANY (ARRAY['granted'::text, 'undone'::text, 'approved'::text, 'rejected'::text, 'redeemed'::text, 'confirmed'::text, 'imported'::text]))) NOT VALID
);
CREATE INDEX log_entry_of_store ON log_entry USING btree (store_id, at DESC, id DESC);

create table look_up (
  id bigint generated always as identity not null,
  store_id uuid not null,
  at timestamp with time zone not null,
  by_id text not null,
  by_name text,
  kind text not null,
  asked text not null,
  found integer not null,
  constraint look_up_pkey PRIMARY KEY (id),
  constraint look_up_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'phone'::text, 'email'::text, 'name'::text])))
);
CREATE INDEX look_up_by_age ON look_up USING btree (at);

create table membership (
  store_id uuid not null,
  customer_id uuid not null,
  version bigint not null,
  active boolean not null,
  plan_name text,
  current_period_end timestamp with time zone,
  ending_said_for timestamp with time zone,
  event_sequence integer default 0 not null,
  constraint membership_pkey PRIMARY KEY (store_id, customer_id)
);
CREATE INDEX membership_by_end ON membership USING btree (current_period_end) WHERE (active AND (current_period_end IS NOT NULL));
CREATE INDEX membership_of_customer ON membership USING btree (customer_id);

create table multi_stamp_request (
  id uuid not null,
  store_id uuid not null,
  customer_id uuid not null,
  requested_stamps integer not null,
  status text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  confirmed_by uuid,
  stamp_count integer,
  goal integer,
  voucher_ids uuid[],
  constraint multi_stamp_request_pkey PRIMARY KEY (id),
  constraint multi_stamp_request_requested_stamps_check CHECK ((requested_stamps > 0)),
  constraint multi_stamp_request_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'cancelled'::text, 'expired'::text]))),
  constraint resolved_when_no_longer_pending CHECK (((status = 'pending'::text) = (resolved_at IS NULL)))
);
CREATE INDEX multi_stamp_of_card ON multi_stamp_request USING btree (store_id, customer_id, created_at);
CREATE INDEX multi_stamp_to_drop ON multi_stamp_request USING btree (resolved_at) WHERE (status = ANY (ARRAY['cancelled'::text, 'expired'::text]));
CREATE INDEX multi_stamp_to_expire ON multi_stamp_request USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX one_pending_multi_stamp ON multi_stamp_request USING btree (store_id, customer_id) WHERE (status = 'pending'::text);

create table nfc_tap (
  tag_uid text not null,
  counter integer not null,
  used_at timestamp with time zone not null,
  constraint nfc_tap_pkey PRIMARY KEY (tag_uid, counter)
);

create table order_ledger (
  order_id uuid not null,
  store_id uuid not null,
  customer_id uuid not null,
  paid boolean default false not null,
  paid_pence integer default 0 not null,
  refunded_pence integer default 0 not null,
  refund_sequence bigint default 0 not null,
  awarded boolean default false not null,
  reversed boolean default false not null,
  award jsonb,
  disputed boolean default false not null,
  lost boolean default false not null,
  lost_pence integer default 0 not null,
  programme_id uuid,
  little_left boolean default false not null,
  constraint order_ledger_pkey PRIMARY KEY (order_id),
  constraint order_ledger_refunded_pence_check CHECK ((refunded_pence >= 0))
);
CREATE INDEX order_ledger_of_card ON order_ledger USING btree (store_id, customer_id) INCLUDE (paid_pence, refunded_pence, lost_pence) WHERE paid;

create table programme (
  store_id uuid not null,
  version bigint not null,
  enabled boolean not null,
  goal integer not null,
  reward_title text not null,
  reward_unlock_message text,
  reward jsonb not null,
  voucher_type text not null,
  voucher_days integer not null,
  voucher_expiring_days integer not null,
  stamps_per_order integer not null,
  min_spend_pence integer not null,
  daily_stamp_limit integer not null,
  monthly_stamp_quota integer,
  plan_key text not null,
  settings jsonb not null,
  constraint programme_pkey PRIMARY KEY (store_id),
  constraint programme_goal_check CHECK ((goal > 0))
);

create table programme_store (
  store_id uuid not null,
  programme_id uuid not null,
  constraint programme_store_pkey PRIMARY KEY (store_id)
);
CREATE INDEX programme_store_of_programme ON programme_store USING btree (programme_id);

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

create table staff (
  id uuid not null,
  version bigint not null,
  stores uuid[] not null,
  cards text[] not null,
  revoked_sessions text[] not null,
  name text,
  constraint staff_pkey PRIMARY KEY (id)
);
CREATE INDEX staff_by_card ON staff USING gin (cards);

create table stamp (
  id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  status text not null,
  source text not null,
  approval_reason text,
  order_id uuid,
  request_id uuid,
  ordinal integer,
  grant_key text,
  code_id uuid,
  receipt_id text,
  voucher_id uuid,
  paid_debt boolean default false not null,
  left_debt boolean default false not null,
  created_at timestamp with time zone not null,
  approved_at timestamp with time zone,
  by_id text,
  by_name text,
  visit_ref uuid,
  at_store_id uuid,
  ended_at timestamp with time zone,
  constraint stamp_pkey PRIMARY KEY (id),
  constraint one_stamp_for_a_code UNIQUE (code_id),
  constraint one_stamp_for_a_grant UNIQUE (store_id, grant_key),
  constraint one_stamp_for_a_place_in_an_order UNIQUE (order_id, ordinal),
  constraint one_stamp_for_a_receipt UNIQUE (customer_id, receipt_id),
  constraint stamp_voucher_id_fkey FOREIGN KEY (voucher_id) REFERENCES voucher(id),
  constraint stamp_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'undone'::text, 'reversed'::text])))
);
CREATE UNIQUE INDEX one_stamp_for_a_grant_elsewhere ON stamp USING btree (grant_key) WHERE ((grant_key IS NOT NULL) AND (at_store_id IS NOT NULL));
CREATE UNIQUE INDEX one_stamp_for_a_place_in_a_request ON stamp USING btree (request_id, ordinal) WHERE (request_id IS NOT NULL);
CREATE UNIQUE INDEX one_stamp_for_a_visit ON stamp USING btree (visit_ref) WHERE (visit_ref IS NOT NULL);
CREATE INDEX stamp_at_store_by_approval ON stamp USING btree (at_store_id, approved_at) WHERE ((at_store_id IS NOT NULL) AND (status = 'approved'::text) AND (source <> 'order'::text) AND (customer_id IS NOT NULL));
CREATE INDEX stamp_at_store_by_status ON stamp USING btree (at_store_id, status, created_at DESC, id DESC) WHERE (at_store_id IS NOT NULL);
CREATE INDEX stamp_by_approval ON stamp USING btree (store_id, approved_at) WHERE ((status = 'approved'::text) AND (source <> 'order'::text) AND (customer_id IS NOT NULL));
CREATE INDEX stamp_by_status ON stamp USING btree (store_id, status, created_at DESC, id DESC);
CREATE INDEX stamp_of_customer_by_day ON stamp USING btree (store_id, customer_id, created_at);
CREATE INDEX stamp_of_guests ON stamp USING btree (store_id, created_at DESC, id DESC) WHERE ((status = 'pending'::text) AND (customer_id IS NULL));
CREATE INDEX stamp_of_voucher ON stamp USING btree (voucher_id) WHERE (voucher_id IS NOT NULL);
CREATE INDEX stamp_unconsumed ON stamp USING btree (store_id, customer_id, created_at, id) WHERE ((status = 'approved'::text) AND (voucher_id IS NULL) AND (NOT paid_debt));

create table stamp_code (
  id uuid not null,
  hash bytea not null,
  store_id uuid not null,
  customer_id uuid,
  source text not null,
  presence_verified boolean not null,
  device bytea,
  location_info text,
  tag_uid text,
  counter integer,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  idempotency_key_hash bytea,
  constraint stamp_code_pkey PRIMARY KEY (id),
  constraint one_code_for_a_hash UNIQUE (hash),
  constraint one_code_for_a_tap UNIQUE (tag_uid, counter)
);
CREATE UNIQUE INDEX one_code_for_a_key ON stamp_code USING btree (idempotency_key_hash) WHERE (idempotency_key_hash IS NOT NULL);
CREATE INDEX stamp_code_by_age ON stamp_code USING btree (expires_at);
CREATE INDEX stamp_code_of_customer ON stamp_code USING btree (store_id, customer_id, created_at) WHERE (customer_id IS NOT NULL);
CREATE INDEX stamp_code_of_person ON stamp_code USING btree (customer_id) WHERE (customer_id IS NOT NULL);

create table store (
  id uuid not null,
  version bigint not null,
  code text not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  live boolean not null,
  branding jsonb not null,
  constraint store_pkey PRIMARY KEY (id)
);
CREATE INDEX store_by_code ON store USING btree (upper(code));

create table tag (
  uid text not null,
  store_id uuid not null,
  key_version text not null,
  revoked boolean not null,
  last_counter integer default '-1'::integer not null,
  constraint tag_pkey PRIMARY KEY (uid)
);
CREATE INDEX tag_of_store ON tag USING btree (store_id);

create table visit (
  ref uuid not null,
  store_id uuid not null,
  customer_id uuid not null,
  sequence bigint not null,
  completed boolean not null,
  constraint visit_pkey PRIMARY KEY (ref)
);

create table voucher (
  id uuid not null,
  store_id uuid not null,
  customer_id uuid not null,
  code text not null,
  reward_title text,
  voucher_type text,
  reward jsonb not null,
  status text not null,
  minted_at timestamp with time zone not null,
  completing_stamp_id uuid,
  expires_at timestamp with time zone not null,
  expiry_notice_at timestamp with time zone,
  reserved_by_order uuid,
  reserved_until timestamp with time zone,
  reservation_asked_at timestamp with time zone,
  redeemed_by_order uuid,
  redeemed_at timestamp with time zone,
  restored_from_order uuid,
  redeemed_by_id text,
  redeemed_by_name text,
  voided_at timestamp with time zone,
  voided_stamps integer,
  constraint voucher_pkey PRIMARY KEY (id),
  constraint one_voucher_for_a_code UNIQUE (code, store_id),
  constraint voucher_status_check CHECK ((status = ANY (ARRAY['active'::text, 'reserved'::text, 'redeemed'::text, 'expired'::text, 'voided'::text])))
);
CREATE UNIQUE INDEX one_voucher_for_a_stamp ON voucher USING btree (completing_stamp_id) WHERE (status <> 'voided'::text);
CREATE INDEX voucher_of_card ON voucher USING btree (store_id, customer_id) WHERE (status = ANY (ARRAY['active'::text, 'reserved'::text]));
CREATE INDEX voucher_of_order ON voucher USING btree (redeemed_by_order) WHERE (redeemed_by_order IS NOT NULL);
CREATE INDEX voucher_of_person ON voucher USING btree (customer_id);
CREATE INDEX voucher_reservations ON voucher USING btree (reserved_until) WHERE (status = 'reserved'::text);
CREATE INDEX voucher_restored ON voucher USING btree (restored_from_order) WHERE (restored_from_order IS NOT NULL);
CREATE INDEX voucher_to_announce ON voucher USING btree (expiry_notice_at) WHERE ((status = 'active'::text) AND (expiry_notice_at IS NOT NULL));
CREATE INDEX voucher_to_expire ON voucher USING btree (expires_at) WHERE (status = 'active'::text);
CREATE INDEX voucher_voided ON voucher USING btree (store_id, customer_id) WHERE (status = 'voided'::text);
