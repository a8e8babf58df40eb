-- The field's own names for what 0001 and 0002 made: batches, processed events, jobs, event handlers.
alter table relay_tick rename to relay_batch;
alter table relay_batch rename column seen_before to snapshot_before;
alter table relay_batch rename column seen_after to snapshot_after;
alter index relay_tick_unacked rename to relay_batch_unacked;
alter index relay_tick_pkey rename to relay_batch_pkey;

alter table inbox rename column heard_at to processed_at;
alter table dead_letter rename column died_at to dead_lettered_at;

alter table schedule rename to job;
alter index schedule_pkey rename to job_pkey;

alter table refusal rename column words to message;
alter table replay rename column reaction to handler;
alter table replay rename column worked to processed;
alter table replayed_event drop constraint replayed_event_outcome_check;
update replayed_event set outcome = 'processed' where outcome = 'worked';
alter table replayed_event add constraint replayed_event_outcome_check check (outcome in ('processed', 'skipped', 'failed'));

-- Functions keep the names they were written with, so both are written again.
drop function prune_ticks(timestamptz, integer);
create function prune_relay_batches(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with pruned as (
    delete from relay_batch where first_sequence in (
      select first_sequence from relay_batch
      where acked_at < older_than and taken_at < older_than
      order by first_sequence limit at_most
    ) returning 1
  )
  select count(*) from pruned
$$;
create or replace function prune_outbox(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with expired as (
    select o.id from outbox o
    where o.created_at < older_than
      and pg_visible_in_snapshot(o.transaction_id, (select coalesce(
        (select b.snapshot_before from relay_batch b where b.acked_at is null order by b.first_sequence limit 1),
        (select s.snapshot from relay_state s))))
    order by o.created_at
    limit at_most
  ), pruned as (
    delete from outbox where id in (select id from expired) returning 1
  )
  select count(*) from pruned
$$;
