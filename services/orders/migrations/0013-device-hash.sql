alter table orders add column device_hash bytea;
comment on column orders.device_hash is
  'A keyed hash of the device_fingerprint that the customer''s app sent; null without one. Nothing decides by it: operators find by it the '
  'orders of one device, for example when one device pays with many cards.';
create index orders_of_device on orders (device_hash) where device_hash is not null;
