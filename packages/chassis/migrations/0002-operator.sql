-- What an operator needs at night.

create index dead_letter_open on dead_letter (died_at, event_id) where settled_at is null;

-- What a request told, and what an event led to.
create index outbox_by_request on outbox (correlation_id) where correlation_id is not null;
create index outbox_by_cause on outbox (causation_id) where causation_id is not null;

-- Requests that were refused or failed, so that the id in an error body leads to what happened. Written after the answer, in
-- batches; the newest are kept.
create table refusal (
  id bigint generated always as identity primary key,
  request_id text not null,
  at timestamptz not null,
  operation text not null,
  status smallint not null,
  code text not null,
  words text not null,
  -- The order it was about, where the request names one.
  order_id uuid,
  trace_id text
);
create index refusal_of_request on refusal (request_id);
create index refusal_of_order on refusal (order_id, at) where order_id is not null;

-- Who replayed what, and what came of it.
create table replay (
  id uuid primary key,
  by text not null,
  since timestamptz not null,
  until timestamptz not null,
  type text,
  reaction text,
  counted bigint not null,
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  worked bigint,
  skipped bigint,
  failed bigint
);

-- A replayed event is known by its replay and its id, in the transaction of its effects: a page that is asked for twice has them once.
create table replayed_event (
  replay_id uuid not null references replay,
  event_id uuid not null,
  type text not null,
  outcome text not null check (outcome in ('worked', 'skipped', 'failed')),
  detail text,
  at timestamptz not null default clock_timestamp(),
  primary key (replay_id, event_id)
);
create index replayed_event_by_event on replayed_event (event_id);
create index replayed_event_by_age on replayed_event (at);
