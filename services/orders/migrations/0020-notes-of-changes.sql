-- Tables that replies to polls are made of note what they change: see decision 13.
create trigger note_change after insert or update or delete on orders for each row execute function note_change('customer');
create trigger note_change after insert or update or delete on contact for each row execute function note_change('customer');
-- Lines are inserted with their order, whose customer they are of.
create function note_line_change() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into noted_change (key) select customer_id from orders where id = new.order_id and customer_id is not null on conflict do nothing;
  return null;
end $$;
create trigger note_change after update on order_line for each row execute function note_line_change();
create trigger note_change after insert or update or delete on menu_item for each row execute function note_change('store');
create trigger note_change after insert or update or delete on slot for each row execute function note_change('store');
create trigger note_change after insert or update or delete on store_account for each row execute function note_change('shared');
create trigger note_change after insert or delete on store for each row execute function note_change('shared');
-- Each order draws a number, which no reply shows: the statement that does changes nothing else.
create trigger note_update after update on store for each row
  when (old.last_order_number = new.last_order_number) execute function note_change('shared');
