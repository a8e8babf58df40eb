-- A name as it is stored for a search, and what is asked for as well: in lower case, composed, without the marks of Latin, Greek and Cyrillic
-- letters, in words. Where people write no spaces between words, as in Chinese, Japanese and Thai, each sign is a word.
create function search_text(named text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(regexp_replace(
    replace(replace(replace(translate(
      normalize(regexp_replace(lower(normalize(named, nfkd) collate "pg_c_utf8"), '[\u0300-\u036f]', '', 'g'), nfkc),
      'łøđıς', 'lodiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') collate "pg_c_utf8",
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g'),
    '[^[:alnum:]]+', ' ', 'g'))
$$;
