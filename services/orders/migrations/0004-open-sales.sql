-- What was paid of a sale that is open. When it is paid, its parts become charges of the ledger, all at one moment; when it is cancelled
-- they are given back.
create table part_payment (
  -- Of the ledger's charge that it becomes.
  provider_ref text primary key,
  store_id uuid not null,
  order_id uuid not null references orders,
  tender text not null,
  amount_pence integer not null,
  given_pence integer,
  reference text,
  at timestamptz not null,
  by_id text not null,
  -- The drawer that cash came into; null where none was open, and for a card.
  drawer_id uuid references drawer,
  -- When it was given back; null while it counts.
  returned_at timestamptz,
  returned_by_id text,
  -- The drawer that cash went out of.
  returned_drawer_id uuid references drawer,
  constraint part_payment_tender_check check (tender in ('cash', 'external_card')),
  constraint a_part_pays_something check (amount_pence > 0)
);
create index part_payment_of_order on part_payment (order_id);
create index part_payment_of_drawer on part_payment (drawer_id) where drawer_id is not null;
create index part_payment_out_of_drawer on part_payment (returned_drawer_id) where returned_drawer_id is not null;

-- What reaches the total pays the sale. Checked when the transaction ends.
create function check_parts() returns trigger
language plpgsql set search_path from current as $$
begin
  if (select sum(p.amount_pence) >= (select o.total_pence from orders o where o.id = new.order_id)
      from part_payment p where p.order_id = new.order_id and p.returned_at is null) then
    raise exception 'the parts of order % reach its total', new.order_id
      using errcode = 'check_violation', constraint = 'parts_stay_below_the_total';
  end if;
  return null;
end $$;
create constraint trigger check_parts after insert on part_payment deferrable initially deferred
  for each row execute function check_parts();

-- A version that knows no parts would charge the whole total again, or end the sale and keep them.
create function check_open_parts() returns trigger
language plpgsql set search_path from current as $$
begin
  if exists (select from part_payment p where p.order_id = new.id and p.returned_at is null) then
    raise exception 'order % has parts that are neither charges nor given back', new.id
      using errcode = 'check_violation', constraint = 'parts_end_with_their_sale';
  end if;
  return null;
end $$;
create constraint trigger check_open_parts after update of payment_status on orders deferrable initially deferred
  for each row when (new.channel <> 'phone' and new.payment_status in ('paid', 'cancelled', 'expired'))
  execute function check_open_parts();
