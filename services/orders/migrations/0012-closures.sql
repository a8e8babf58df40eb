-- Dated exceptions to the opening hours, and a pause of all orders, as the directory publishes them.
alter table store add column closures jsonb not null default '[]';
alter table store add column paused_until timestamptz;
