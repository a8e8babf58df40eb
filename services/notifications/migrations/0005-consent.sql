-- The record of consent to a store's marketing: a row for each answer, with the text that the customer saw. An answer to the question is also one
-- of its two asks. Rows are added in the transaction of the change, never changed, and go with the customer.
create table consent (
  customer_id uuid not null,
  store_id uuid not null,
  -- Of the event that was published about it.
  sequence bigint not null,
  at timestamptz not null,
  accepted boolean not null,
  -- Where the customer answered: at the question, on the page of preferences, by the link of a mail, or over the API by an app that did not say
  -- what it showed.
  way text not null check (way in ('question', 'preferences', 'unsubscribe', 'api')),
  -- The text, as the app says that it showed it, and its language (BCP 47).
  wording text check (octet_length(wording) between 1 and 4000),
  locale text check (octet_length(locale) between 1 and 64),
  -- Which of the two asks it answers; null for a change without a question, and for an answer after both.
  ask smallint constraint consent_asked_twice_at_most check (ask between 1 and 2),
  primary key (customer_id, store_id, sequence),
  constraint consent_once_for_an_ask unique (customer_id, store_id, ask),
  constraint consent_shows_its_wording check ((way in ('question', 'preferences')) = (wording is not null) and (wording is null) = (locale is null))
);
create trigger refuse_erased before insert on consent for each row execute function refuse_erased();

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger refuse_rewriting before update on consent for each row execute function refuse_rewriting();
