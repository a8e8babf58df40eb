-- Who shares the tips of a day, as a manager entered it. The latest version of a day counts.
create table tip_list (
  -- Derived from the request, so that a repeat enters nothing.
  id uuid primary key,
  store_id uuid not null,
  -- A day of the store's time zone.
  day date not null,
  version integer not null check (version > 0),
  -- [{key, worker, weight}]: hours or points in hundredths. The random key is hashed with them.
  shares jsonb not null,
  entered_at timestamptz not null,
  entered_by_id text not null,
  entered_by_name text,
  -- A JWS in compact form, of the payload TipListStatement; without a signature where the platform had no key.
  proof text not null,
  constraint one_tip_list_for_a_version unique (store_id, day, version)
);
create trigger refuse_rewriting before update or delete on tip_list for each row execute function refuse_rewriting();
create trigger refuse_truncation before truncate on tip_list for each statement execute function refuse_rewriting();
