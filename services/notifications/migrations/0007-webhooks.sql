-- Webhooks: where the events of a store are sent, each under a number of its own without gaps.
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
