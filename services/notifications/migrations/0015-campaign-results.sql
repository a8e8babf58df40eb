-- What a campaign did, kept once nothing more is counted. Null: it is counted from its customers.
alter table campaign add column results jsonb;

-- The programme of a store that is a further store of another's. Empty until the snapshot of that programme comes next.
create table programme_store (
  store_id uuid primary key,
  programme_id uuid not null
);
create index programme_store_of_programme on programme_store (programme_id);
