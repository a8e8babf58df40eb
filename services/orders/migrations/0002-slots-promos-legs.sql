create table slot_list (
  store_id uuid primary key,
  version bigint not null
);

-- Collection slots. The directory says how many places there are; orders alone say how many are used.
create table slot (
  id uuid primary key,
  store_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Null is uncapped.
  capacity integer check (capacity >= 0),
  open boolean not null,
  used integer not null default 0 check (used >= 0),
  -- Places that were used already when the capacity was lowered under them: nobody is put out.
  beyond integer not null default 0 check (beyond >= 0),
  constraint places_are_never_oversold check (capacity is null or used <= capacity + beyond)
);
create index slot_by_time on slot (store_id, starts_at);

create table promo (
  id uuid primary key,
  store_id uuid not null,
  -- Upper case, trimmed.
  code text not null,
  label text,
  kind text not null check (kind in ('percent', 'amount')),
  value integer not null check (value > 0),
  min_subtotal_pence integer not null,
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses integer,
  max_per_customer integer,
  first_order_only boolean not null,
  active boolean not null,
  uses integer not null default 0 check (uses >= 0),
  -- Uses there were already when the limit was lowered under them.
  beyond integer not null default 0 check (beyond >= 0),
  constraint promo_is_never_overused check (max_uses is null or uses <= max_uses + beyond)
);
create unique index one_live_promo_for_a_code on promo (store_id, code) where active;

create index legs_of_order on orders (parent_order_id, order_number) where parent_order_id is not null;
-- Who has used a promo code, under the promo's lock.
create index hold_of_promo on hold (ref, order_id) where kind = 'promo' and state <> 'released';

-- What a whole-order refund came to is told once, also for an order that cost nothing.
alter table orders add column fully_refunded boolean not null default false;

-- Whether a customer may use a promo code once more. Volatile, so that under the promo's lock it sees what others committed while
-- the statement waited for it.
create function promo_is_free_for(wanted uuid, customer uuid) returns boolean language plpgsql volatile as $$
begin
  return (
    select case when p.first_order_only then 1 else p.max_per_customer end is null
      or (select count(*) from hold h join orders o on o.id = h.order_id
          where h.kind = 'promo' and h.ref = wanted::text and h.state <> 'released' and o.customer_id = customer)
         < case when p.first_order_only then 1 else p.max_per_customer end
    from promo p where p.id = wanted
  );
end $$;
