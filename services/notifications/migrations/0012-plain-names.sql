-- The field's own names for what 0001 to 0011 made. A message is what is sent to a customer; a delivery is one attempt over one channel.
alter table errand rename to message;
alter index errand_pkey rename to message_pkey;
alter index errand_by_topic rename to message_by_topic;
alter index errand_by_age rename to message_by_settled_at;
alter table message rename constraint errand_once to message_once_per_event_and_channel;
alter table message rename constraint errand_settled to message_settled_when_not_pending;
alter table message rename constraint errand_channel_check to message_channel_check;
alter table message rename constraint errand_state_check to message_state_check;
alter table message rename constraint errand_topic_fkey to message_topic_fkey;
alter table message rename column facts to data;

-- A topic, as in Web Push (RFC 8030): of the messages on one topic only the newest is sent. One replica at a time holds its lease.
alter table topic rename column sequence to newest_sequence;
alter table topic rename column lease to lease_token;
alter table topic rename column leased_until to lease_expires_at;
alter table topic rename column touched_at to updated_at;
alter index topic_by_age rename to topic_by_updated_at;

alter table dead_device rename to gone_device;
alter index dead_device_pkey rename to gone_device_pkey;
alter table gone_device rename column died_at to gone_at;

-- The sequence of the last event published about a customer's consent at a store.
alter table marketing_ask rename column told to event_sequence;

-- An update of a pass that one wallet has yet to receive.
alter table pass_notice rename to pass_update;
alter index pass_notice_pkey rename to pass_update_pkey;
alter index pass_notice_by_due rename to pass_update_by_due;
alter table pass_update rename constraint pass_notice_serial_fkey to pass_update_serial_fkey;
alter table pass_update rename constraint pass_notice_wallet_check to pass_update_wallet_check;
alter table pass_update rename column wanted to version;
alter table pass_update rename column gave_up_at to failed_at;

alter table pass_count rename to pass_update_counter;
alter index pass_count_pkey rename to pass_update_counter_pkey;
alter table pass_update_counter rename constraint pass_count_only_one_check to pass_update_counter_singleton_check;
alter table pass_update_counter rename column only_one to singleton;
alter table pass_update_counter rename column seq to last_tag;

-- The update tag of Apple's web service.
alter table pass rename column updated_seq to update_tag;
alter table pass rename constraint pass_of_its_kind to pass_kind_matches_voucher;

-- Postgres names each `not null` after the table and column it was written for.
do $$
declare
  c record;
begin
  for c in
    select r.relname as table_name, n.conname as old_name, r.relname || '_' || a.attname || '_not_null' as new_name
    from pg_constraint n
    join pg_class r on r.oid = n.conrelid
    join pg_attribute a on a.attrelid = n.conrelid and a.attnum = n.conkey[1]
    where n.contype = 'n' and n.connamespace = current_schema()::regnamespace
      and r.relname in ('message', 'topic', 'gone_device', 'marketing_ask', 'pass_update', 'pass_update_counter', 'pass')
      and n.conname <> r.relname || '_' || a.attname || '_not_null'
  loop
    execute format('alter table %I rename constraint %I to %I', c.table_name, c.old_name, c.new_name);
  end loop;
end $$;

-- A failed message is a dead letter of type `message`.
update dead_letter set type = 'message' where type = 'errand';

-- These jobs run under new names.
delete from job where name in ('deliverErrands', 'dropOldErrands', 'tellWallets');
