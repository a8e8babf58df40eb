-- The VAT of an item by whether it is eaten in; null when it has one rate, vat_rate_bps.
alter table menu_item add column vat jsonb;
-- Of a line whose choices have other rates than its item: what each rate is of the price of one. Null when all of it has vat_rate_bps.
alter table order_line add column vat_parts jsonb;
-- Whether an order is eaten in; null for one from before that was kept.
alter table orders add column eat_in boolean;
