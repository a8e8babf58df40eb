-- What staff wrote to a customer, and who did. What became of it is the message of the same id.
create table written_message (
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid not null,
  text text not null,
  by_id text not null,
  by_name text,
  at timestamptz not null
);
create index written_message_of_store on written_message (store_id, at desc, id);
create index written_message_of_customer on written_message (customer_id, at desc);
create trigger refuse_erased before insert or update of customer_id on written_message for each row execute function refuse_erased();
