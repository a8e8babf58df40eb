-- The process that claimed the key. While it is alive it holds the advisory lock of this number, and no other takes the claim over.
alter table idempotency_key add column holder bigint;
