alter table orders
  -- Keyed hash of the address that the order was placed from, while it is unpaid or, of one that costs nothing, open; else null.
  add column address_hash bytea,
  -- When an attempt to pay it first became known; null before.
  add column payment_attempted_at timestamptz;

-- The store, where the customer had paid no order before this one was placed and it is to be paid; else null.
alter table hold add column unproven_store_id uuid;

-- Whether the unpaid holds of customers who have paid nothing before may take `units` more of a slot's places, an item's stock or a code's
-- uses, of which `left_over` would be left: together at most `amount`, or `share` percent of what they hold and what is left. Ends the
-- statement otherwise. Volatile, so that under the lock of the slot, item or code it sees what others committed while the statement waited.
create function unproven_may_hold(at_store uuid, of_kind text, of_ref text, units bigint, left_over bigint, amount integer, share integer)
returns boolean language plpgsql volatile as $$
declare
  together bigint := units + (
    select coalesce(sum(h.quantity), 0) from hold h
    where h.unproven_store_id = at_store and h.ref = of_ref and h.kind = of_kind and h.state = 'held');
begin
  return together <= amount or together * 100 <= share * (together + left_over) or refuse('UNPROVEN_SHARE', of_kind || ' ' || of_ref);
end $$;

-- Whether a customer may have one more order that is to be paid, or that costs nothing, at a store: `most` are the limits of a customer, a
-- device and an address; one without a device or an address has no such limit. Ends the statement otherwise, by REPLACE_ORDER with the id of
-- the customer's oldest unpaid order that no one tried to pay, or by OPEN_ORDERS with whose limit it is and when the first of the orders
-- counted ends, if that is known. The condition of the index is spelt out, and the status hidden in `coalesce`, or a plan would read all
-- unpaid orders by the index of those. Volatile, so that under the lock of the store's row it sees what others committed while the statement
-- waited.
create function may_open_order(at_store uuid, of_customer uuid, of_device bytea, of_address bytea, is_free boolean, most integer[], at timestamptz)
returns boolean language plpgsql volatile as $$
declare
  counted record;
begin
  if is_free then
    if most[1] <= (select count(*) from orders o where o.customer_id = of_customer and o.store_id = at_store
        and o.parent_order_id is null and o.total_pence = 0 and o.is_live and o.voucher_id is null) then
      return refuse('OPEN_ORDERS', '{"of": "customer"}');
    end if;
    if of_device is not null and most[2] <= (select count(*) from orders o where o.device_hash = of_device and o.store_id = at_store
        and o.parent_order_id is null and o.total_pence = 0 and o.is_live and o.voucher_id is null) then
      return refuse('OPEN_ORDERS', '{"of": "device"}');
    end if;
    if of_address is not null and most[3] <= (select count(*) from orders o where o.address_hash = of_address and o.store_id = at_store
        and o.parent_order_id is null and o.total_pence = 0 and o.is_live and o.voucher_id is null) then
      return refuse('OPEN_ORDERS', '{"of": "address"}');
    end if;
    return true;
  end if;
  select count(*) as orders, min(o.pay_until) as ends_at,
    (array_agg(o.id order by o.created_at, o.id) filter (where o.payment_attempted_at is null and o.payment_status = 'pending_payment'))[1] as oldest
  into counted from orders o
  where o.customer_id = of_customer and o.store_id = at_store and o.parent_order_id is null
    and (o.payment_status in ('pending_payment', 'payment_failed') or o.total_pence = 0 and o.is_live)
    and coalesce(o.payment_status, '') in ('pending_payment', 'payment_failed') and o.pay_until > at;
  if counted.orders >= most[1] then
    return refuse_order('customer', counted.oldest, counted.ends_at);
  end if;
  if of_device is not null then
    select count(*) as orders, min(o.pay_until) as ends_at,
      (array_agg(o.id order by o.created_at, o.id)
        filter (where o.customer_id = of_customer and o.payment_attempted_at is null and o.payment_status = 'pending_payment'))[1] as oldest
    into counted from orders o
    where o.device_hash = of_device and o.store_id = at_store and o.parent_order_id is null
      and (o.payment_status in ('pending_payment', 'payment_failed') or o.total_pence = 0 and o.is_live)
      and coalesce(o.payment_status, '') in ('pending_payment', 'payment_failed') and o.pay_until > at;
    if counted.orders >= most[2] then
      return refuse_order('device', counted.oldest, counted.ends_at);
    end if;
  end if;
  if of_address is not null then
    select count(*) as orders, min(o.pay_until) as ends_at
    into counted from orders o
    where o.address_hash = of_address and o.store_id = at_store and o.parent_order_id is null
      and (o.payment_status in ('pending_payment', 'payment_failed') or o.total_pence = 0 and o.is_live)
      and coalesce(o.payment_status, '') in ('pending_payment', 'payment_failed') and o.pay_until > at;
    if counted.orders >= most[3] then
      return refuse_order('address', null, counted.ends_at);
    end if;
  end if;
  return true;
end $$;

-- Ends a statement by REPLACE_ORDER where an order can be replaced, else by OPEN_ORDERS.
create function refuse_order(whose text, replaceable uuid, ends_at timestamptz) returns boolean language plpgsql as $$
begin
  if replaceable is not null then
    return refuse('REPLACE_ORDER', replaceable::text);
  end if;
  return refuse('OPEN_ORDERS', jsonb_build_object('of', whose, 'ends_at', ends_at)::text);
end $$;

-- Whether another customer holds or has used a first-order code of a store with this device. Volatile, as promo_is_free_for.
create function device_used_first_order_code(at_store uuid, of_device bytea, of_customer uuid) returns boolean
language plpgsql volatile as $$
begin
  return of_device is not null and exists (
    select from orders o
      join hold h on h.order_id = o.id and h.kind = 'promo' and h.state <> 'released'
      join promo p on p.id = h.ref::uuid and p.first_order_only
    where o.device_hash = of_device and o.store_id = at_store and o.promo_code is not null and o.customer_id <> of_customer);
end $$;
