-- Copies of what the directory publishes: the newest version of each object is kept, whenever it arrives.
create table store (
  id uuid primary key,
  version bigint not null,
  code text not null,
  name text not null,
  currency text not null,
  time_zone text not null,
  live boolean not null,
  branding jsonb not null
);
create index store_by_code on store (upper(code));

create table programme (
  store_id uuid primary key,
  version bigint not null,
  enabled boolean not null,
  goal integer not null check (goal > 0),
  reward_title text not null,
  reward_unlock_message text,
  reward jsonb not null,
  voucher_type text not null,
  voucher_days integer not null,
  -- How many days before its end a voucher is announced as expiring; 0 for never.
  voucher_expiring_days integer not null,
  stamps_per_order integer not null,
  min_spend_pence integer not null,
  daily_stamp_limit integer not null,
  monthly_stamp_quota integer,
  plan_key text not null,
  settings jsonb not null
);

-- A programme has the id of its home store. This table has the further stores whose customers collect on its cards; a store that is not in
-- it has the programme of its own id.
create table programme_store (
  store_id uuid primary key,
  programme_id uuid not null
);
create index programme_store_of_programme on programme_store (programme_id);

-- The NFC tags of the programmes. A tag that a newer snapshot does not name is revoked, not deleted: its counter must outlive the snapshot.
create table tag (
  uid text primary key,
  store_id uuid not null,
  key_version text not null,
  revoked boolean not null,
  last_counter integer not null default -1
);
create index tag_of_store on tag (store_id);

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

create table customer (
  id uuid primary key,
  version bigint not null,
  name text,
  email text,
  phone text,
  identity_user_id text,
  memberships jsonb not null
);
create index customer_by_name on customer
  using gin (to_tsvector('simple'::regconfig, regexp_replace(lower(name collate "pg_c_utf8"), '[^[:alnum:]]+', ' ', 'g')));
create index customer_by_words on customer using gin (array_to_tsvector(string_to_array(search_text(name), ' ')));
create index customer_by_email on customer (lower(email collate "pg_c_utf8"));
create index customer_by_phone on customer ((reverse(regexp_replace(phone, '[^0-9]', '', 'g')) collate "C"));

-- What events have said of a customer's membership of a store, as the directory publishes it.
create table membership (
  store_id uuid not null,
  customer_id uuid not null,
  -- The version of the customer's snapshot that it is from.
  version bigint not null,
  active boolean not null,
  plan_name text,
  -- Until when it is paid; null when it does not end.
  current_period_end timestamptz,
  -- The end of the period of which an event has said that it comes.
  ending_said_for timestamptz,
  event_sequence integer not null default 0,
  primary key (store_id, customer_id)
);
create index membership_of_customer on membership (customer_id);
create index membership_by_end on membership (current_period_end) where active and current_period_end is not null;

-- Staff, who may confirm several stamps at once.
create table staff (
  id uuid primary key,
  version bigint not null,
  stores uuid[] not null,
  -- Staff cards, each as its hash and the store where it is valid.
  cards text[] not null,
  revoked_sessions text[] not null,
  -- The name that the log shows. Null until a snapshot of the member of staff names it.
  name text
);
create index staff_by_card on staff using gin (cards);

-- A customer's stamps at one store. The store_id of cards, stamps and vouchers is the programme's. Every change locks this row; its version
-- counts the changes that were published.
create table card (
  store_id uuid not null,
  customer_id uuid not null,
  version bigint not null default 0,
  -- Stamps to be paid back before new ones count: their voucher was used and its order was refunded.
  debt integer not null default 0 check (debt >= 0),
  order_count integer not null default 0,
  created_at timestamptz not null default now(),
  last_visit_at timestamptz,
  -- When the customer first did something at the store: an order, a code, a tap, a receipt, a place in the queue. From then on a merchant
  -- is shown how to reach the customer. Null until then, whatever staff did.
  customer_since timestamptz,
  primary key (store_id, customer_id)
);
-- Operators look for a customer's cards.
create index card_of_customer on card (customer_id);

create table voucher (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  code text not null,
  reward_title text,
  voucher_type text,
  reward jsonb not null,
  status text not null check (status in ('active', 'reserved', 'redeemed', 'expired', 'voided')),
  minted_at timestamptz not null,
  -- The newest of the stamps that the voucher was made from.
  completing_stamp_id uuid,
  expires_at timestamptz not null,
  -- When the voucher is to be announced as expiring. Null when it has been, or is not to be.
  expiry_notice_at timestamptz,
  reserved_by_order uuid,
  reserved_until timestamptz,
  -- When the order asked for the reservation or the release that was processed last: an older call that arrives late changes nothing.
  reservation_asked_at timestamptz,
  redeemed_by_order uuid,
  redeemed_at timestamptz,
  -- The order whose refund, or lost dispute, made the voucher usable again. If that is undone, the order has used the voucher after all.
  restored_from_order uuid,
  -- Who at the store redeemed it at the counter. Null for one that an order used.
  redeemed_by_id text,
  redeemed_by_name text,
  -- When it was voided and how many stamps it had, for the history of a card.
  voided_at timestamptz,
  voided_stamps integer,
  -- The code comes first, so that an operator finds a voucher by the code alone.
  constraint one_voucher_for_a_code unique (code, store_id)
);
-- A stamp completes one voucher, unless that voucher was voided, which freed the stamp.
create unique index one_voucher_for_a_stamp on voucher (completing_stamp_id) where status <> 'voided';
create index voucher_of_card on voucher (store_id, customer_id) where status in ('active', 'reserved');
create index voucher_of_order on voucher (redeemed_by_order) where redeemed_by_order is not null;
create index voucher_restored on voucher (restored_from_order) where restored_from_order is not null;
create index voucher_reservations on voucher (reserved_until) where status = 'reserved';
create index voucher_to_announce on voucher (expiry_notice_at) where status = 'active' and expiry_notice_at is not null;
create index voucher_to_expire on voucher (expires_at) where status = 'active';
-- A customer's voided vouchers, which no stamp names any more. There are few.
create index voucher_voided on voucher (store_id, customer_id) where status = 'voided';
create index voucher_of_person on voucher (customer_id);

create table stamp (
  id uuid primary key,
  store_id uuid not null,
  -- Null for a guest's, which is on no card.
  customer_id uuid,
  status text not null check (status in ('pending', 'approved', 'rejected', 'undone', 'reversed')),
  source text not null,
  -- Why the stamp waits for approval, or needed none.
  approval_reason text,
  order_id uuid,
  request_id uuid,
  -- The place of the stamp among those of its order or request, from 1.
  ordinal integer,
  grant_key text,
  code_id uuid,
  receipt_id text,
  voucher_id uuid references voucher,
  -- Whether it was spent on a debt rather than on a reward.
  paid_debt boolean not null default false,
  -- Whether taking it back added one to the card's debt, which is taken off again if the refund fails.
  left_debt boolean not null default false,
  created_at timestamptz not null,
  approved_at timestamptz,
  -- Who at the store granted, reviewed or undid it last. Null when no one there did.
  by_id text,
  by_name text,
  -- The place in the queue that earned it, where the programme rewards visits.
  visit_ref uuid,
  -- Where it was collected; null at the programme's home.
  at_store_id uuid,
  -- When it stopped counting or was not confirmed, for the history of a card.
  ended_at timestamptz,
  constraint one_stamp_for_a_place_in_an_order unique (order_id, ordinal),
  constraint one_stamp_for_a_grant unique (store_id, grant_key),
  constraint one_stamp_for_a_code unique (code_id),
  constraint one_stamp_for_a_receipt unique (customer_id, receipt_id)
);
create unique index one_stamp_for_a_place_in_a_request on stamp (request_id, ordinal) where request_id is not null;
create unique index one_stamp_for_a_grant_elsewhere on stamp (grant_key) where grant_key is not null and at_store_id is not null;
create unique index one_stamp_for_a_visit on stamp (visit_ref) where visit_ref is not null;
create index stamp_unconsumed on stamp (store_id, customer_id, created_at, id)
  where status = 'approved' and voucher_id is null and not paid_debt;
create index stamp_by_status on stamp (store_id, status, created_at desc, id desc);
create index stamp_at_store_by_status on stamp (at_store_id, status, created_at desc, id desc) where at_store_id is not null;
-- The stamps of guests that wait: listed and counted by store, and rejected after a day.
create index stamp_of_guests on stamp (store_id, created_at desc, id desc) where status = 'pending' and customer_id is null;
-- The daily limit counts a customer's stamps on one day.
create index stamp_of_customer_by_day on stamp (store_id, customer_id, created_at);
-- A plan's quota counts the stamps that were approved in a month. A guest's uses nothing up.
create index stamp_by_approval on stamp (store_id, approved_at)
  where status = 'approved' and source <> 'order' and customer_id is not null;
create index stamp_at_store_by_approval on stamp (at_store_id, approved_at)
  where at_store_id is not null and status = 'approved' and source <> 'order' and customer_id is not null;
create index stamp_of_voucher on stamp (voucher_id) where voucher_id is not null;

-- Several stamps that a customer asked for at once, until a member of staff confirms them.
create table multi_stamp_request (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  requested_stamps integer not null check (requested_stamps > 0),
  status text not null check (status in ('pending', 'confirmed', 'cancelled', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  resolved_at timestamptz,
  -- The member of staff who confirmed it, and the reply, which a repeat gets again.
  confirmed_by uuid,
  stamp_count integer,
  goal integer,
  voucher_ids uuid[],
  constraint resolved_when_no_longer_pending check ((status = 'pending') = (resolved_at is null))
);
create unique index one_pending_multi_stamp on multi_stamp_request (store_id, customer_id) where status = 'pending';
create index multi_stamp_of_card on multi_stamp_request (store_id, customer_id, created_at);
create index multi_stamp_to_expire on multi_stamp_request (expires_at) where status = 'pending';
create index multi_stamp_to_drop on multi_stamp_request (resolved_at) where status in ('cancelled', 'expired');

-- Taps that were used, online or off: each counts once.
create table nfc_tap (
  tag_uid text not null,
  counter integer not null,
  used_at timestamptz not null,
  primary key (tag_uid, counter)
);

-- Codes that customers show. The code itself is not stored: it is derived from the secret and the id, and found by its hash.
create table stamp_code (
  id uuid primary key,
  hash bytea not null,
  store_id uuid not null,
  customer_id uuid,
  source text not null,
  -- Whether a verified tap shows that the customer was there.
  presence_verified boolean not null,
  -- A keyed hash of the fingerprint that the device sent.
  device bytea,
  -- Not written: nothing read it.
  location_info text,
  tag_uid text,
  counter integer,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- A keyed hash of the requester and the Idempotency-Key: a repeat finds its code by it.
  idempotency_key_hash bytea,
  constraint one_code_for_a_hash unique (hash),
  constraint one_code_for_a_tap unique (tag_uid, counter)
);
create unique index one_code_for_a_key on stamp_code (idempotency_key_hash) where idempotency_key_hash is not null;
create index stamp_code_of_customer on stamp_code (store_id, customer_id, created_at) where customer_id is not null;
create index stamp_code_of_person on stamp_code (customer_id) where customer_id is not null;
create index stamp_code_by_age on stamp_code (expires_at);

-- For which customers a device minted or redeemed codes, each with the last time. A device is a keyed hash, as in stamp_code. A job deletes
-- what is older than a day.
create table device_use (
  store_id uuid not null,
  device bytea not null,
  customer_id uuid not null,
  at timestamptz not null,
  primary key (store_id, device, customer_id)
);
create index device_use_by_age on device_use (at);
create index device_use_of_customer on device_use (customer_id);

-- What is known of an order, whichever of its events came first.
create table order_ledger (
  order_id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  paid boolean not null default false,
  paid_pence integer not null default 0,
  refunded_pence integer not null default 0 check (refunded_pence >= 0),
  refund_sequence bigint not null default 0,
  awarded boolean not null default false,
  reversed boolean not null default false,
  award jsonb,
  -- While a bank disputes the payment, the vouchers that the order's stamps are behind are held.
  disputed boolean not null default false,
  -- Whether a dispute of the order is lost, and the money that went to the customer with it.
  lost boolean not null default false,
  lost_pence integer not null default 0,
  -- The programme whose card the order is on; null for that of its store's own id.
  programme_id uuid,
  -- Whether refunds have left less of the payment than an order must cost to earn stamps, though not nothing: its stamps are taken back.
  little_left boolean not null default false
);
-- What a customer spent at a store is summed from the index alone, however many orders that is.
create index order_ledger_of_card on order_ledger (store_id, customer_id) include (paid_pence, refunded_pence, lost_pence) where paid;

-- The state of each dispute of an order's payment. Per dispute, the event with the highest sequence wins.
create table dispute (
  order_id uuid not null,
  dispute_id text not null,
  sequence bigint not null,
  state text not null check (state in ('opened', 'won', 'lost')),
  amount_pence integer not null,
  primary key (order_id, dispute_id)
);

-- What is known of a customer's visit: of the events of a place in the queue, the one with the highest sequence counts.
create table visit (
  ref uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  sequence bigint not null,
  completed boolean not null
);

-- What people at the store did to its cards. It names no customer: a name is read from the customer.
create table log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  at timestamptz not null,
  kind text not null,
  by_id text not null,
  by_name text,
  -- Null for the stamp of a guest.
  customer_id uuid,
  stamp_id uuid references stamp (id),
  voucher_id uuid references voucher (id),
  -- How many stamps it is about.
  stamps integer not null
);
alter table log_entry add constraint log_entry_kind_check
  check (kind in ('granted', 'undone', 'approved', 'rejected', 'redeemed', 'confirmed', 'imported')) not valid;
create index log_entry_of_store on log_entry (store_id, at desc, id desc);

-- Who looked for which customer: a record, kept for a while. What was asked is masked, so that the record itself names no customer.
create table look_up (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  at timestamptz not null,
  by_id text not null,
  by_name text,
  kind text not null check (kind in ('card', 'phone', 'email', 'name')),
  asked text not null,
  found integer not null
);
create index look_up_by_age on look_up (at);

-- Nothing that names an erased customer is written again: see the chassis' table erased_customer. A token outlives the erasure by
-- minutes: what it asks for is refused.
create trigger refuse_erased before insert or update of customer_id on stamp_code for each row execute function refuse_erased();
create trigger skip_erased before insert on device_use for each row execute function skip_erased();
create trigger skip_erased_customer before insert or update on customer for each row execute function skip_erased_customer();
create trigger refuse_erased before insert or update of customer_id on membership for each row execute function refuse_erased();
create trigger refuse_erased before insert on multi_stamp_request for each row execute function refuse_erased();
-- Receipts of taps come from the customer's phone. Stamps of orders and of staff may still be added: they are no one's by then.
create trigger refuse_erased before insert on stamp for each row when (new.receipt_id is not null) execute function refuse_erased();

-- Tables that replies to polls are made of note what they change: see decision 13.
create trigger note_change after insert or update or delete on card for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on stamp for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on voucher for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on order_ledger for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on customer for each row execute function note_change('customer row');
create trigger note_change after insert or update or delete on store for each row execute function note_change('shared');
create trigger note_change after insert or update or delete on programme for each row execute function note_change('shared');
create trigger note_change after insert or update or delete on programme_store for each row execute function note_change('shared');
