-- Whether an order is among its store's live or ended ones. The indexes of both name these columns and no status, which every step of an
-- order's preparation would change: a step is then written without a new entry in any index, as long as there is room in the row's page.
alter table orders
  add column is_live boolean not null generated always as (coalesce(paid_at is not null and business_status in ('placed', 'ready'), false)) stored,
  add column has_ended boolean not null generated always as (
    coalesce(business_status in ('fulfilled', 'cancelled'), false) or payment_status in ('expired', 'cancelled')) stored;
alter table orders set (fillfactor = 70);

drop index collection_code_is_unique_among_live_orders;
create unique index collection_code_is_unique_among_live_orders on orders (store_id, collection_code) where is_live and collection_code is not null;
drop index orders_active;
create index orders_active on orders (store_id, coalesce(first_collection_at, requested_collection_at, created_at), id) where is_live;
drop index orders_history;
create index orders_history on orders (store_id, created_at desc, id desc) where has_ended;
