-- Into how many parts the events that the service consumes are divided, and for how many the leases are made. They differ while a change waits for the
-- replicas that read the former parts.
create table consumer_layout (
  single boolean primary key default true check (single),
  parts integer not null default 1 check (parts between 1 and 64),
  prepared integer not null default 1
);
insert into consumer_layout default values;

-- A row for each part, with the token of the replica that reads it.
alter table consumer_lease add column part integer not null default 0;
-- allowed: the table has one row, and the released version finds it by its column `single`
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field
alter table consumer_lease drop constraint consumer_lease_pkey, add primary key (part);

-- How far the inbox is complete for a part, of several: it holds all of the part's events up to this number. consumer_position has the least of them.
create table consumer_part (
  producer text not null,
  part integer not null,
  complete_up_to bigint not null,
  incarnations jsonb not null,
  clean boolean not null default true,
  last bigint,
  missing bigint not null default 0,
  missing_since timestamptz,
  primary key (producer, part)
);
