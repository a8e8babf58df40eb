-- A row of a store's log may be of its drawer: what it was opened with, what was taken out, or what was counted and how that differed.
alter table store_log_entry add column amount_pence integer, add column difference_pence integer;
alter table store_log_entry drop constraint store_log_entry_kind_check;
alter table store_log_entry add constraint store_log_entry_kind_check check (kind in (
  'paused', 'resumed', 'marked_sold_out', 'mark_ended', 'left_set', 'left_unset', 'drawer_opened', 'cash_paid_out', 'drawer_closed')) not valid;
