-- What the payment provider was asked to create: one row for each attempt, written before the provider is called.
create table provider_call (
  purpose text not null check (purpose in ('customer', 'intent', 'ephemeral_key', 'refund', 'transfer_reversal', 'transfer')),
  -- What it is for: the id of a customer, an order, a refund, or another thing of this service.
  reference text not null,
  attempt integer not null check (attempt > 0),
  idempotency_key text not null,
  -- 'refused': the provider declined it and nothing happened. 'failed': it responded with an error that it may keep under the key.
  state text not null check (state in ('requested', 'done', 'refused', 'failed')),
  -- What the provider created.
  provider_id text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When to look for something that the provider created although it did not say so; null for never.
  look_at timestamptz,
  constraint provider_call_pkey primary key (purpose, reference, attempt),
  constraint one_call_for_a_key unique (idempotency_key)
);
create index provider_call_to_look_at on provider_call (look_at) where look_at is not null;

-- Set while an unpaid order holds nothing, because its payment could not be prepared.
alter table orders add column holds_released boolean not null default false;
