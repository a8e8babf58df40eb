-- Whether a store is in the list of stores only while its account accepts orders: see listing in the snapshot.
alter table store add column listed_with_account boolean not null default false;
