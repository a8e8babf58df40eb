-- Erasures of customers. A row stays: it is the record that it was done, and names no person.
create table erasure (
  customer_id uuid primary key,
  -- Whoever knows it reads the certificate.
  receipt uuid not null constraint one_erasure_for_a_receipt unique,
  requested_at timestamptz not null,
  requested_by text not null check (requested_by in ('customer', 'merchant', 'operator')),
  -- The operator, or the merchant; null for the customer.
  by_id text,
  store_id uuid,
  -- Null while a store has asked for it and no operator has begun it.
  begun_at timestamptz,
  -- Of the event that was published last; 0 before.
  sequence bigint not null default 0,
  finished_at timestamptz,
  -- What each service has done, by its name.
  reports jsonb not null default '{}',
  constraint erasure_is_begun_by_an_event check ((begun_at is null) = (sequence = 0)),
  constraint erasure_ends_after_it_began check (finished_at is null or begun_at is not null)
);
create index erasure_open on erasure (requested_at) where finished_at is null;

-- Nothing that names an erased customer is written again: see the chassis' table erased_customer.
create function refuse_erased_profile() returns trigger language plpgsql as $$
begin
  if is_erased(new.id)
    and (coalesce(new.data ->> 'name', new.data ->> 'email', new.data ->> 'phone', new.data ->> 'identity_user_id') is not null
      or jsonb_array_length(coalesce(new.data -> 'push_devices', '[]')) > 0 or jsonb_array_length(coalesce(new.data -> 'memberships', '[]')) > 0) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $$;
create trigger refuse_erased_profile before insert or update of data on object
  for each row when (new.kind = 'customer') execute function refuse_erased_profile();

create function refuse_erased_person() returns trigger language plpgsql as $$
begin
  if is_erased(new.person_id) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $$;
create trigger refuse_erased_person before insert on session for each row when (new.kind = 'customer') execute function refuse_erased_person();
create trigger refuse_erased_person before insert on account for each row when (new.kind = 'customer') execute function refuse_erased_person();
