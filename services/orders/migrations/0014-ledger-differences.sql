-- Differences between the ledger and the movements of the balance that the payment provider reports.
create table ledger_difference (
  kind text not null,
  provider_ref text not null,
  store_id uuid not null,
  order_id uuid not null references orders (id),
  -- What each side has; null for nothing.
  provider_pence integer,
  ledger_pence integer,
  currency text not null,
  found_at timestamptz not null,
  -- Set when both sides agree, or by an operator who has explained it.
  explained_at timestamptz,
  constraint ledger_difference_pkey primary key (kind, provider_ref)
);
create index ledger_difference_open on ledger_difference (found_at) where explained_at is null;
create index ledger_difference_of_order on ledger_difference (order_id);
create index ledger_by_time on ledger (at);
