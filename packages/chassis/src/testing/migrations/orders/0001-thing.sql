create table thing (
  id uuid primary key,
  store_id uuid not null,
  version bigint not null default 1
);
