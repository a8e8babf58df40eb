-- The place in the queue that earned the stamp, where the programme rewards visits.
alter table stamp add column visit_ref uuid;

-- What is known of a customer's visit: of the events of a place in the queue, the one with the highest sequence counts.
create table visit (
  ref uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  sequence bigint not null,
  completed boolean not null
);
