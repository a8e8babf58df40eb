-- For which customers a device minted or redeemed codes, each with the last time. A device is a keyed hash, as in stamp_code. A job deletes what
-- is older than a day.
create table device_use (
  store_id uuid not null,
  device bytea not null,
  customer_id uuid not null,
  at timestamptz not null,
  primary key (store_id, device, customer_id)
);
create index device_use_by_age on device_use (at);

-- stamp_code.location_info is written no more: nothing read it. The column goes once no released version writes it.
