-- What a refund was asked for: an amount, or null for all that remained. For earlier ones that covered all that was paid it is taken as all.
alter table refund add column requested_pence integer check (requested_pence > 0);
update refund r set requested_pence = r.amount_pence from orders o
where o.id = r.order_id and r.amount_pence > 0 and r.amount_pence <> o.total_pence;
-- The part of a refund for which the store's transfer is reversed by itself, because an earlier refund that failed had reversed only the
-- rest; and how much of it has been reversed.
alter table refund add column to_reverse_pence integer not null default 0 check (to_reverse_pence >= 0);
alter table refund add column reversed_pence integer not null default 0 check (reversed_pence between 0 and to_reverse_pence);
