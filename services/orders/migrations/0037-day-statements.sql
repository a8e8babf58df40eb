-- What was signed of a day when it was closed: a chain of days for each store, of which each names the one before. The rows themselves stay where
-- they are; the proof has a hash of each.
create table day_statement (
  store_id uuid not null,
  day date not null,
  number integer not null check (number > 0),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  currency text not null,
  -- The payouts that are in it: those that were known by then, and in no day before. The provider changes their state later.
  payout_ids text[] not null,
  -- A JWS in compact form, of the payload DayStatement; without a signature where the platform had no key.
  proof text not null,
  primary key (store_id, day),
  constraint one_statement_for_a_number unique (store_id, number)
);

-- Statements are only added, for any role.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are added, never changed or removed.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger refuse_rewriting before update or delete on day_statement for each row execute function refuse_rewriting();
create trigger refuse_truncation before truncate on day_statement for each statement execute function refuse_rewriting();
