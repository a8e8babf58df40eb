-- What everyone may know of a store. Null for none.
alter table store
  add column address jsonb,
  -- As E.164.
  add column phone text,
  -- Its latitude and longitude, in degrees.
  add column position jsonb;
