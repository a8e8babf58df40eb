-- What the kitchen makes in a quarter of an hour: {minutes, max_items} or {minutes, make_minutes}. Null for any number.
alter table store add column pace jsonb;
-- Minutes of work on one; null where the menu does not say.
alter table menu_item add column make_minutes smallint;

-- How full a quarter of an hour of a store with a pace is, made when an order or staff first touch it.
create table pace_quarter (
  store_id uuid not null,
  starts_at timestamptz not null,
  taken integer not null default 0 check (taken >= 0),
  -- The store's pace when it was last taken from, or what staff set.
  capacity integer not null check (capacity >= 0),
  by_staff boolean not null default false,
  -- What counter sales and late payments took beyond it, or staff took away below what was taken.
  over_capacity integer not null default 0 check (over_capacity >= 0),
  primary key (store_id, starts_at),
  constraint the_kitchen_is_never_overfilled check (taken <= capacity + over_capacity),
  constraint a_quarter_begins_on_the_clock check (extract(epoch from starts_at) % 900 = 0)
);
create trigger note_change after insert or update or delete on pace_quarter for each row execute function note_change('store');

alter table hold drop constraint hold_kind_check;
alter table hold add constraint hold_kind_check check (kind in ('stock', 'slot', 'promo', 'pace')) not valid;
alter table store_log_entry drop constraint store_log_entry_kind_check;
alter table store_log_entry add constraint store_log_entry_kind_check check (kind in (
  'paused', 'resumed', 'marked_sold_out', 'mark_ended', 'left_set', 'left_unset', 'drawer_opened', 'cash_paid_out', 'drawer_closed',
  'pace_set', 'pace_unset')) not valid;

-- Takes what the parts of an order need from the kitchen's quarters: each part from its own, in their order, as much as is free, until it
-- has all. Ends the statement by the part's refusal when they are too full, and by READY_LATER when a part would be ready in a later
-- quarter than was expected, unless that is the one it is now. A part that takes from a later quarter is ready then, or when it can be
-- made. A part of a counter sale takes all from its first quarter. Volatile, so that under the locks of the quarters it sees what others
-- committed while the statement waited.
create function take_pace(at_store uuid, usual integer, wanted jsonb, at timestamptz, may_overfill boolean)
returns table (order_id uuid, ref text, quantity integer, ready_at timestamptz) language plpgsql volatile as $$
declare
  part record;
  quarter timestamptz;
  rest integer;
begin
  perform 1 from pace_quarter q
    where q.store_id = at_store and q.starts_at in (select jsonb_array_elements_text(w -> 'quarters')::timestamptz from jsonb_array_elements(wanted) w)
    order by q.starts_at for update;
  for part in
    select * from jsonb_to_recordset(wanted) as w(order_id uuid, units integer, prep_minutes integer, quarters timestamptz[], expected timestamptz, refusal text)
  loop
    rest := part.units;
    order_id := part.order_id;
    foreach quarter in array part.quarters loop
      insert into pace_quarter as q (store_id, starts_at, capacity) values (at_store, quarter, usual)
      on conflict (store_id, starts_at) do update
      set capacity = case when q.by_staff then q.capacity else usual end,
          over_capacity = greatest(0, q.taken - case when q.by_staff then q.capacity else usual end)
      returning case when may_overfill then rest else least(rest, greatest(0, q.capacity - q.taken)) end into quantity;
      ref := to_char(quarter at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
      ready_at := case when quarter > at then greatest(quarter, at + make_interval(mins => part.prep_minutes)) end;
      continue when quantity = 0;
      update pace_quarter q set taken = q.taken + quantity, over_capacity = greatest(0, q.taken + quantity - q.capacity)
      where q.store_id = at_store and q.starts_at = quarter;
      return next;
      rest := rest - quantity;
      exit when rest = 0;
    end loop;
    if rest > 0 then
      perform refuse(part.refusal);
    elsif quarter > greatest(part.expected, at) and part.expected is not null then
      perform refuse('READY_LATER', ref);
    end if;
  end loop;
end $$;
