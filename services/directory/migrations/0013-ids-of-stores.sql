-- The ids of promo codes and dated slots: each belongs to the store that had it first, and stays its own, since orders keep what was used of it.
-- Kept by a trigger, as tags are.
create table owned_id (
  list text not null check (list in ('promos', 'slots')),
  id uuid not null,
  store_id uuid not null,
  constraint one_store_for_an_id primary key (list, id)
);
create function keep_ids() returns trigger language plpgsql as $$
begin
  insert into owned_id (list, id, store_id)
    select distinct l.list, (e ->> 'id')::uuid, new.id
    from (select case new.kind when 'menu' then 'promos' else 'slots' end as list) l,
      jsonb_array_elements(coalesce(new.data -> l.list, '[]')) e
    where not exists (select from owned_id o where o.list = l.list and o.id = (e ->> 'id')::uuid and o.store_id = new.id);
  return null;
end $$;
create trigger keep_ids after insert or update of data on object for each row when (new.kind in ('menu', 'slots')) execute function keep_ids();
