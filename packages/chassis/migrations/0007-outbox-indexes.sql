-- An event is written into four indexes rather than six. The rows of one transaction lie together in the primary key, so the relay reads by it, and
-- transactions are numbered in the order of time, so that old events are found by it too.
alter table outbox drop constraint outbox_pkey;
alter table outbox add constraint outbox_pkey primary key (transaction_id, id);
drop index outbox_by_transaction;
drop index outbox_by_age;

-- Both look at the oldest rows alone, however many there are: a row that must stay keeps no statement reading past it.
create or replace function prune_outbox(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with pruned as (
    delete from outbox where ctid = any (array(
      select oldest.place
      from (select o.ctid as place, o.transaction_id, o.created_at from outbox o order by o.transaction_id, o.id limit at_most) oldest
      where oldest.created_at < older_than
        and pg_visible_in_snapshot(oldest.transaction_id, (select coalesce(
          (select b.snapshot_before from relay_batch b where b.acked_at is null order by b.first_sequence limit 1),
          (select s.snapshot from relay_state s))))
    )) returning 1
  )
  select count(*) from pruned
$$;
create or replace function prune_relay_batches(older_than timestamptz, at_most integer) returns bigint
language sql security definer set search_path from current as $$
  with pruned as (
    delete from relay_batch where ctid = any (array(
      select oldest.place
      from (select b.ctid as place, b.acked_at, b.taken_at from relay_batch b order by b.first_sequence limit at_most) oldest
      where oldest.acked_at < older_than and oldest.taken_at < older_than
    )) returning 1
  )
  select count(*) from pruned
$$;
