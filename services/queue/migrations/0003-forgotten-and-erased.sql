-- Ended entries that still name a guest: few, since a day later they name nobody.
create index entry_naming_guest on entry (ended_at) where guest_name is not null or guest_phone is not null;
