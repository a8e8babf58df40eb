-- Switches of the moment, which staff set during the day. Snapshots of the directory do not touch them, and they end by themselves: the
-- reader compares the time.

-- Counts the changes of a store's switches. An order is placed only at the count at which it was checked.
alter table store add column switches bigint not null default 0;
alter table store add column staff_pause boolean not null default false;
-- Null for a pause that lasts until staff end it.
alter table store add column staff_pause_until timestamptz;
alter table store add column staff_pause_by_id text;
alter table store add column staff_pause_by_name text;
alter table store add column staff_pause_at timestamptz;

-- Whether staff marked it as sold out.
alter table menu_item add column sold_out boolean not null default false;
-- Null for a mark that lasts until staff change it.
alter table menu_item add column sold_out_until timestamptz;
-- Whether staff set what is left. Then `stock` follows them, and `directory_stock` keeps what the directory says meanwhile.
alter table menu_item add column left_by_staff boolean not null default false;
alter table menu_item add column directory_stock integer;
alter table menu_item add column switched_by_id text;
alter table menu_item add column switched_by_name text;
alter table menu_item add column switched_at timestamptz;

-- Every change of a switch, by whom.
create table store_log_entry (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('paused', 'resumed', 'marked_sold_out', 'mark_ended', 'left_set', 'left_unset')),
  by_id text not null,
  by_name text,
  -- The item and its name at that time. Null for the pause.
  menu_item_id text,
  item_name text,
  -- When the pause or the mark ends. Null for one that lasts until staff change it.
  until timestamptz,
  units_left integer
);
create index log_of_store on store_log_entry (store_id, at desc, id desc);

-- Refuses as refuse(code) does, and names the row that is why.
create function refuse(code text, ref text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'CR001', message = code, detail = ref;
end $$;
