-- The one name that 0003 left: a check is named for its table.
alter table relay_batch rename constraint relay_tick_size_check to relay_batch_size_check;
