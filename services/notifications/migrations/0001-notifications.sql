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

-- The programme of a store that is a further store of another's.
create table programme_store (
  store_id uuid primary key,
  programme_id uuid not null
);
create index programme_store_of_programme on programme_store (programme_id);

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
  language text,
  -- False for an address that the customer typed and no sign-in has confirmed.
  email_verified boolean not null default true
);

-- The apps and browsers that customers have linked for push, besides the devices that the directory knows. One device is one person's.
create table device (
  id uuid primary key,
  customer_id uuid not null,
  platform text not null check (platform in ('ios', 'android', 'web')),
  -- The app's token, or the endpoint of a browser's subscription.
  address text not null,
  -- What messages to a subscription are encrypted with, `p256dh` and `auth`; null for a token.
  keys jsonb,
  -- What the customer calls it.
  name text,
  linked_at timestamptz not null,
  constraint device_once unique (address),
  constraint device_keys_of_web check ((platform = 'web') = (keys is not null))
);
create index device_by_customer on device (customer_id);

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
-- Those who said yes to a store's news, in the order of their ids.
create index preference_marketing on preference (store_id, customer_id) where marketing_enabled;

-- How often a customer has been asked about a store's marketing: twice at most.
create table marketing_ask (
  customer_id uuid not null,
  store_id uuid not null,
  asks smallint not null default 0 check (asks between 0 and 2),
  -- The sequence of the last event published about the customer's consent at the store, drawn under this row's lock.
  event_sequence bigint not null default 0,
  -- The number of the event by which the customer last switched a preference on, by its name: the link of a mail that was sent before does
  -- not stop those messages.
  switched_on jsonb not null default '{}',
  primary key (customer_id, store_id)
);

-- The record of consent to a store's marketing: a row for each answer, with the text that the customer saw. An answer to the question is
-- also one of its two asks. Rows are added in the transaction of the change, never changed, and go with the customer.
create table consent (
  customer_id uuid not null,
  store_id uuid not null,
  -- Of the event that was published about it.
  sequence bigint not null,
  at timestamptz not null,
  accepted boolean not null,
  -- Where the customer answered: at the question, on the page of preferences, by the link of a mail, or over the API by an app that did not
  -- say what it showed.
  way text not null check (way in ('question', 'preferences', 'unsubscribe', 'api')),
  -- The text, as the app says that it showed it, and its language (BCP 47).
  wording text check (octet_length(wording) between 1 and 4000),
  locale text check (octet_length(locale) between 1 and 64),
  -- Which of the two asks it answers; null for a change without a question, and for an answer after both.
  ask smallint constraint consent_asked_twice_at_most check (ask between 1 and 2),
  primary key (customer_id, store_id, sequence),
  constraint consent_once_for_an_ask unique (customer_id, store_id, ask),
  constraint consent_shows_its_wording check (
    (way in ('question', 'preferences')) = (wording is not null) and (wording is null) = (locale is null))
);

-- What messages are about: an order's progress, a card, a place in the queue. As in Web Push (RFC 8030), of the messages on one topic only
-- the newest is sent. One replica at a time holds the lease of a topic.
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

-- One message to one person because of one event. A delivery is one attempt to send it over one channel. Its id is also its id at the
-- provider.
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
  -- The channel over which it was sent, which is another than `channel` where that one did not reach the person. Null until it is sent.
  sent_channel text,
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
create index message_of_customer on message (customer_id) where customer_id is not null;

-- The typed address of a customer that had its one mail. It gets more once its owner has confirmed it. Addresses are keyed hashes.
create table typed_address (
  customer_id uuid not null,
  address bytea not null check (octet_length(address) = 32),
  first_message uuid not null,
  at timestamptz not null,
  confirmed_at timestamptz,
  primary key (customer_id, address)
);
create index typed_address_by_address on typed_address (address);

-- Addresses whose owner said that they asked for nothing.
create table refused_address (
  address bytea primary key check (octet_length(address) = 32),
  at timestamptz not null
);

-- Mails to an address in the current hour and day, over all customers and stores. A repeat of the last message counts once.
create table mail_count (
  address bytea not null check (octet_length(address) = 32),
  kind text not null check (kind in ('own', 'typed', 'contact')),
  hour timestamptz not null,
  in_hour integer not null,
  day timestamptz not null,
  in_day integer not null,
  last_message uuid not null,
  primary key (address, kind)
);
create index mail_count_by_day on mail_count (day);

-- What staff wrote to a customer, and who did. What became of it is the message of the same id.
create table written_message (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  text text not null,
  by_id text not null,
  by_name text,
  at timestamptz not null
);
create index written_message_of_store on written_message (store_id, at desc, id);
create index written_message_of_customer on written_message (customer_id, at desc);

-- What a store writes to those who said yes to its news.
create table campaign (
  id uuid primary key,
  store_id uuid not null,
  audience jsonb not null,
  title text not null,
  body text not null,
  state text not null default 'draft' check (state in ('draft', 'sending', 'sent', 'stopped')),
  -- Whether a tenth of the audience gets no message, so that the store sees what the message does.
  holds_out boolean not null default false,
  -- The last customer who was looked at: they come in the order of their ids.
  last_customer_id uuid,
  by_id text not null,
  by_name text,
  made_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  -- What it did, kept once nothing more is counted. Null: it is counted from its customers.
  results jsonb,
  constraint ended_when_over check ((state in ('sent', 'stopped')) = (ended_at is not null))
);
create index campaign_of_store on campaign (store_id, made_at desc);
create index campaign_sending on campaign (begun_at) where state = 'sending';
-- Campaigns that are still counted.
create index campaign_counted on campaign (begun_at) where results is null;

-- A customer of a campaign: whom a message was written to, or who was held out.
create table campaign_recipient (
  campaign_id uuid not null references campaign (id),
  customer_id uuid not null,
  store_id uuid not null,
  at timestamptz not null,
  held_out boolean not null,
  -- The answer in the record of consent that allowed it.
  consent_sequence bigint not null,
  -- What became of the message; null while it is pending, and for one who was held out.
  outcome text check (outcome in ('sent', 'muted', 'superseded', 'failed')),
  -- When the customer was at the store again, within fourteen days.
  came_back_at timestamptz,
  primary key (campaign_id, customer_id)
);
create index campaign_recipient_of_customer on campaign_recipient (customer_id, store_id, at);
create index campaign_recipient_by_time on campaign_recipient (at);

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
  -- Whole seconds, each edition later than the one before: devices compare editions by this HTTP date.
  modified_at timestamptz not null,
  -- Since when devices have to be notified of a change; null when there is none.
  changed_at timestamptz,
  -- The update tag of Apple's web service: devices ask for what is beyond the last they know.
  update_tag bigint not null default 0,
  -- When its customer was erased: wallets are shown that it is void.
  voided_at timestamptz,
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

-- Where the events of a store are sent, each under a number of its own without gaps.
create table webhook (
  id uuid primary key,
  store_id uuid not null,
  -- Null: its events are only read.
  url text check (octet_length(url) <= 4096),
  -- Empty: every type.
  types text[] not null,
  description text not null,
  -- Who created it under which Idempotency-Key, so that a repeat finds it; null without a key.
  request_key text,
  created_at timestamptz not null,
  -- Null while it is active.
  ended_at timestamptz,
  -- The secret is derived from the id and this number. The one before signs as well until old_secret_until.
  secret_number integer not null default 1,
  old_secret_until timestamptz,
  -- Who replaced the secret last under which Idempotency-Key.
  rotation_key text,
  last_number bigint not null default 0,
  -- When a delivery is due; null when none is, and for one that has ended.
  due_at timestamptz,
  -- It is not called before, since its last attempt failed; null while it does not fail.
  not_before timestamptz,
  -- Failed attempts since the last success.
  failures integer not null default 0,
  -- Failing, or slow to respond: it is served apart, so that it delays no other.
  troubled boolean not null default false,
  -- The replica that delivers, and until when.
  lease_token uuid,
  leased_until timestamptz,
  -- What the receiver is to send back before it is called. Null once it has, and for one without an address.
  challenge text,
  constraint one_webhook_for_a_request unique (store_id, request_key)
);
create index webhook_of_store on webhook (store_id);
create index webhook_by_end on webhook (ended_at) where ended_at is not null;
create index webhook_due on webhook (troubled, due_at) where due_at is not null;

-- Public events that have no numbers yet, in the order in which they were processed: of one object in the order in which they happened.
create table waiting_event (
  position bigint generated always as identity primary key,
  -- Null: for every webhook of the store that takes its type.
  webhook_id uuid references webhook,
  store_id uuid not null,
  event_id uuid not null,
  type text not null,
  version integer not null,
  -- What the event is about: events of one object are delivered in their order.
  object text not null,
  at timestamptz not null,
  data jsonb not null
);

-- The events of each webhook, and what became of them. A body is kept as it was first made, so that its hash never changes.
create table webhook_event (
  webhook_id uuid not null references webhook,
  number bigint not null,
  event_id uuid not null,
  object text not null,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- An attempt that fails after this makes it dead.
  give_up_at timestamptz not null,
  delivered_at timestamptz,
  -- Of the last attempt.
  status integer,
  detail text check (octet_length(detail) <= 4096),
  primary key (webhook_id, number),
  constraint one_number_for_an_event unique (event_id, webhook_id)
);
create index webhook_event_pending on webhook_event (webhook_id, number) where state = 'pending';
create index webhook_event_due on webhook_event (webhook_id, due_at) where state = 'pending';
create index webhook_event_of_object on webhook_event (webhook_id, object, number) where state = 'pending';
create index webhook_event_dead on webhook_event (webhook_id, number) where state = 'dead';
create index webhook_event_by_age on webhook_event (created_at);

-- Requests to a host of receivers in the current minute, over all stores: `events`, and `challenges` to those that have not agreed yet.
create table webhook_host (
  host text not null check (octet_length(host) <= 1024),
  kind text not null check (kind in ('events', 'challenges')),
  minute timestamptz not null,
  requests integer not null,
  -- Of the last claim.
  granted integer not null,
  primary key (host, kind)
);
create index webhook_host_by_minute on webhook_host (minute);

-- Answers are never changed, by any role.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger refuse_rewriting before update on consent for each row execute function refuse_rewriting();

-- Nothing that reaches an erased customer is written again: see the chassis' table erased_customer.
create trigger refuse_erased before insert or update of customer_id on device for each row execute function refuse_erased();
create trigger refuse_erased before insert or update on preference for each row execute function refuse_erased();
create trigger refuse_erased before insert on marketing_ask for each row execute function refuse_erased();
create trigger refuse_erased before insert on consent for each row execute function refuse_erased();
create trigger refuse_erased before insert or update of customer_id on campaign_recipient for each row execute function refuse_erased();
create trigger refuse_erased before insert or update of customer_id on written_message for each row execute function refuse_erased();
create trigger refuse_erased before insert on pass for each row execute function refuse_erased();
create trigger skip_erased before insert on interaction for each row execute function skip_erased();
create trigger skip_erased before insert on message for each row execute function skip_erased();
create trigger skip_erased before insert on typed_address for each row execute function skip_erased();
create trigger skip_erased before insert on pass_card for each row execute function skip_erased();
create trigger skip_erased before insert on pass_voucher for each row execute function skip_erased();
create trigger skip_erased before insert on gone_device for each row execute function skip_erased();
create trigger skip_erased_customer before insert or update on customer for each row execute function skip_erased_customer();
