-- What everyone may know of a store besides its seller's address. Null for none.
alter table store
  -- As E.164.
  add column phone text,
  -- Its latitude and longitude, in degrees.
  add column position jsonb;
