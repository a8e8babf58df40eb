-- Names of customers as the directory publishes them, for the store's board and log.
create table customer (
  id uuid primary key,
  version bigint not null,
  name text
);
