-- A message is sent to a customer, to a contact of a store, or to a guest of the queue, whose phone number only the queue has.
alter table customer add column phone text;

create table contact (
  -- Derived from the store and the contact's first address, so that a newer snapshot finds the contact again.
  id uuid primary key,
  store_id uuid not null,
  email text,
  phone text,
  push_devices jsonb not null
);
create index contact_by_store on contact (store_id);

alter table message
  alter column customer_id drop not null,
  add column contact_id uuid,
  add column entry_ref uuid,
  add constraint message_once_per_event_and_contact unique (event_id, contact_id, channel),
  add constraint message_recipient check (
    case when contact_id is not null then customer_id is null and entry_ref is null
    else customer_id is not null or entry_ref is not null end),
  drop constraint message_channel_check,
  add constraint message_channel_check check (channel in ('push', 'email', 'sms'));
create unique index message_once_per_event_for_guest on message (event_id) where customer_id is null and contact_id is null;
