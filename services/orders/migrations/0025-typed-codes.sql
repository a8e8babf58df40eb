-- Codes as normaliseTyped of the contracts makes them: composed, without characters that no one sees, with one kind of hyphen. A code that
-- would meet another of its store stays: the directory refuses the two when the menu is changed.
-- allowed: a store has few codes, and only those that hold such a character are written
update promo p set code = n.code
from (
  select distinct on (store_id, code) id, store_id, code from (
    select id, store_id, active, upper(trim(regexp_replace(regexp_replace(regexp_replace(normalize(code, nfkc),
      '[\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]', '', 'g'), '[\u2010-\u2015\u2212]', '-', 'g'), '\s+', ' ', 'g'))) as code
    from promo
  ) typed order by store_id, code, active desc, id
) n
where n.id = p.id and n.code <> p.code and n.code <> ''
  and not exists (select from promo o where o.store_id = p.store_id and o.code = n.code and o.active and o.id <> p.id);
