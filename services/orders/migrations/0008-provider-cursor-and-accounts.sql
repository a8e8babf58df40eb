-- How far a list of the payment provider has been read: of events, or of movements of the balance.
create table provider_cursor (
  name text primary key,
  read_until timestamptz not null
);

-- The state of each store's account at the payment provider, as last looked at. A store without a row was never looked at.
create table store_account (
  store_id uuid primary key,
  account_id text not null,
  accepts_orders boolean not null,
  reasons jsonb not null,
  version bigint not null,
  -- Since when the store accepts no orders; null while it does.
  restricted_since timestamptz,
  -- When refused orders were last published, and the time of the newest one that was counted.
  refusals_reported_at timestamptz,
  refusals_counted_to timestamptz
);
