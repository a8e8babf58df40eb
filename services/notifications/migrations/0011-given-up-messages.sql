-- A message that was given up is a dead letter, like an event that could not be worked through: what is found given up becomes one.
insert into dead_letter (event_id, type, subject, payload, error, attempts, dead_lettered_at)
select id, 'errand', topic,
  jsonb_build_object('subject', topic, 'event_id', event_id, 'template', template, 'channel', channel, 'store_id', store_id)::text,
  coalesce(reason, 'unknown'), attempts, settled_at
from errand
where state = 'failed'
on conflict (event_id) do nothing;

drop index errand_failed;
