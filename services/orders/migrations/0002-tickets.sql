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
