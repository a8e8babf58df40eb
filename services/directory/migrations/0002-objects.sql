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

-- The tags of all programmes: a tag belongs to one store. Kept by a trigger, so that a change and an import of many keep it alike.
create table tag (
  uid text not null check (uid = upper(uid)),
  store_id uuid not null,
  constraint one_store_for_a_tag primary key (uid) deferrable initially immediate
);
create index tag_of_store on tag (store_id);
create function keep_tags() returns trigger language plpgsql as $$
begin
  delete from tag where store_id = new.id
    and uid not in (select upper(t ->> 'uid') from jsonb_array_elements(new.data -> 'tags') t);
  insert into tag (uid, store_id)
    select distinct upper(t ->> 'uid'), new.id from jsonb_array_elements(new.data -> 'tags') t
    where not exists (select from tag where uid = upper(t ->> 'uid') and store_id = new.id);
  return null;
end $$;
create trigger keep_tags after insert or update of data on object for each row when (new.kind = 'programme') execute function keep_tags();

-- Who works where: the lists of a store's people and owners are read from it.
create table works_at (
  store_id uuid not null,
  staff_id uuid not null,
  role text not null check (role in ('staff', 'manager', 'owner')),
  primary key (store_id, staff_id)
);
create index works_at_of_person on works_at (staff_id);
create function keep_works_at() returns trigger language plpgsql as $$
begin
  delete from works_at where staff_id = new.id;
  insert into works_at (store_id, staff_id, role)
    select (s ->> 'id')::uuid, new.id, s ->> 'role' from jsonb_array_elements(new.data -> 'stores') s;
  return null;
end $$;
create trigger keep_works_at after insert or update of data on object for each row when (new.kind = 'staff') execute function keep_works_at();

-- One row a change, with who made it. Personal values, cards and sessions are named in `fields` without their values.
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
  constraint one_change_for_a_version unique (kind, object_id, version),
  foreign key (kind, object_id) references object (kind, id)
);
create index change_of_store on change (store_id, at desc, id desc);
