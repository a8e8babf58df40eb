-- What the provider pays out to the banks of stores' accounts.
create table payout (
  id text primary key,
  account_id text not null,
  -- In minor units; negative when the provider takes it from the bank.
  amount_pence integer not null,
  currency text not null,
  -- As the provider names it: pending, in_transit, paid, failed or canceled.
  status text not null,
  arrives_on date not null,
  created_at timestamptz not null,
  -- Why it failed, in the provider's words; null for one that did not.
  failure text,
  -- When its transactions were read and compared with the ledger; null until then, and for one that the provider does not itemise.
  matched_at timestamptz
);
create index payout_of_account on payout (account_id, created_at desc, id desc);

-- The movements of an account's balance that a payout pays out.
create table payout_entry (
  transaction_id text primary key,
  payout_id text not null references payout,
  -- What moved: the account's payment, or the refund of one.
  source_id text,
  -- Null for what belongs to no order of the store.
  order_id uuid references orders,
  -- The change of the account's balance, after fees.
  net_pence integer not null
);
create index payout_entry_of_payout on payout_entry (payout_id);
create index payout_entry_by_source on payout_entry (source_id);
create index payout_entry_of_order on payout_entry (order_id);
