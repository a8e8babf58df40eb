-- The language is a part of the profile, too: one that is set after the erasure is refused.
create or replace function refuse_erased_profile() returns trigger language plpgsql as $$
begin
  if is_erased(new.id)
    and (coalesce(new.data ->> 'name', new.data ->> 'email', new.data ->> 'phone', new.data ->> 'identity_user_id', new.data ->> 'language')
        is not null
      or jsonb_array_length(coalesce(new.data -> 'push_devices', '[]')) > 0 or jsonb_array_length(coalesce(new.data -> 'memberships', '[]')) > 0) then
    raise exception using errcode = 'CR002', message = 'CUSTOMER_ERASED';
  end if;
  return new;
end $$;
