-- The place of an item in its menu. 0, as until the next snapshot of the menu, leaves the order to the names.
alter table menu_item add column position integer not null default 0;
