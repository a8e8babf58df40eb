-- The relay reads the outbox by the numbers of its transactions. A dump keeps these numbers, and the server it is restored on gives out its own: a
-- row from the future of this server would be published again and again. A row that can be seen is of a transaction that the server has
-- given out, so a greater number proves such a restore. All rows then get the number of no transaction, the smallest, and are published anew.
create function renumber_outbox() returns boolean
language plpgsql security definer set search_path from current as $$
declare
  given_out xid8 := pg_snapshot_xmax(pg_current_snapshot());
begin
  if (select pg_snapshot_xmax(snapshot) from relay_state) <= given_out
    and coalesce((select transaction_id from outbox order by transaction_id desc, id desc limit 1), '0') < given_out
  then
    return false;
  end if;
  delete from relay_batch;
  update outbox set transaction_id = '1';
  update relay_state set snapshot = '1:1:', last_sequence = 0;
  return true;
end
$$;
