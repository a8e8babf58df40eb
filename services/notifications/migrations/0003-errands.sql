-- Times and money in a message are the store's own.
alter table store
  add column time_zone text not null default 'Europe/London',
  add column currency text not null default 'GBP';

-- What messages speak of: an order's progress, a card, a place in the queue. The newest sequence heard of it, whether or not it made
-- a message; what is older is told to nobody. One worker at a time has a topic in hand.
create table topic (
  key text primary key,
  sequence bigint not null,
  -- When there is something to do for it; null when nothing waits.
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  touched_at timestamptz not null default clock_timestamp()
);
create index topic_by_due on topic (due_at) where due_at is not null;
create index topic_by_age on topic (touched_at);

-- One message to one customer because of one event. Its id is the message's id at the provider too.
create table errand (
  id uuid primary key,
  event_id uuid not null,
  customer_id uuid not null,
  store_id uuid not null,
  -- The way tried first.
  channel text not null check (channel in ('push', 'email')),
  template text not null,
  -- Ids, figures and names the text is written from; what staff wrote freely goes when the errand is settled.
  facts jsonb not null,
  topic text not null references topic,
  sequence bigint not null,
  due_at timestamptz not null,
  expires_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'sent', 'muted', 'superseded', 'failed')),
  reason text,
  attempts smallint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  constraint errand_once unique (event_id, customer_id, channel),
  constraint errand_settled check ((state = 'pending') = (settled_at is null))
);
create index errand_by_topic on errand (topic);
create index errand_by_age on errand (settled_at) where settled_at is not null;
create index errand_failed on errand (settled_at) where state = 'failed';

-- Devices a push provider no longer knows, until the directory drops them too.
create table dead_device (
  customer_id uuid not null,
  device_id text not null,
  died_at timestamptz not null,
  primary key (customer_id, device_id)
);
