-- Written by `npm run schema` from the migrations; reviewed in diffs, checked by a test, run by nothing.

create table account (
  issuer text not null,
  subject text not null,
  kind text not null,
  person_id uuid not null,
  name text,
  created_at timestamp with time zone not null,
  constraint account_pkey PRIMARY KEY (issuer, subject, kind),
  constraint one_account_for_a_person UNIQUE (person_id, kind),
  constraint account_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'team'::text])))
);

create table change (
  id bigint generated always as identity not null,
  store_id uuid,
  kind text not null,
  object_id uuid not null,
  version integer not null,
  at timestamp with time zone not null,
  by_id text not null,
  by_name text,
  fields jsonb not null,
  constraint change_pkey PRIMARY KEY (id),
  constraint one_change_for_a_version UNIQUE (kind, object_id, version),
  constraint change_fields_check CHECK (((jsonb_typeof(fields) = 'array'::text) AND (octet_length((fields)::text) <= 500000)))
);
CREATE INDEX change_of_store ON change USING btree (store_id, at DESC, id DESC);

create table data_access (
  chain uuid not null,
  number bigint not null,
  at timestamp with time zone not null,
  by_kind text not null,
  by_id text not null,
  customer_id uuid,
  what text not null,
  request_id text,
  hash bytea not null,
  constraint data_access_pkey PRIMARY KEY (chain, number),
  constraint data_access_by_kind_check CHECK ((by_kind = ANY (ARRAY['merchant'::text, 'staff'::text, 'operator'::text, 'customer'::text]))),
  constraint data_access_hash_check CHECK ((octet_length(hash) = 32)),
  constraint data_access_number_check CHECK ((number > 0))
);
CREATE INDEX data_access_of_customer ON data_access USING btree (customer_id, at) WHERE (customer_id IS NOT NULL);

create table data_access_head (
  chain uuid not null,
  number bigint not null,
  hash bytea not null,
  constraint data_access_head_pkey PRIMARY KEY (chain),
  constraint data_access_head_hash_check CHECK ((octet_length(hash) = 32))
);

create table erasure (
  customer_id uuid not null,
  receipt uuid not null,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  by_id text,
  store_id uuid,
  begun_at timestamp with time zone,
  sequence bigint default 0 not null,
  finished_at timestamp with time zone,
  reports jsonb default '{}'::jsonb not null,
  constraint erasure_pkey PRIMARY KEY (customer_id),
  constraint one_erasure_for_a_receipt UNIQUE (receipt),
  constraint erasure_ends_after_it_began CHECK (((finished_at IS NULL) OR (begun_at IS NOT NULL))),
  constraint erasure_is_begun_by_an_event CHECK (((begun_at IS NULL) = (sequence = 0))),
  constraint erasure_requested_by_check CHECK ((requested_by = ANY (ARRAY['customer'::text, 'merchant'::text, 'operator'::text, 'retention'::text]))) NOT VALID
);
CREATE INDEX erasure_open ON erasure USING btree (requested_at) WHERE (finished_at IS NULL);

create table import_part (
  import_id uuid not null,
  part integer not null,
  entries jsonb not null,
  plan jsonb,
  result jsonb,
  event_ids uuid[] default '{}'::uuid[] not null,
  staged_at timestamp with time zone not null,
  constraint import_part_pkey PRIMARY KEY (import_id, part)
);
CREATE INDEX import_part_by_age ON import_part USING btree (staged_at);

create table invitation (
  id uuid not null,
  store_id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  language text,
  by_id uuid not null,
  by_name text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  request_id uuid,
  accepted_by uuid,
  withdrawn boolean default false not null,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint one_invitation_for_a_request UNIQUE (request_id),
  constraint invitation_ends_once CHECK (((accepted_by IS NULL) OR (NOT withdrawn))),
  constraint invitation_role_check CHECK ((role = ANY (ARRAY['staff'::text, 'manager'::text, 'owner'::text])))
);
CREATE INDEX invitation_by_expiry ON invitation USING btree (expires_at);
CREATE UNIQUE INDEX one_invitation_for_an_address ON invitation USING btree (store_id, lower(email)) WHERE ((accepted_by IS NULL) AND (NOT withdrawn));

CREATE OR REPLACE FUNCTION keep_ids()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into owned_id (list, id, store_id)
    select distinct l.list, (e ->> 'id')::uuid, new.id
    from (select case new.kind when 'menu' then 'promos' else 'slots' end as list) l,
      jsonb_array_elements(coalesce(new.data -> l.list, '[]')) e
    where not exists (select from owned_id o where o.list = l.list and o.id = (e ->> 'id')::uuid and o.store_id = new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_tags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from tag where store_id = new.id
    and uid not in (select upper(t ->> 'uid') from jsonb_array_elements(new.data -> 'tags') t);
  insert into tag (uid, store_id)
    select distinct upper(t ->> 'uid'), new.id from jsonb_array_elements(new.data -> 'tags') t
    where not exists (select from tag where uid = upper(t ->> 'uid') and store_id = new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_works_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from works_at where staff_id = new.id;
  insert into works_at (store_id, staff_id, role)
    select (s ->> 'id')::uuid, new.id, s ->> 'role' from jsonb_array_elements(new.data -> 'stores') s;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION look_alike(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select regexp_replace(
    replace(replace(replace(replace(replace(translate(
      lower(translate(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g'),
        'АВЕЅІЈКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABESIJKMHOPCTYXABEZHIKMNOPTYX') collate "pg_c_utf8"),
      'авеѕіјкмнорстухһԁԛԝгьαβεηικνορτυχςɑɡıłøđ01i|', 'abesljkmhopctyxhdqwrbabenlkvoptuxcagllodolll'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'rn', 'm'), 'vv', 'w') collate "pg_c_utf8",
    '[^[:alnum:]]+', '', 'g')
$function$;

create table object (
  kind text not null,
  id uuid not null,
  store_id uuid,
  version integer not null,
  published bigint not null,
  data jsonb not null,
  published_until date,
  starts_at timestamp with time zone,
  last_request uuid,
  changed_at timestamp with time zone not null,
  code text generated always as (
CASE
    WHEN (kind = 'store'::text) THEN upper((data ->> 'code'::text))
    ELSE NULL::text
END) stored,
  constraint object_pkey PRIMARY KEY (kind, id),
  constraint one_store_for_a_code UNIQUE (code),
  constraint object_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
  constraint object_is_not_too_large CHECK ((octet_length((data)::text) <= 500000)),
  constraint object_is_the_stores CHECK (((kind = ANY (ARRAY['booking'::text, 'customer'::text, 'staff'::text])) OR (store_id = id))),
  constraint object_kind_check CHECK ((kind = ANY (ARRAY['store'::text, 'menu'::text, 'slots'::text, 'programme'::text, 'floor'::text, 'booking'::text, 'customer'::text, 'staff'::text]))),
  constraint object_of_a_store CHECK (((kind = ANY (ARRAY['customer'::text, 'staff'::text])) = (store_id IS NULL))),
  constraint object_published_check CHECK ((published > 0)),
  constraint object_renewed_with_a_template CHECK (((published_until IS NULL) OR (kind = ANY (ARRAY['slots'::text, 'floor'::text])))),
  constraint object_start_of_a_booking CHECK (((kind = 'booking'::text) = (starts_at IS NOT NULL))),
  constraint object_version_check CHECK ((version > 0))
);
CREATE INDEX object_booking_by_start ON object USING btree (store_id, starts_at, id) WHERE (kind = 'booking'::text);
CREATE INDEX object_store_by_look_alike ON object USING btree (look_alike((data ->> 'name'::text)) COLLATE "C") WHERE (kind = 'store'::text);
CREATE INDEX object_to_renew ON object USING btree (published_until, store_id, kind) WHERE (published_until IS NOT NULL);

create table owned_id (
  list text not null,
  id uuid not null,
  store_id uuid not null,
  constraint one_store_for_an_id PRIMARY KEY (list, id),
  constraint owned_id_list_check CHECK ((list = ANY (ARRAY['promos'::text, 'slots'::text])))
);

create table partner (
  id uuid not null,
  name text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  logged integer default 0 not null,
  constraint partner_pkey PRIMARY KEY (id)
);

create table partner_secret (
  id uuid not null,
  partner_id uuid not null,
  hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint partner_secret_pkey PRIMARY KEY (id),
  constraint partner_secret_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint partner_secret_hash_check CHECK ((octet_length(hash) = 32))
);
CREATE UNIQUE INDEX one_newest_secret_of_partner ON partner_secret USING btree (partner_id) WHERE (expires_at IS NULL);
CREATE INDEX partner_secret_of_partner ON partner_secret USING btree (partner_id);

create table partner_store (
  partner_id uuid not null,
  store_id uuid not null,
  withdrawn_at timestamp with time zone,
  constraint partner_store_pkey PRIMARY KEY (partner_id, store_id),
  constraint partner_store_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);
CREATE INDEX partner_of_store ON partner_store USING btree (store_id);

create table picture (
  hash text not null,
  type text not null,
  bytes bytea not null,
  store_id uuid not null,
  by_id text not null,
  uploaded_at timestamp with time zone not null,
  constraint picture_pkey PRIMARY KEY (hash),
  constraint picture_bytes_check CHECK ((octet_length(bytes) <= 1048576)),
  constraint picture_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint picture_type_check CHECK ((type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text])))
);
CREATE INDEX picture_of_store ON picture USING btree (store_id, uploaded_at);

CREATE OR REPLACE FUNCTION refuse_erased_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_erased(new.person_id) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refuse_erased_profile()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_erased(new.id)
    and (coalesce(new.data ->> 'name', new.data ->> 'email', new.data ->> 'phone', new.data ->> 'identity_user_id', new.data ->> 'language')
        is not null
      or jsonb_array_length(coalesce(new.data -> 'push_devices', '[]')) > 0 or jsonb_array_length(coalesce(new.data -> 'memberships', '[]')) > 0) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Rows of % are added, never changed or removed.', tg_table_name using errcode = 'restrict_violation';
end $function$;

create table session (
  id uuid not null,
  kind text not null,
  person_id uuid not null,
  issuer text,
  subject text,
  counter integer default 1 not null,
  started_at timestamp with time zone not null,
  refreshed_at timestamp with time zone not null,
  last_request uuid,
  first_request uuid,
  id_token_hash bytea,
  expires_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint one_session_for_a_request UNIQUE (first_request),
  constraint one_session_for_an_id_token UNIQUE (id_token_hash),
  constraint session_counter_check CHECK ((counter > 0)),
  constraint session_id_token_hash_check CHECK ((octet_length(id_token_hash) = 32)),
  constraint session_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'team'::text]))),
  constraint session_of_a_guest CHECK ((((issuer IS NULL) = (subject IS NULL)) AND ((issuer IS NOT NULL) OR (kind = 'customer'::text))))
);
CREATE INDEX session_by_expiry ON session USING btree (expires_at);
CREATE INDEX session_of_person ON session USING btree (person_id);

create table staff_session (
  id uuid not null,
  store_id uuid not null,
  staff_id uuid not null,
  started_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  request_id uuid,
  constraint staff_session_pkey PRIMARY KEY (id),
  constraint one_staff_session_for_a_request UNIQUE (request_id)
);
CREATE INDEX staff_session_by_expiry ON staff_session USING btree (expires_at);
CREATE INDEX staff_session_of_person ON staff_session USING btree (staff_id, store_id, expires_at);

create table stream_position (
  single boolean default true not null,
  read_up_to bigint not null,
  fault text,
  looked_at timestamp with time zone not null,
  constraint stream_position_pkey PRIMARY KEY (single),
  constraint stream_position_single_check CHECK (single)
);

create table tag (
  uid text not null,
  store_id uuid not null,
  constraint one_store_for_a_tag PRIMARY KEY (uid) DEFERRABLE,
  constraint tag_uid_check CHECK ((uid = upper(uid)))
);
CREATE INDEX tag_of_store ON tag USING btree (store_id);

create table works_at (
  store_id uuid not null,
  staff_id uuid not null,
  role text not null,
  constraint works_at_pkey PRIMARY KEY (store_id, staff_id),
  constraint works_at_role_check CHECK ((role = ANY (ARRAY['staff'::text, 'manager'::text, 'owner'::text])))
);
CREATE INDEX works_at_of_person ON works_at USING btree (staff_id);
