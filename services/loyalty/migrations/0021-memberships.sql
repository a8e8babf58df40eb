-- What events have said of a customer's membership of a store, as the directory publishes it.
create table membership (
  store_id uuid not null,
  customer_id uuid not null,
  -- The version of the customer's snapshot that it is from.
  version bigint not null,
  active boolean not null,
  plan_name text,
  -- Until when it is paid; null when it does not end.
  current_period_end timestamptz,
  -- The end of the period of which an event has said that it comes.
  ending_said_for timestamptz,
  event_sequence integer not null default 0,
  primary key (store_id, customer_id)
);
create index membership_of_customer on membership (customer_id);
create index membership_by_end on membership (current_period_end) where active and current_period_end is not null;
create trigger refuse_erased before insert or update of customer_id on membership for each row execute function refuse_erased();

-- Those that are there have begun: no one is told so.
insert into membership (store_id, customer_id, version, active, plan_name, current_period_end)
select distinct on (c.id, m.store_id) m.store_id, c.id, c.version, true, m.plan_name, m.current_period_end
from customer c cross join lateral jsonb_to_recordset(c.memberships) m (store_id uuid, status text, plan_name text, current_period_end timestamptz)
where m.status in ('active', 'trialing') and (m.current_period_end is null or m.current_period_end > now())
on conflict do nothing;
