-- When the customer first did something at the store: an order, a code, a tap, a receipt, a place in the queue. From then on a merchant is
-- shown how to reach the customer. Null until then, whatever staff did.
alter table card add column customer_since timestamptz;

update card c
set last_visit_at = greatest(c.last_visit_at, v.last_stamp), customer_since = least(c.last_visit_at, v.first_own_stamp)
from (
  select store_id, customer_id, max(created_at) as last_stamp, min(created_at) filter (where source <> 'hub') as first_own_stamp
  from stamp where customer_id is not null group by store_id, customer_id
) v
where v.store_id = c.store_id and v.customer_id = c.customer_id;
update card set customer_since = last_visit_at where customer_since is null and order_count > 0;
