-- The chassis' tables (inbox, outbox, idempotency keys and so on) come with its own migrations.
select 1;
