-- Up Migration

-- Token buckets that all gateways draw from. Unlogged: a crash of the server fills every bucket again, and no request
-- waits for a disk. A key is a hash: neither addresses nor tokens stand here. A bucket that is full and no row are the same.
create unlogged table bucket (
  key bytea primary key,
  -- When it is full again if nobody draws: each draw moves it on by `every`, and none may move it beyond now + `span`.
  full_at timestamptz not null,
  -- Seconds in which one token, and in which all of them, come back.
  every double precision not null check (every > 0),
  span double precision not null check (span >= every)
-- No index but the key's, and room in each page: a draw then changes a row in place.
) with (fillfactor = 50);
