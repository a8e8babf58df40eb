-- The provider's mode in which the id was made: `test` moves no money. Null for one from before this was kept, which counts as the present one.
alter table orders add column payment_mode text constraint orders_payment_mode_check check (payment_mode in ('test', 'live'));
alter table payment_customer add column mode text constraint payment_customer_mode_check check (mode in ('test', 'live'));
