-- Makes published rows of the outbox new, so that the relay publishes them again: the stream has lost their events.
create function publish_again(transaction_ids xid8[], ids bigint[]) returns bigint
  language sql security definer set search_path from current
as $$
  with again as (
    update outbox o set transaction_id = pg_current_xact_id()
    from unnest(transaction_ids, ids) as lost (transaction_id, id)
    where o.transaction_id = lost.transaction_id and o.id = lost.id
    returning 1
  )
  select count(*) from again
$$;
