-- A file runs in one transaction, so its indexes are not built concurrently: writes wait while each table is read once, which takes a
-- second or so for a million rows.

-- What `explain` is asked for is found by an index: a trace, and an Idempotency-Key, which comes first in its key now.
create index outbox_by_trace on outbox (split_part(traceparent, '-', 2));
create index refusal_of_trace on refusal (trace_id) where trace_id is not null;

create unique index idempotency_key_by_key on idempotency_key (key, principal, operation);
alter table idempotency_key drop constraint idempotency_key_pkey;
alter table idempotency_key add constraint idempotency_key_pkey primary key using index idempotency_key_by_key;
