-- The accounts at the payment provider that stores name or that were opened for them, as the provider described them last.
create table connected_account (
  account_id text primary key,
  -- Whether its payments are real. An id of one mode means nothing in the other.
  mode text not null check (mode in ('test', 'live')),
  -- The store that it was opened for. Null for an account that an operator named.
  store_id uuid,
  accepts_orders boolean not null default false,
  reasons jsonb not null default '[]',
  details_submitted boolean not null default false,
  payouts_enabled boolean not null default false,
  currently_due jsonb not null default '[]',
  past_due jsonb not null default '[]',
  -- By when the requirements are to be met; null when the provider names no time.
  due_by timestamptz,
  -- When the provider was asked for this state; null until it was.
  asked_at timestamptz,
  -- When payments could go to it first, which is published; null until then.
  connected_at timestamptz,
  constraint one_account_of_a_store unique (store_id, mode)
);

-- allowed: the constraint that follows permits all that this one does, and one purpose more
alter table provider_call drop constraint provider_call_purpose_check;
alter table provider_call add constraint provider_call_purpose_check
  check (purpose in ('account', 'customer', 'intent', 'ephemeral_key', 'refund', 'transfer_reversal', 'transfer')) not valid;
