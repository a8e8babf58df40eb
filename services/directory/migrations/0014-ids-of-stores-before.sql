-- The ids that stores had before: of two with one id, the one that had it changed first.
insert into owned_id (list, id, store_id)
  select l.list, (e ->> 'id')::uuid, o.id
  from object o, (values ('menu', 'promos'), ('slots', 'slots')) l (kind, list), jsonb_array_elements(coalesce(o.data -> l.list, '[]')) e
  where o.kind = l.kind
  order by o.changed_at, o.id
  on conflict do nothing;
