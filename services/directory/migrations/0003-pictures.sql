-- Pictures, each under the sha-256 of its bytes. None is changed or removed: an address that was given out stays good.
create table picture (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  -- Who uploaded it first.
  store_id uuid not null,
  by_id text not null,
  uploaded_at timestamptz not null
);
-- Its bytes are compressed already.
alter table picture alter column bytes set storage external;
create index picture_of_store on picture (store_id, uploaded_at);
