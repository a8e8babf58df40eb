-- The seller as invoices show it: a row for each of its states that the directory published. No row changes, so an order's invoice never does.
create table seller (
  store_id uuid not null,
  -- That of the snapshot which brought it.
  version bigint not null,
  name text not null,
  legal_name text,
  -- Its lines, postcode, city and country.
  address jsonb,
  vat_number text,
  time_zone text not null,
  language text not null,
  primary key (store_id, version)
);

-- The newest of them; null until the next snapshot of the store.
alter table store add column seller_version bigint;
-- The seller when the order was paid. Null until then, and for one that was paid before this was kept: its invoice shows the newest.
alter table orders add column seller_version bigint;

-- Null for the store's.
alter table contact add column language text;

-- The number of the refund's credit note, from 1 for each payment, and when it was issued: when the provider accepted the refund. Both stay
-- when the refund fails later, and the note is void. Null for a refund that was never accepted, was of nothing, or was accepted before this was kept.
alter table refund add column credit_note integer;
alter table refund add column credited_at timestamptz;
