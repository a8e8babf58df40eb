-- The greatest number and what it is compared with are read in one snapshot. Read one after the other, a change that was committed in between had a greater
-- number, and the start of a relay beside it published the whole outbox again.
create or replace function renumber_outbox() returns boolean
language plpgsql security definer set search_path from current as $$
begin
  if (
    select pg_snapshot_xmax(state.snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
      and coalesce((select transaction_id from outbox order by transaction_id desc, id desc limit 1), '0') < pg_snapshot_xmax(pg_current_snapshot())
    from relay_state as state
  ) then
    return false;
  end if;
  delete from relay_batch;
  update outbox set transaction_id = '1';
  update relay_state set snapshot = '1:1:', last_sequence = 0;
  return true;
end
$$;
