-- How an order was placed, and whether it was sold to someone who is not known: customer_id is then the id of the main order.
alter table orders
  add column channel text not null default 'phone',
  add column without_customer boolean not null default false,
  add constraint orders_channel_check check (channel in ('phone', 'counter', 'partner')) not valid;

-- What a charge was paid with, or what a refund gave back, when it is not the payment provider's money: then null. A till has given cash, the
-- reference of a card reader, and the person who took it.
alter table ledger
  add column tender text,
  add column given_pence integer,
  add column reference text,
  add column by_id text,
  add constraint ledger_tender_check check (tender in ('cash', 'external_card', 'none')) not valid;

-- The tenders of an order sum to its total, and no refund takes more of one than it paid. Checked when the transaction ends. Charges of the
-- provider, which are one for an order and compared with its total before, do not come here.
create function check_tenders() returns trigger
language plpgsql set search_path from current as $$
declare
  charged bigint;
  total bigint;
  overdrawn text;
begin
  select coalesce(sum(amount_pence), 0) into charged from ledger where order_id = new.order_id and kind = 'charge';
  select total_pence into total from orders where id = new.order_id;
  if charged <> total then
    raise exception 'the tenders of order % sum to %, and its total is %', new.order_id, charged, total
      using errcode = 'check_violation', constraint = 'tenders_sum_to_the_total';
  end if;
  select tender into overdrawn from ledger where order_id = new.order_id and tender is not null group by tender having sum(amount_pence) < 0;
  if overdrawn is not null then
    raise exception 'order % is refunded more by % than it was paid', new.order_id, overdrawn
      using errcode = 'check_violation', constraint = 'refunds_go_back_by_their_tender';
  end if;
  return null;
end $$;
create constraint trigger check_tenders after insert on ledger deferrable initially deferred
  for each row when (new.tender is not null) execute function check_tenders();
