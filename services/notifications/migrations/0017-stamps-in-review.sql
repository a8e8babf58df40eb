-- Stamps that wait for the store's approval, and how each review ended, so that the store's contacts are notified of them together.
create table stamp_review (
  stamp_id uuid primary key,
  store_id uuid not null,
  state text not null check (state in ('waiting', 'approved', 'rejected')),
  changed_at timestamptz not null,
  -- When the contacts were notified of the review; also set for a stamp that never waited.
  reported_at timestamptz,
  constraint stamp_review_waits_unreported check (state <> 'waiting' or reported_at is null)
);
create index stamp_review_waiting on stamp_review (store_id) where state = 'waiting';
create index stamp_review_unreported on stamp_review (store_id) where state <> 'waiting' and reported_at is null;
create index stamp_review_by_reported_at on stamp_review (reported_at) where reported_at is not null;

-- Numbers the digests of a store, and says when the last one about waiting stamps was created.
create table stamp_digest (
  store_id uuid primary key,
  sequence bigint not null default 0,
  waiting_notified_at timestamptz
);
