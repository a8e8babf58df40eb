-- Of a sale that a till made without a connection: when, and what the menu says else by now. Null for any other order.
alter table orders add column offline jsonb;
