-- What everyone may know of a store. Null for none.
alter table store
  -- Whether that includes the address of its seller.
  add column address_shown boolean not null default false,
  -- As E.164.
  add column phone text,
  -- Its latitude and longitude, in degrees.
  add column position jsonb;
