-- allowed: the constraint that follows permits all that this one does, and one kind more
alter table log_entry drop constraint log_entry_kind_check;
alter table log_entry add constraint log_entry_kind_check
  check (kind in ('granted', 'undone', 'approved', 'rejected', 'redeemed', 'confirmed', 'imported')) not valid;
