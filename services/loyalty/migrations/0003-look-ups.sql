-- Who looked for which customer: a record, kept for a while. What was asked is masked, so that the record itself names no customer.
create table look_up (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  at timestamptz not null,
  by_id text not null,
  by_name text,
  kind text not null check (kind in ('card', 'phone', 'email', 'name')),
  asked text not null,
  found integer not null
);
create index look_up_by_age on look_up (at);
