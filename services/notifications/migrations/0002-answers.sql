-- To which numbers texts were sent, and for whom last: an answer goes to that store. A number is a keyed hash.
create table texted_number (
  number bytea primary key check (octet_length(number) = 32),
  store_id uuid not null,
  -- Null for a guest of the queue: then the row goes once no answer is taken any more.
  customer_id uuid,
  entry_ref uuid,
  at timestamptz not null
);
create index texted_number_of_customer on texted_number (customer_id) where customer_id is not null;
create index texted_number_of_guest on texted_number (at) where customer_id is null;

-- The record of who wants no texts: a row for each word such as STOP or START that came from a number. The newest counts, whenever it
-- arrives. It stays after an erasure, since the number would get texts again when someone else gives it.
create table text_consent (
  -- The provider's id of the text, so that a repeat finds it.
  text_id text primary key check (octet_length(text_id) between 1 and 64),
  number bytea not null check (octet_length(number) = 32),
  -- When the provider received it; when it arrived here, while the provider does not say.
  at timestamptz not null,
  accepted boolean not null,
  word text not null check (octet_length(word) between 1 and 64)
);
create index text_consent_of_number on text_consent (number, at desc, accepted);
create trigger refuse_rewriting before update on text_consent for each row execute function refuse_rewriting();

-- What people sent back to a store's texts.
create table text_answer (
  -- Derived from the provider's id of the text, so that a repeat finds it.
  id uuid primary key,
  store_id uuid not null,
  customer_id uuid,
  entry_ref uuid,
  text text not null check (char_length(text) between 1 and 1600),
  at timestamptz not null
);
create index text_answer_of_store on text_answer (store_id, at desc, id);
create index text_answer_of_customer on text_answer (customer_id) where customer_id is not null;
create index text_answer_of_guest on text_answer (at) where customer_id is null;

create trigger skip_erased before insert on texted_number for each row execute function skip_erased();
create trigger skip_erased before insert on text_answer for each row execute function skip_erased();
