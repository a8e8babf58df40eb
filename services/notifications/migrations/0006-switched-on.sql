-- The number of the event by which the customer last switched a preference on, by its name: the link of a mail that was sent before does not stop
-- those messages.
alter table marketing_ask add column switched_on jsonb not null default '{}';
