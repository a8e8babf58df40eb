-- Token buckets that all gateways share. Unlogged: a crash of the server fills every bucket again, and no request waits for a disk. A key
-- is a hash, so no addresses or tokens are stored. A full bucket is the same as no row.
create unlogged table bucket (
  key bytea primary key,
  -- When it is full again if no request draws from it: each draw moves it on by `every`, and none may move it beyond now + `span`.
  full_at timestamptz not null,
  -- Seconds in which one token, and in which all of them, come back.
  every double precision not null check (every > 0),
  span double precision not null check (span >= every)
-- No index but the key's, and room in each page: a draw then changes a row in place.
) with (fillfactor = 50);
