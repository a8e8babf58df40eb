-- A reversed stamp whose use is owed: it put one on the card's debt, and takes it off again if the refund fails.
alter table stamp add column owed boolean not null default false;
