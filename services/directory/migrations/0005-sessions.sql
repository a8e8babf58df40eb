-- Accounts at identity providers, and the person that each of them is. A person has one account of a kind.
create table account (
  issuer text not null,
  subject text not null,
  kind text not null check (kind in ('customer', 'team')),
  person_id uuid not null,
  -- The name at the first sign-in, for a person whom the directory does not name yet. Null when the provider said none.
  name text,
  created_at timestamptz not null,
  primary key (issuer, subject, kind),
  constraint one_account_for_a_person unique (person_id, kind)
);

-- Sessions that refresh tokens continue. A refresh token is the id, its number and a code, so none is stored. One that has ended has
-- expires_at in the past, and is deleted a day later.
create table session (
  id uuid primary key,
  kind text not null check (kind in ('customer', 'team')),
  person_id uuid not null,
  -- Null for a guest.
  issuer text,
  subject text,
  counter integer not null default 1 check (counter > 0),
  started_at timestamptz not null,
  refreshed_at timestamptz not null,
  -- The request that made the current refresh token, by its Idempotency-Key: a repeat gets the same one, however late.
  last_request uuid,
  -- The request that began the session, by its Idempotency-Key.
  first_request uuid,
  -- Of the ID token that began the session. It is kept longer than an ID token is accepted.
  id_token_hash bytea check (octet_length(id_token_hash) = 32),
  expires_at timestamptz not null,
  constraint one_session_for_a_request unique (first_request),
  constraint one_session_for_an_id_token unique (id_token_hash),
  constraint session_of_an_account foreign key (issuer, subject, kind) references account (issuer, subject, kind),
  constraint session_of_a_guest check ((issuer is null) = (subject is null) and (issuer is not null or kind = 'customer'))
);
create index session_by_expiry on session (expires_at);

-- Staff sessions that have been started. What ends one is its id among the revoked sessions of the person.
create table staff_session (
  id uuid primary key,
  store_id uuid not null,
  staff_id uuid not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  -- The request that started it, by its Idempotency-Key.
  request_id uuid,
  constraint one_staff_session_for_a_request unique (request_id)
);
create index staff_session_of_person on staff_session (staff_id, store_id, expires_at);
create index staff_session_by_expiry on staff_session (expires_at);

-- Invitations to work at a store. The link's token is the id and a code, so it is not stored. They are deleted 30 days after they expire.
create table invitation (
  id uuid primary key,
  store_id uuid not null,
  email text not null,
  name text not null,
  role text not null check (role in ('staff', 'manager', 'owner')),
  -- Of the mail; null for the store's.
  language text,
  by_id uuid not null,
  by_name text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The request that made it, by its Idempotency-Key.
  request_id uuid,
  accepted_by uuid,
  withdrawn boolean not null default false,
  constraint one_invitation_for_a_request unique (request_id),
  constraint invitation_ends_once check (accepted_by is null or not withdrawn)
);
-- One open invitation for an address at a store. One that has expired is withdrawn by the next.
create unique index one_invitation_for_an_address on invitation (store_id, lower(email)) where accepted_by is null and not withdrawn;
create index invitation_by_expiry on invitation (expires_at);
