-- The list of the provider's events is read once more for those that it listed late. What the first reading has covered so far includes them.
insert into provider_cursor (name, read_until)
select 'late_events', read_until - interval '10 minutes' from provider_cursor where name = 'events'
on conflict do nothing;
