-- Copies of what the directory publishes: the newest version of each object is kept, whenever it arrives.
create table store (
  id uuid primary key,
  version bigint not null,
  name text not null,
  -- The times, money and language of the store's messages.
  time_zone text not null,
  currency text not null,
  language text not null,
  vat_number text,
  -- Where replies to a store's mail go; null when none of its contacts has an address.
  contact_email text
);

-- The people at a store who are notified of what needs them.
create table contact (
  -- Derived from the store and the contact's first address, so that a newer snapshot finds the contact again.
  id uuid primary key,
  store_id uuid not null,
  email text,
  phone text,
  push_devices jsonb not null
);
create index contact_by_store on contact (store_id);

create table customer (
  id uuid primary key,
  version bigint not null,
  name text,
  email text,
  phone text,
  push_devices jsonb not null,
  -- Null while it is unknown: then the store's is used.
  language text
);

-- Devices that a push provider no longer knows, until the directory drops them too.
create table gone_device (
  customer_id uuid not null,
  device_id text not null,
  gone_at timestamptz not null,
  primary key (customer_id, device_id)
);

-- The stores that a customer has interacted with: each has a line in the list of preferences.
create table interaction (
  customer_id uuid not null,
  store_id uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (customer_id, store_id)
);

-- Which messages of a store a customer wants. No row means the defaults.
create table preference (
  customer_id uuid not null,
  store_id uuid not null,
  messages_muted boolean not null default false,
  class_reminders boolean not null default true,
  class_events_enabled boolean not null default true,
  voucher_events_enabled boolean not null default true,
  stamp_events_enabled boolean not null default true,
  membership_events_enabled boolean not null default true,
  penalty_events_enabled boolean not null default true,
  marketing_enabled boolean not null default false,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, store_id)
);

-- How often a customer has been asked about a store's marketing: twice at most.
create table marketing_ask (
  customer_id uuid not null,
  store_id uuid not null,
  asks smallint not null default 0 check (asks between 0 and 2),
  -- The sequence of the last event published about the customer's consent at the store, drawn under this row's lock.
  event_sequence bigint not null default 0,
  primary key (customer_id, store_id)
);

-- What messages are about: an order's progress, a card, a place in the queue. As in Web Push (RFC 8030), of the messages on one topic only the
-- newest is sent. One replica at a time holds the lease of a topic.
create table topic (
  key text primary key,
  -- The newest sequence of its events, whether or not that made a message. An older event makes none.
  newest_sequence bigint not null,
  -- When there is something to do for it; null when nothing waits.
  due_at timestamptz,
  lease_token uuid,
  lease_expires_at timestamptz,
  -- The process that holds the lease. While it is alive it holds the advisory lock of this number; the leases of a dead one end early.
  lease_holder bigint,
  updated_at timestamptz not null default clock_timestamp()
);
create index topic_by_due on topic (due_at) where due_at is not null;
create index topic_by_updated_at on topic (updated_at);

-- One message to one person because of one event. A delivery is one attempt to send it over one channel. Its id is also its id at the provider.
create table message (
  id uuid primary key,
  event_id uuid not null,
  -- The recipient: a customer, a contact of a store, or a guest of the queue, whose phone number only the queue has.
  customer_id uuid,
  contact_id uuid,
  entry_ref uuid,
  store_id uuid not null,
  -- The channel that is tried first.
  channel text not null check (channel in ('push', 'email', 'sms')),
  template text not null,
  -- Ids, figures and names that the text is written from; text that staff wrote is removed when the message is settled.
  data jsonb not null,
  topic text not null references topic,
  sequence bigint not null,
  due_at timestamptz not null,
  expires_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'sent', 'muted', 'superseded', 'failed')),
  reason text,
  attempts smallint not null default 0,
  -- The trace of the event, so that the deliveries are found in the trace of the order.
  traceparent text,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  constraint message_once_per_event_and_channel unique (event_id, customer_id, channel),
  constraint message_once_per_event_and_contact unique (event_id, contact_id, channel),
  constraint message_recipient check (
    case when contact_id is not null then customer_id is null and entry_ref is null
    else customer_id is not null or entry_ref is not null end),
  constraint message_settled_when_not_pending check ((state = 'pending') = (settled_at is null))
);
create unique index message_once_per_event_for_guest on message (event_id) where customer_id is null and contact_id is null;
create index message_by_topic on message (topic);
create index message_by_settled_at on message (settled_at) where settled_at is not null;

-- Stamps that wait for the store's approval, and how each review ended, so that the store's contacts are notified of them together.
create table stamp_review (
  stamp_id uuid primary key,
  store_id uuid not null,
  state text not null check (state in ('waiting', 'approved', 'rejected')),
  changed_at timestamptz not null,
  -- When the contacts were notified of the review; also set for a stamp that never waited.
  reported_at timestamptz,
  constraint stamp_review_waits_unreported check (state <> 'waiting' or reported_at is null)
);
create index stamp_review_waiting on stamp_review (store_id) where state = 'waiting';
create index stamp_review_unreported on stamp_review (store_id) where state <> 'waiting' and reported_at is null;
create index stamp_review_by_reported_at on stamp_review (reported_at) where reported_at is not null;

-- Numbers the digests of a store, and says when the last one about waiting stamps was created.
create table stamp_digest (
  store_id uuid primary key,
  sequence bigint not null default 0,
  waiting_notified_at timestamptz
);

-- How a store's wallet passes look: its name and colours, and its programme. Each of the two snapshots has its own version.
create table pass_design (
  store_id uuid primary key,
  store_version bigint not null default 0,
  name text,
  logo_url text,
  background text,
  programme_version bigint not null default 0,
  goal integer,
  reward_title text
);

-- A card's stamps, as the newest event that counts them says.
create table pass_card (
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  stamps integer not null,
  goal integer not null,
  primary key (customer_id, store_id)
);

-- A card's vouchers, each as its newest event says.
create table pass_voucher (
  voucher_id uuid primary key,
  customer_id uuid not null,
  store_id uuid not null,
  sequence bigint not null,
  -- The sequence at which it was minted: a goal's stamps come off a count that is older.
  minted_sequence bigint,
  reward_title text,
  state text not null check (state in ('active', 'redeemed', 'voided', 'expired'))
);
create index pass_voucher_by_card on pass_voucher (customer_id, store_id);

-- A pass that a customer asked for: one for a card, one for a voucher.
create table pass (
  serial uuid primary key,
  kind text not null check (kind in ('stamp_card', 'voucher')),
  customer_id uuid not null,
  store_id uuid not null,
  voucher_id uuid,
  -- A device authenticates with it. It is inside the pass, so every later edition has the same.
  auth_token text not null,
  -- Whole seconds, each edition later than the one before: devices tell editions apart by this HTTP date.
  modified_at timestamptz not null,
  -- Since when devices have to be notified of a change; null when there is none.
  changed_at timestamptz,
  -- The update tag of Apple's web service: devices ask for what is beyond the last they know.
  update_tag bigint not null default 0,
  constraint pass_once unique nulls not distinct (customer_id, store_id, voucher_id),
  constraint pass_kind_matches_voucher check ((kind = 'voucher') = (voucher_id is not null))
);
create index pass_by_store on pass (store_id);
create index pass_by_change on pass (changed_at) where changed_at is not null;

-- One row: the last update tag. It is locked while a tag is given out, so that tags become visible in their order.
create table pass_update_counter (
  singleton boolean primary key default true check (singleton),
  last_tag bigint not null default 0
);
insert into pass_update_counter default values;

-- Devices that asked to be notified when a pass has changed.
create table pass_device (
  device_id text not null,
  serial uuid not null references pass,
  push_token text not null,
  primary key (device_id, serial)
);
create index pass_device_by_serial on pass_device (serial);

-- An update of a pass that one wallet has yet to receive.
create table pass_update (
  serial uuid not null references pass,
  wallet text not null check (wallet in ('apple', 'google')),
  -- Counts changes, so that one that comes while another is sent is sent too.
  version bigint not null default 1,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  -- Set when the last attempt failed; the next change begins again.
  failed_at timestamptz,
  primary key (serial, wallet)
);
create index pass_update_by_due on pass_update (due_at) where failed_at is null;
