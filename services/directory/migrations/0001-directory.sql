-- A name as its reader takes it for another one: without case, marks, spaces and signs, and with letters that look like Latin ones as those
-- (Unicode TR39 lists them all; here are the Cyrillic and Greek ones of the keyboards, and the digits). Compared, never shown.
create function look_alike(name text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    replace(replace(replace(replace(replace(translate(
      lower(translate(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g'),
        'АВЕЅІЈКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABESIJKMHOPCTYXABEZHIKMNOPTYX') collate "pg_c_utf8"),
      'авеѕіјкмнорстухһԁԛԝгьαβεηικνορτυχςɑɡıłøđ01i|', 'abesljkmhopctyxhdqwrbabenlkvoptuxcagllodolll'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'rn', 'm'), 'vv', 'w') collate "pg_c_utf8",
    '[^[:alnum:]]+', '', 'g')
$$;

-- The objects of the directory. `data` is an entry of the directory file without a version: what a person edits, templates included.
create table object (
  kind text not null check (kind in ('store', 'menu', 'slots', 'programme', 'floor', 'booking', 'customer', 'staff')),
  id uuid not null,
  -- Null for what belongs to no single store: a customer, and a person who works at several.
  store_id uuid,
  -- Counts the edits.
  version integer not null check (version > 0),
  -- The version of the last snapshot. It rises with each publication, also one that no edit caused, and never falls.
  published bigint not null check (published > 0),
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  constraint object_is_not_too_large check (octet_length(data::text) <= 500000),
  -- Of slots and a floor with a template: the first day that is not published ahead.
  published_until date,
  -- Of a booking: its start.
  starts_at timestamptz,
  -- The request that made the last change, by its Idempotency-Key: a repeat after a crash finds its own change.
  last_request uuid,
  changed_at timestamptz not null,
  -- Of a store. One store has a code, in any case.
  code text generated always as (case when kind = 'store' then upper(data ->> 'code') end) stored,
  constraint one_store_for_a_code unique (code),
  primary key (kind, id),
  constraint object_of_a_store check ((kind in ('customer', 'staff')) = (store_id is null)),
  constraint object_is_the_stores check (kind in ('booking', 'customer', 'staff') or store_id = id),
  constraint object_start_of_a_booking check ((kind = 'booking') = (starts_at is not null)),
  constraint object_renewed_with_a_template check (published_until is null or kind in ('slots', 'floor'))
);
create index object_booking_by_start on object (store_id, starts_at, id) where kind = 'booking';
create index object_to_renew on object (published_until, store_id, kind) where published_until is not null;
create index object_store_by_look_alike on object (look_alike(data ->> 'name') collate "C") where kind = 'store';

-- The tags of all programmes: a tag belongs to one store. Kept by a trigger, so that a change and an import of many keep it alike.
create table tag (
  uid text not null check (uid = upper(uid)),
  store_id uuid not null,
  constraint one_store_for_a_tag primary key (uid) deferrable initially immediate
);
create index tag_of_store on tag (store_id);

-- The ids of promo codes and dated slots: each belongs to the store that had it first, and stays its own, since orders keep what was used
-- of it. Kept by a trigger, as tags are.
create table owned_id (
  list text not null check (list in ('promos', 'slots')),
  id uuid not null,
  store_id uuid not null,
  constraint one_store_for_an_id primary key (list, id)
);

-- Who works where: the lists of a store's people and owners are read from it.
create table works_at (
  store_id uuid not null,
  staff_id uuid not null,
  role text not null check (role in ('staff', 'manager', 'owner')),
  primary key (store_id, staff_id)
);
create index works_at_of_person on works_at (staff_id);

-- One row a change of an object or a partner, with who made it. Personal values, cards and sessions are named in `fields` without their
-- values.
create table change (
  id bigint generated always as identity primary key,
  -- The store whose log shows it; null for what a customer changes of their own.
  store_id uuid,
  kind text not null,
  object_id uuid not null,
  version integer not null,
  at timestamptz not null,
  by_id text not null,
  by_name text,
  fields jsonb not null check (jsonb_typeof(fields) = 'array' and octet_length(fields::text) <= 500000),
  constraint one_change_for_a_version unique (kind, object_id, version)
);
create index change_of_store on change (store_id, at desc, id desc);

-- Pictures, each under the sha-256 of its bytes. None is changed or removed: an address that was given out stays good.
create table picture (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Stored as it is: it is compressed already.
  bytes bytea storage external not null check (octet_length(bytes) <= 1048576),
  -- Who uploaded it first.
  store_id uuid not null,
  by_id text not null,
  uploaded_at timestamptz not null
);
create index picture_of_store on picture (store_id, uploaded_at);

-- Parts of imports, which are run together. They are deleted a day after they were staged.
create table import_part (
  import_id uuid not null,
  part integer not null,
  entries jsonb not null,
  plan jsonb,
  -- What the import did. Null as long as it was not run, or only as a dry run.
  result jsonb,
  -- The snapshots that it published.
  event_ids uuid[] not null default '{}',
  staged_at timestamptz not null,
  primary key (import_id, part)
);
create index import_part_by_age on import_part (staged_at);

-- How far the service has looked at its own stream, and the snapshots there that it did not publish, as a sentence for the operator.
create table stream_position (
  single boolean primary key default true check (single),
  read_up_to bigint not null,
  fault text,
  looked_at timestamptz not null
);

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
  -- The account where it began, which may move since; null for a guest.
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
  constraint session_of_a_guest check ((issuer is null) = (subject is null) and (issuer is not null or kind = 'customer'))
);
create index session_by_expiry on session (expires_at);
create index session_of_person on session (person_id);

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

-- Erasures of customers. A row stays: it is the record that it was done, and names no person.
create table erasure (
  customer_id uuid primary key,
  -- The certificate is read with it alone.
  receipt uuid not null constraint one_erasure_for_a_receipt unique,
  requested_at timestamptz not null,
  -- 'retention': the customer has not visited for as long as the operator says.
  requested_by text not null,
  -- The operator, or the merchant; null for the customer.
  by_id text,
  store_id uuid,
  -- Null while a store has asked for it and no operator has begun it.
  begun_at timestamptz,
  -- Of the event that was published last; 0 before.
  sequence bigint not null default 0,
  finished_at timestamptz,
  -- What each service has done, by its name.
  reports jsonb not null default '{}',
  constraint erasure_is_begun_by_an_event check ((begun_at is null) = (sequence = 0)),
  constraint erasure_ends_after_it_began check (finished_at is null or begun_at is not null)
);
alter table erasure add constraint erasure_requested_by_check
  check (requested_by in ('customer', 'merchant', 'operator', 'retention')) not valid;
create index erasure_open on erasure (requested_at) where finished_at is null;

-- Who read whose data: a chain of rows for each store, and one for the platform. Each row has the hash of itself and of the hash before, so
-- that one that is changed, removed or moved later shows. It names people by their ids alone.
create table data_access (
  -- The store; all f for reads of the platform.
  chain uuid not null,
  number bigint not null check (number > 0),
  at timestamptz not null,
  by_kind text not null check (by_kind in ('merchant', 'staff', 'operator', 'customer')),
  by_id text not null,
  -- Null for everyone.
  customer_id uuid,
  what text not null,
  request_id text,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (chain, number)
);
create index data_access_of_customer on data_access (customer_id, at) where customer_id is not null;

-- The last row of each chain. It is locked while rows are added.
create table data_access_head (
  chain uuid primary key,
  number bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
);

create function keep_tags() returns trigger language plpgsql as $$
begin
  delete from tag where store_id = new.id
    and uid not in (select upper(t ->> 'uid') from jsonb_array_elements(new.data -> 'tags') t);
  insert into tag (uid, store_id)
    select distinct upper(t ->> 'uid'), new.id from jsonb_array_elements(new.data -> 'tags') t
    where not exists (select from tag where uid = upper(t ->> 'uid') and store_id = new.id);
  return null;
end $$;
create trigger keep_tags after insert or update of data on object
  for each row when (new.kind = 'programme') execute function keep_tags();

create function keep_ids() returns trigger language plpgsql as $$
begin
  insert into owned_id (list, id, store_id)
    select distinct l.list, (e ->> 'id')::uuid, new.id
    from (select case new.kind when 'menu' then 'promos' else 'slots' end as list) l,
      jsonb_array_elements(coalesce(new.data -> l.list, '[]')) e
    where not exists (select from owned_id o where o.list = l.list and o.id = (e ->> 'id')::uuid and o.store_id = new.id);
  return null;
end $$;
create trigger keep_ids after insert or update of data on object
  for each row when (new.kind in ('menu', 'slots')) execute function keep_ids();

create function keep_works_at() returns trigger language plpgsql as $$
begin
  delete from works_at where staff_id = new.id;
  insert into works_at (store_id, staff_id, role)
    select (s ->> 'id')::uuid, new.id, s ->> 'role' from jsonb_array_elements(new.data -> 'stores') s;
  return null;
end $$;
create trigger keep_works_at after insert or update of data on object
  for each row when (new.kind = 'staff') execute function keep_works_at();

-- Nothing that names an erased customer is written again: see the chassis' table erased_customer.
create function refuse_erased_profile() returns trigger language plpgsql as $$
begin
  if is_erased(new.id)
    and (coalesce(new.data ->> 'name', new.data ->> 'email', new.data ->> 'phone', new.data ->> 'identity_user_id', new.data ->> 'language')
        is not null
      or jsonb_array_length(coalesce(new.data -> 'push_devices', '[]')) > 0 or jsonb_array_length(coalesce(new.data -> 'memberships', '[]')) > 0) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $$;
create trigger refuse_erased_profile before insert or update of data on object
  for each row when (new.kind = 'customer') execute function refuse_erased_profile();

create function refuse_erased_person() returns trigger language plpgsql as $$
begin
  if is_erased(new.person_id) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $$;
create trigger refuse_erased_person before insert on session for each row
  when (new.kind = 'customer') execute function refuse_erased_person();
create trigger refuse_erased_person before insert on account for each row
  when (new.kind = 'customer') execute function refuse_erased_person();

-- Rows of data_access are only added, for any role.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are added, never changed or removed.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger refuse_rewriting before update or delete on data_access for each row execute function refuse_rewriting();
create trigger refuse_truncation before truncate on data_access for each statement execute function refuse_rewriting();
