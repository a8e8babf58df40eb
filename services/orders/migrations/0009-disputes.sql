alter table store add column disputes_borne_by text not null default 'store' check (disputes_borne_by in ('store', 'platform'));

-- Disputes of payments, by the provider's id. An inquiry of a bank is no dispute.
create table dispute (
  id text primary key,
  store_id uuid not null,
  order_id uuid not null references orders (id),
  state text not null check (state in ('opened', 'won', 'lost')),
  reason text,
  amount_pence integer not null check (amount_pence >= 0),
  currency text not null,
  evidence_due_by timestamptz,
  -- Whether the bank still waits for evidence.
  awaits_evidence boolean not null,
  -- Who bears it, as the store's directory entry said when the dispute was first seen.
  borne_by text not null check (borne_by in ('store', 'platform')),
  first_seen_at timestamptz not null,
  -- What is taken back of the store's transfer; null until that is decided, 0 for nothing.
  share_pence integer check (share_pence >= 0),
  reversal_id text unique,
  -- The transfer that paid the share again after the dispute was won.
  repayment_id text unique,
  -- When to move the share next; null while nothing is to be moved.
  share_due_at timestamptz,
  share_failures integer not null default 0
);
create index dispute_of_order on dispute (order_id);
create index dispute_share_due on dispute (share_due_at) where share_due_at is not null;
create index dispute_open on dispute (evidence_due_by) where state = 'opened';

alter table ledger drop constraint ledger_kind_check;
alter table ledger add constraint ledger_kind_check
  check (kind in ('charge', 'refund', 'refund_failed', 'dispute', 'dispute_returned', 'dispute_fee', 'transfer_reversal', 'transfer'));
-- Null for the order's own currency. The provider may withdraw a dispute and its fee in another one.
alter table ledger add column currency text;
