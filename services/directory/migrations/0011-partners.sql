-- Machines of other companies that call for stores.
create table partner (
  id uuid primary key,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  -- Rows of the log: each store’s log has a row of its own for a change.
  logged integer not null default 0
);
create table partner_store (
  partner_id uuid not null references partner (id),
  store_id uuid not null,
  withdrawn_at timestamptz,
  primary key (partner_id, store_id)
);
create index partner_of_store on partner_store (store_id);
create table partner_secret (
  -- The request that made it, by its Idempotency-Key, where it had one.
  id uuid primary key,
  partner_id uuid not null references partner (id),
  -- The SHA-256 of the secret, which no one can guess.
  hash bytea not null check (octet_length(hash) = 32),
  created_at timestamptz not null,
  -- Null for the newest.
  expires_at timestamptz
);
create unique index one_newest_secret_of_partner on partner_secret (partner_id) where expires_at is null;
create index partner_secret_of_partner on partner_secret (partner_id);
-- The log has rows of partners, too, which are no objects.
-- allowed: what the released version writes is accepted as before
alter table change drop constraint change_kind_object_id_fkey;
