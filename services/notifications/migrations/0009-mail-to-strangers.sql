-- False for an address that the customer typed and no sign-in has confirmed.
alter table customer add column email_verified boolean not null default true;

-- The typed address of a customer that had its one mail. It gets more once its owner has confirmed it. Addresses are keyed hashes.
create table typed_address (
  customer_id uuid not null,
  address bytea not null check (octet_length(address) = 32),
  first_message uuid not null,
  at timestamptz not null,
  confirmed_at timestamptz,
  primary key (customer_id, address)
);
create index typed_address_by_address on typed_address (address);
create trigger skip_erased before insert on typed_address for each row execute function skip_erased();

-- Addresses whose owner said that they asked for nothing.
create table refused_address (
  address bytea primary key check (octet_length(address) = 32),
  at timestamptz not null
);

-- Mails to an address in the current hour and day, over all customers and stores. A repeat of the last message counts once.
create table mail_count (
  address bytea not null check (octet_length(address) = 32),
  kind text not null check (kind in ('own', 'typed', 'contact')),
  hour timestamptz not null,
  in_hour integer not null,
  day timestamptz not null,
  in_day integer not null,
  last_message uuid not null,
  primary key (address, kind)
);
create index mail_count_by_day on mail_count (day);
