-- A name as its reader takes it for another one: without case, marks, spaces and signs, and with letters that look like Latin ones as those
-- (Unicode TR39 lists them all; here are the Cyrillic and Greek ones of the keyboards, and the digits). Compared, never shown.
create function look_alike(name text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    replace(replace(replace(replace(replace(translate(
      lower(translate(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g'),
        'АВЕЅІЈКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABESIJKMHOPCTYXABEZHIKMNOPTYX') collate "pg_c_utf8"),
      'авеѕіјкмнорстухһԁԛԝгьαβεηικνορτυχςɑɡıłøđ01i|', 'abesljkmhopctyxhdqwrbabenlkvoptuxcagllodolll'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'rn', 'm'), 'vv', 'w') collate "pg_c_utf8",
    '[^[:alnum:]]+', '', 'g')
$$;
